import type { Company, Firm, ListScope, Page, Reader, ShelfOwner, Writer } from '@tarifario/core/service';
import type { Session } from './dialects.ts';
import { totalOf } from './pages.ts';
import { fromCatalogSubscriptionRow, fromCompanyRow, fromFirmRow, toCompanyColumns, toFirmColumns } from './rows.ts';
import { accountIdOf, changing, shelfIdOf, stamp, type UnitOfWork } from './unit-of-work.ts';

type FirmReads = Pick<Reader, 'firms' | 'firm' | 'activeFirmCount' | 'companies' | 'company' | 'catalogSubscriptions'>;

export function firmReads(session: Session): FirmReads {
  const { db } = session;
  return {
    firms: (scope, page) => listFirms(session, scope, page),
    firm: (accountId, firmId) => firmOf(session, accountId, firmId),
    activeFirmCount: async (accountId) => {
      const active = db.selectFrom('firms').where('account_id', '=', accountId).where('is_active', '=', 1);
      return (await active.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total;
    },
    companies: (scope, page) => listCompanies(session, scope, page),
    company: (owner, companyId) => companyOf(session, owner, companyId),
    catalogSubscriptions: async (accountId) => {
      const decisions = db.selectFrom('catalog_subscriptions').selectAll().where('account_id', '=', accountId);
      return (await decisions.orderBy('firm_id').orderBy('company_id').execute()).map(fromCatalogSubscriptionRow);
    },
  };
}

async function listFirms({ db }: Session, { accountId, firmId, includeInactive }: ListScope, page: Page) {
  const matching = db
    .selectFrom('firms')
    .where('account_id', '=', accountId)
    .$if(firmId !== null, (query) => query.where('id', '=', firmId))
    .$if(!includeInactive, (query) => query.where('is_active', '=', 1));
  const counted = matching.select(({ fn }) => fn.countAll<number>().as('count'));
  const found = matching.selectAll().select(counted.as('total'));
  const rows = await found.orderBy('id').limit(page.limit).offset(page.offset).execute();
  return { total: await totalOf(rows, page.offset, counted), results: rows.map(fromFirmRow) };
}

async function listCompanies({ db }: Session, { accountId, firmId, includeInactive }: ListScope, page: Page) {
  const matching = db
    .selectFrom('companies')
    .where('account_id', '=', accountId)
    .$if(firmId !== null, (query) => query.where('firm_id', '=', firmId))
    .$if(!includeInactive, (query) => query.where('is_active', '=', 1));
  const counted = matching.select(({ fn }) => fn.countAll<number>().as('count'));
  const found = matching.selectAll().select(counted.as('total'));
  const rows = await found.orderBy('id').limit(page.limit).offset(page.offset).execute();
  return { total: await totalOf(rows, page.offset, counted), results: rows.map(fromCompanyRow) };
}

async function firmOf({ db }: Session, accountId: number, firmId: number): Promise<Firm | null> {
  const query = db.selectFrom('firms').selectAll().where('account_id', '=', accountId).where('id', '=', firmId);
  const row = await query.executeTakeFirst();
  return row ? fromFirmRow(row) : null;
}

async function companyOf({ db }: Session, owner: ShelfOwner, companyId: number): Promise<Company | null> {
  const onShelf = db.selectFrom('companies').selectAll().where('shelf_id', '=', shelfIdOf(owner));
  const row = await onShelf.where('id', '=', companyId).executeTakeFirst();
  return row ? fromCompanyRow(row) : null;
}

type FirmWrites = Pick<
  Writer,
  'insertFirm' | 'updateFirm' | 'insertCompany' | 'updateCompany' | 'putCatalogSubscription'
>;

export function firmWrites(unit: UnitOfWork): FirmWrites {
  const { db, context } = unit;
  const stampsOfNew = async (owner: ShelfOwner) => ({
    revision: await stamp(unit, owner),
    created_at: context.at,
    updated_at: context.at,
  });
  const stampsOfChange = async (owner: ShelfOwner) => ({ revision: await stamp(unit, owner), updated_at: context.at });
  return {
    insertFirm: changing(unit, async (accountId, terms) => {
      const values = { account_id: accountId, ...toFirmColumns(terms), ...(await stampsOfNew(accountId)) };
      return fromFirmRow(await db.insertInto('firms').values(values).returningAll().executeTakeFirstOrThrow());
    }),
    updateFirm: changing(unit, async (accountId, firmId, terms) => {
      const firm = await firmOf(unit, accountId, firmId);
      const changes = firm && changedColumns(toFirmColumns(firm), toFirmColumns(terms));
      if (!changes) return firm;
      const values = { ...changes, ...(await stampsOfChange(accountId)) };
      const update = db.updateTable('firms').set(values).where('id', '=', firmId).returningAll();
      return fromFirmRow(await update.executeTakeFirstOrThrow());
    }),
    insertCompany: changing(unit, async (owner, terms) => {
      const values = { account_id: accountIdOf(owner), ...toCompanyColumns(terms), ...(await stampsOfNew(owner)) };
      return fromCompanyRow(await db.insertInto('companies').values(values).returningAll().executeTakeFirstOrThrow());
    }),
    updateCompany: changing(unit, async (owner, companyId, terms) => {
      const company = await companyOf(unit, owner, companyId);
      const changes = company && changedColumns(toCompanyColumns(company), toCompanyColumns(terms));
      if (!changes) return company;
      const values = { ...changes, ...(await stampsOfChange(owner)) };
      const update = db.updateTable('companies').set(values).where('id', '=', companyId).returningAll();
      return fromCompanyRow(await update.executeTakeFirstOrThrow());
    }),
    putCatalogSubscription: changing(unit, async (accountId, { firmId, companyId, isSubscribed }) => {
      const decided = { is_subscribed: isSubscribed ? 1 : 0 };
      const known = await db
        .selectFrom('catalog_subscriptions')
        .select(['is_subscribed'])
        .where('account_id', '=', accountId)
        .where('firm_id', '=', firmId)
        .where('company_id', '=', companyId)
        .executeTakeFirst();
      if (known?.is_subscribed === decided.is_subscribed) return;
      const change = { ...decided, revision: await stamp(unit, accountId) };
      await db
        .insertInto('catalog_subscriptions')
        .values({ firm_id: firmId, company_id: companyId, account_id: accountId, ...change })
        // Foreign keys do not check the owner in an update, so the condition includes the account.
        .onConflict((conflict) =>
          conflict
            .columns(['firm_id', 'company_id'])
            .doUpdateSet(change)
            .where('catalog_subscriptions.account_id', '=', accountId),
        )
        .returning('revision')
        .executeTakeFirstOrThrow();
    }),
  };
}

function changedColumns<T extends object>(before: T, after: T): Partial<T> | null {
  const changes: Partial<T> = { ...after };
  for (const [name, value] of Object.entries(before)) {
    if (Reflect.get(after, name) === value) Reflect.deleteProperty(changes, name);
  }
  return Object.keys(changes).length === 0 ? null : changes;
}
