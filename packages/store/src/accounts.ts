import { type Account, foldName, type KeyRecord, type Reader, type Writer } from '@tarifario/core/service';
import { type Kysely, sql } from 'kysely';
import type { Session } from './dialects.ts';
import { prepared } from './prepared.ts';
import { fromAccountRow, fromKeyRow, fromSubscriptionRow } from './rows.ts';
import type { AccountChanges, Schema } from './schema.ts';
import { changing, type UnitOfWork } from './unit-of-work.ts';

type AccountReads = Pick<
  Reader,
  'keyByHash' | 'keyRecord' | 'account' | 'accounts' | 'passwordHash' | 'subscription' | 'keys' | 'key'
>;

export function accountReads(session: Session): AccountReads {
  const { db } = session;
  return {
    keyByHash: async (secretHash) => keyRecord((await keysByHash(session, secretHash))[0]),
    keyRecord: async (keyId) => keyRecord((await keysById(session, keyId))[0]),
    account: (accountId) => accountOf(session, accountId),
    passwordHash: async (accountId) => {
      const stored = db.selectFrom('accounts').select('password_hash').where('id', '=', accountId);
      return (await stored.executeTakeFirst())?.password_hash ?? null;
    },
    accounts: async () => (await db.selectFrom('accounts').selectAll().orderBy('id').execute()).map(fromAccountRow),
    subscription: (accountId) => subscriptionOf(session, accountId),
    keys: async (accountId) => {
      const rows = db.selectFrom('api_keys').selectAll().where('account_id', '=', accountId).orderBy('id');
      return (await rows.execute()).map(fromKeyRow);
    },
    key: async (keyId) => {
      const row = await db.selectFrom('api_keys').selectAll().where('id', '=', keyId).executeTakeFirst();
      return row ? fromKeyRow(row) : null;
    },
  };
}

async function accountOf({ db }: Session, accountId: number): Promise<Account | null> {
  const row = await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirst();
  return row ? fromAccountRow(row) : null;
}

const subscriptionRows = prepared((db, accountId: number) =>
  db.selectFrom('subscriptions').selectAll().where('account_id', '=', accountId),
);

async function subscriptionOf(session: Session, accountId: number) {
  const [row] = await subscriptionRows(session, accountId);
  return row ? fromSubscriptionRow(row) : null;
}

/**
 * Every request runs this query, so it is a single one. Its columns are listed, so that a new column of the table does
 * not change it.
 */
function keyRows(db: Kysely<Schema>) {
  return db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .leftJoin('firms', 'firms.id', 'api_keys.firm_id')
    .leftJoin('subscriptions', 'subscriptions.account_id', 'api_keys.account_id')
    .select([
      'api_keys.id',
      'api_keys.account_id',
      'api_keys.firm_id',
      'api_keys.name',
      'api_keys.prefix',
      'api_keys.full_access',
      'api_keys.scopes',
      'api_keys.is_active',
      'api_keys.created_at',
      'accounts.name as account_name',
      'accounts.email',
      'accounts.is_active as account_is_active',
      'accounts.is_catalog_editor',
      'accounts.created_at as account_created_at',
      'firms.is_active as firm_is_active',
      'subscriptions.id as subscription_id',
      'subscriptions.plan',
      'subscriptions.status',
      'subscriptions.firm_limit',
      'subscriptions.trial_ends_at',
      'subscriptions.current_period_end',
      'subscriptions.calls_per_minute',
      'subscriptions.firm_calls_per_minute',
      'subscriptions.company_quota',
      'subscriptions.offer_quota',
      'subscriptions.month_quota',
      'subscriptions.created_at as subscription_created_at',
    ]);
}

const keysByHash = prepared((db, secretHash: string) =>
  // With a bare parameter SQLite plans the join again for every value, which takes longer than the query itself.
  keyRows(db).where('api_keys.secret_hash', '=', sql<string>`(select ${secretHash})`),
);
const keysById = prepared((db, keyId: number) => keyRows(db).where('api_keys.id', '=', keyId));

type StoredKey = Awaited<ReturnType<typeof keysByHash>>[number];

function keyRecord(row: StoredKey | undefined): KeyRecord | null {
  if (!row) return null;
  const account = fromAccountRow({
    id: row.account_id,
    name: row.account_name,
    email: row.email,
    is_active: row.account_is_active,
    is_catalog_editor: row.is_catalog_editor,
    created_at: row.account_created_at,
  });
  const {
    subscription_id: id,
    subscription_created_at: created_at,
    plan,
    status,
    firm_limit,
    current_period_end,
  } = row;
  const hasSubscription =
    id !== null &&
    created_at !== null &&
    plan !== null &&
    status !== null &&
    firm_limit !== null &&
    current_period_end !== null;
  const subscription = hasSubscription
    ? fromSubscriptionRow({
        ...{ id, created_at, account_id: row.account_id, plan, status, firm_limit, current_period_end },
        trial_ends_at: row.trial_ends_at,
        calls_per_minute: row.calls_per_minute,
        firm_calls_per_minute: row.firm_calls_per_minute,
        company_quota: row.company_quota,
        offer_quota: row.offer_quota,
        month_quota: row.month_quota,
      })
    : null;
  return {
    key: fromKeyRow(row),
    account,
    subscription,
    firmIsActive: row.firm_id === null || row.firm_is_active === 1,
  };
}

type AccountWrites = Pick<Writer, 'insertAccount' | 'updateAccount' | 'putSubscription' | 'insertKey' | 'revokeKey'>;

export function accountWrites(unit: UnitOfWork): AccountWrites {
  const { db, context } = unit;
  return {
    insertAccount: changing(unit, async (terms) => {
      const row = await db
        .insertInto('accounts')
        .values({
          name: terms.name,
          email: terms.email,
          email_folded: foldName(terms.email),
          password_hash: terms.passwordHash,
          is_active: 1,
          is_catalog_editor: terms.isCatalogEditor ? 1 : 0,
          created_at: context.at,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return fromAccountRow(row);
    }),
    updateAccount: changing(unit, async (accountId, changes) => {
      const columns = accountColumns(changes);
      if (Object.keys(columns).length > 0) {
        await db.updateTable('accounts').set(columns).where('id', '=', accountId).execute();
      }
      return await accountOf(unit, accountId);
    }),
    putSubscription: changing(unit, async (accountId, terms) => {
      const values = {
        plan: terms.plan,
        status: terms.status,
        firm_limit: terms.firmLimit,
        trial_ends_at: terms.trialEndsAt,
        current_period_end: terms.currentPeriodEnd,
        calls_per_minute: terms.callsPerMinute,
        firm_calls_per_minute: terms.firmCallsPerMinute,
        company_quota: terms.quotas.companies ?? null,
        offer_quota: terms.quotas.offers ?? null,
        month_quota: terms.quotas.months ?? null,
      };
      const row = await db
        .insertInto('subscriptions')
        .values({ account_id: accountId, ...values, created_at: context.at })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
        .returningAll()
        .executeTakeFirstOrThrow();
      return fromSubscriptionRow(row);
    }),
    insertKey: changing(unit, async (terms) => {
      const row = await db
        .insertInto('api_keys')
        .values({
          account_id: terms.accountId,
          firm_id: terms.firmId,
          name: terms.name,
          prefix: terms.prefix,
          secret_hash: terms.secretHash,
          full_access: terms.fullAccess ? 1 : 0,
          scopes: JSON.stringify(terms.scopes),
          is_active: 1,
          created_at: context.at,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return fromKeyRow(row);
    }),
    revokeKey: changing(unit, async (keyId) => {
      const update = db.updateTable('api_keys').set({ is_active: 0 }).where('id', '=', keyId).returningAll();
      const row = await update.executeTakeFirst();
      return row ? fromKeyRow(row) : null;
    }),
  };
}

function accountColumns(changes: Parameters<Writer['updateAccount']>[1]): AccountChanges {
  const { name, email, passwordHash, isActive, isCatalogEditor } = changes;
  return {
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email, email_folded: foldName(email) }),
    ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
    ...(isActive === undefined ? {} : { is_active: isActive ? 1 : 0 }),
    ...(isCatalogEditor === undefined ? {} : { is_catalog_editor: isCatalogEditor ? 1 : 0 }),
  };
}
