import {
  type Company,
  type CompanyTerms,
  type Firm,
  type FirmTerms,
  foldName,
  type ListScope,
  type Page,
  type Reader,
  type RecordOwner,
  type Writer,
} from '@tarifario/core/service';
import type { Session } from './dialects.ts';
import { pageById } from './pages.ts';
import { CATALOG_SUBSCRIPTION, COMPANY, FIRM } from './rows.ts';
import { accountIdOf, changing, ownerIdOf, stamp, type UnitOfWork } from './unit-of-work.ts';

export function firmReads(session: Session) {
  const { db } = session;
  return {
    firms: (scope, page) => listFirms(session, scope, page),
    firm: (accountId, firmId) => firmOf(session, accountId, firmId),
    companies: (scope, page) => listCompanies(session, scope, page),
    company: (owner, companyId) => companyOf(session, owner, companyId),
    catalogSubscriptions: async (accountId) => {
      const decisions = db.selectFrom('catalog_subscriptions').selectAll().where('account_id', '=', accountId);
      return (await decisions.orderBy('firm_id').orderBy('company_id').execute()).map(CATALOG_SUBSCRIPTION.read);
    },
  } satisfies Partial<Reader>;
}

function listFirms({ db }: Session, { owner, firmId, includeInactive }: ListScope, page: Page) {
  const matching = db
    .selectFrom('firms')
    .selectAll()
    .where('account_id', '=', accountIdOf(owner))
    .$if(firmId !== null, (query) => query.where('id', '=', firmId))
    .$if(!includeInactive, (query) => query.where('is_active', '=', 1));
  return pageById(matching, page, FIRM.read);
}

function listCompanies({ db }: Session, { owner, firmId, includeInactive }: ListScope, page: Page) {
  const matching = db
    .selectFrom('companies')
    .selectAll()
    .where('owner_id', '=', ownerIdOf(owner))
    .$if(firmId !== null, (query) => query.where('firm_id', '=', firmId))
    .$if(!includeInactive, (query) => query.where('is_active', '=', 1));
  return pageById(matching, page, COMPANY.read);
}

async function firmOf({ db }: Session, accountId: number, firmId: number): Promise<Firm | null> {
  const query = db.selectFrom('firms').selectAll().where('account_id', '=', accountId).where('id', '=', firmId);
  const row = await query.executeTakeFirst();
  return row ? FIRM.read(row) : null;
}

async function companyOf({ db }: Session, owner: RecordOwner, companyId: number): Promise<Company | null> {
  const ofOwner = db.selectFrom('companies').selectAll().where('owner_id', '=', ownerIdOf(owner));
  const row = await ofOwner.where('id', '=', companyId).executeTakeFirst();
  return row ? COMPANY.read(row) : null;
}

export function firmWrites(unit: UnitOfWork) {
  const { db, context } = unit;
  const written = async (owner: RecordOwner) => ({
    revision: (await stamp(unit, owner)).revision,
    updated_at: context.at,
  });
  return {
    insertFirm: changing(unit, async (accountId, terms) => {
      const stamps = { created_at: context.at, ...(await written(accountId)) };
      const values = { account_id: accountId, ...toFirmColumns(terms), ...stamps };
      return FIRM.read(await db.insertInto('firms').values(values).returningAll().executeTakeFirstOrThrow());
    }),
    updateFirm: changing(unit, async (accountId, firmId, changes) => {
      const update = db
        .updateTable('firms')
        .set({ ...FIRM.write(changes), ...folded(changes), ...(await written(accountId)) });
      const ofAccount = update.where('account_id', '=', accountId).where('id', '=', firmId);
      return FIRM.read(await ofAccount.returningAll().executeTakeFirstOrThrow());
    }),
    insertCompany: changing(unit, async (owner, terms) => {
      const stamps = { created_at: context.at, ...(await written(owner)) };
      const values = { account_id: accountIdOf(owner), ...toCompanyColumns(terms), ...stamps };
      return COMPANY.read(await db.insertInto('companies').values(values).returningAll().executeTakeFirstOrThrow());
    }),
    updateCompany: changing(unit, async (owner, companyId, changes) => {
      const update = db
        .updateTable('companies')
        .set({ ...COMPANY.write(changes), ...folded(changes), ...(await written(owner)) });
      const ofOwner = update.where('owner_id', '=', ownerIdOf(owner)).where('id', '=', companyId);
      return COMPANY.read(await ofOwner.returningAll().executeTakeFirstOrThrow());
    }),
    putCatalogSubscription: changing(unit, async (accountId, { firmId, companyId, isSubscribed }) => {
      const change = { is_subscribed: isSubscribed ? 1 : 0, revision: (await stamp(unit, accountId)).revision };
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
  } satisfies Partial<Writer>;
}

function toFirmColumns({ name, imageUrl, catalogDefault, isActive }: FirmTerms) {
  return { ...FIRM.write({ name, imageUrl, catalogDefault, isActive }), name_folded: foldName(name) };
}

function toCompanyColumns({ firmId, name, logoUrl, isActive }: CompanyTerms) {
  return { ...COMPANY.write({ firmId, name, logoUrl, isActive }), name_folded: foldName(name) };
}

function folded({ name }: { readonly name?: string }) {
  return name === undefined ? {} : { name_folded: foldName(name) };
}
