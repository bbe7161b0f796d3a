import { type Account, foldName, type KeyRecord, type Reader, type Writes } from '@tarifario/core/service';
import { type Kysely, sql } from 'kysely';
import type { Session } from './dialects.ts';
import { prepared } from './prepared.ts';
import { aliased } from './record-codec.ts';
import {
  ACCOUNT,
  API_KEY,
  fromKeyRow,
  fromSubscriptionRow,
  QUOTA_COLUMNS,
  SUBSCRIPTION,
  subscriptionReader,
} from './rows.ts';
import type { Schema } from './schema.ts';
import type { UnitOfWork } from './unit-of-work.ts';

export function accountReads(session: Session): Reader['accounts'] {
  const { db } = session;
  return {
    get: (accountId) => accountOf(session, accountId),
    passwordHash: async (accountId) => {
      const stored = db.selectFrom('accounts').select('password_hash').where('id', '=', accountId);
      return (await stored.executeTakeFirst())?.password_hash ?? null;
    },
    list: async () => (await db.selectFrom('accounts').selectAll().orderBy('id').execute()).map(ACCOUNT.read),
    subscription: (accountId) => subscriptionOf(session, accountId),
  };
}

export function keyReads(session: Session): Reader['keys'] {
  return {
    byHash: async (secretHash) => keyRecord((await keysByHash(session, secretHash))[0]),
    record: async (keyId) => keyRecord((await keysById(session, keyId))[0]),
    list: async (accountId) => {
      const rows = session.db.selectFrom('api_keys').selectAll().where('account_id', '=', accountId).orderBy('id');
      return (await rows.execute()).map(fromKeyRow);
    },
  };
}

async function accountOf({ db }: Session, accountId: number): Promise<Account | null> {
  const row = await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirst();
  return row ? ACCOUNT.read(row) : null;
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
    .select([...API_KEY.columns.map((column) => `api_keys.${column}` as const), 'api_keys.scopes'])
    .select(aliased('accounts', ACCOUNT.columns, 'owner_'))
    .select(aliased('subscriptions', SUBSCRIPTION.columns, 'subscription_'))
    .select([...Object.values(QUOTA_COLUMNS), 'firms.is_active as firm_is_active'])
    .$castTo<StoredKey>();
}

/** A key with the columns of its account and subscription, if there is one, under their prefixes. */
type StoredKey = Parameters<typeof fromKeyRow>[0] & {
  readonly subscription_id: number | null;
  readonly firm_is_active: number | null;
};
const ownerIn = ACCOUNT.readerIn('owner_');
const subscriptionIn = subscriptionReader('subscription_');

const keysByHash = prepared((db, secretHash: string) =>
  // With a bare parameter SQLite plans the join again for every value, which takes longer than the query itself.
  keyRows(db).where('api_keys.secret_hash', '=', sql<string>`(select ${secretHash})`),
);
const keysById = prepared((db, keyId: number) => keyRows(db).where('api_keys.id', '=', keyId));

function keyRecord(row: StoredKey | undefined): KeyRecord | null {
  if (!row) return null;
  return {
    key: fromKeyRow(row),
    account: ownerIn(row),
    subscription: row.subscription_id === null ? null : subscriptionIn(row),
    firmIsActive: row.firm_id === null || row.firm_is_active === 1,
  };
}

export function accountWrites(unit: UnitOfWork): Writes['accounts'] {
  const { db, context } = unit;
  return {
    insert: async (terms) => {
      const row = await db
        .insertInto('accounts')
        .values({
          ...ACCOUNT.write({
            name: terms.name,
            email: terms.email,
            isActive: true,
            isCatalogEditor: terms.isCatalogEditor,
          }),
          email_folded: foldName(terms.email),
          password_hash: terms.passwordHash,
          created_at: context.at,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return ACCOUNT.read(row);
    },
    update: async (accountId, changes) => {
      const { email, passwordHash, ...others } = changes;
      const columns = {
        ...ACCOUNT.write(others),
        ...(email === undefined ? {} : { email, email_folded: foldName(email) }),
        ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
      };
      if (Object.keys(columns).length > 0) {
        await db.updateTable('accounts').set(columns).where('id', '=', accountId).execute();
      }
      return await accountOf(unit, accountId);
    },
    putSubscription: async (accountId, terms) => {
      const { quotas, ...plain } = terms;
      const values = {
        ...SUBSCRIPTION.write(plain),
        company_quota: quotas.companies ?? null,
        offer_quota: quotas.offers ?? null,
        month_quota: quotas.months ?? null,
        history_quota: quotas.historyBytes ?? null,
        proposals_quota: quotas.proposalsBytes ?? null,
      };
      const row = await db
        .insertInto('subscriptions')
        .values({ account_id: accountId, ...values, created_at: context.at })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
        .returningAll()
        .executeTakeFirstOrThrow();
      return fromSubscriptionRow(row);
    },
  };
}

export function keyWrites({ db, dialect, context }: UnitOfWork): Writes['keys'] {
  return {
    insert: async ({ scopes, secretHash, ...plain }) => {
      const row = await db
        .insertInto('api_keys')
        .values({
          ...API_KEY.write({ ...plain, isActive: true }),
          scopes: JSON.stringify(scopes),
          secret_hash: secretHash,
          created_at: context.at,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return fromKeyRow(row);
    },
    revoke: async (keyId) => {
      const update = db.updateTable('api_keys').set({ is_active: 0 }).where('id', '=', keyId).returningAll();
      const row = await update.executeTakeFirst();
      return row ? fromKeyRow(row) : null;
    },
    markUsed: async (keyIds, before) => {
      await db
        .updateTable('api_keys')
        .set({ last_used_at: context.at })
        .where((eb) => dialect.isAnyOf(eb.ref('id'), keyIds))
        .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', before)]))
        .execute();
    },
  };
}
