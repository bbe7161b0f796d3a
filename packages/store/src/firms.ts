import {
  type Company,
  type CompanyTerms,
  type FirmTerms,
  foldName,
  type ListScope,
  type Page,
  type Reader,
  type RecordOwner,
  type Writes,
} from '@tarifario/core/service';
import type { Session } from './dialects.ts';
import { pageById } from './pages.ts';
import { COMPANY, FIRM } from './rows.ts';
import { accountIdOf, addToCount, ownerIdOf, stamp, type UnitOfWork } from './unit-of-work.ts';

export function firmReads(session: Session): Reader['firms'] {
  return {
    list: (scope, page) => listFirms(session, scope, page),
    get: async (accountId, firmId) => {
      const row = await firmOf(session, accountId, firmId).select(FIRM.columns).executeTakeFirst();
      return row ? FIRM.read(row) : null;
    },
    detail: async (accountId, firmId) => {
      const row = await firmOf(session, accountId, firmId)
        .select(FIRM.columns)
        .select(['logo', 'contact'])
        .executeTakeFirst();
      return row ? { ...FIRM.read(row), logo: row.logo, contact: row.contact } : null;
    },
  };
}

export function companyReads(session: Session): Reader['companies'] {
  return {
    list: (scope, page) => listCompanies(session, scope, page),
    get: (owner, companyId) => companyOf(session, owner, companyId),
  };
}

function listFirms({ db }: Session, { owner, firmId, includeInactive }: ListScope, page: Page) {
  const matching = db
    .selectFrom('firms')
    .select(FIRM.columns)
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

function firmOf({ db }: Session, accountId: number, firmId: number) {
  return db.selectFrom('firms').where('account_id', '=', accountId).where('id', '=', firmId);
}

async function companyOf({ db }: Session, owner: RecordOwner, companyId: number): Promise<Company | null> {
  const ofOwner = db.selectFrom('companies').selectAll().where('owner_id', '=', ownerIdOf(owner));
  const row = await ofOwner.where('id', '=', companyId).executeTakeFirst();
  return row ? COMPANY.read(row) : null;
}

async function written(unit: UnitOfWork, owner: RecordOwner) {
  return { revision: (await stamp(unit, owner)).revision, updated_at: unit.context.at };
}

export function firmWrites(unit: UnitOfWork): Writes['firms'] {
  const { db, context } = unit;
  return {
    insert: async (accountId, terms) => {
      const stamps = { created_at: context.at, ...(await written(unit, accountId)) };
      const { logo = null, contact = null } = terms;
      const values = { account_id: accountId, ...toFirmColumns(terms), logo, contact, ...stamps };
      const insert = db.insertInto('firms').values(values).returning(FIRM.columns);
      return FIRM.read(await insert.executeTakeFirstOrThrow());
    },
    update: async (accountId, firmId, { logo, contact, ...changes }) => {
      const letterhead = { ...(logo !== undefined && { logo }), ...(contact !== undefined && { contact }) };
      const values = { ...FIRM.write(changes), ...folded(changes), ...letterhead };
      const update = db.updateTable('firms').set({ ...values, ...(await written(unit, accountId)) });
      const ofAccount = update.where('account_id', '=', accountId).where('id', '=', firmId);
      return FIRM.read(await ofAccount.returning(FIRM.columns).executeTakeFirstOrThrow());
    },
  };
}

export function companyWrites(unit: UnitOfWork): Writes['companies'] {
  const { db, context } = unit;
  return {
    insert: async (owner, terms) => {
      const stamps = { created_at: context.at, ...(await written(unit, owner)) };
      const values = {
        account_id: accountIdOf(owner),
        owner_id: ownerIdOf(owner),
        ...toCompanyColumns(terms),
        ...stamps,
      };
      const row = await db.insertInto('companies').values(values).returningAll().executeTakeFirstOrThrow();
      await addToCount(unit, owner, 'companies', 1);
      return COMPANY.read(row);
    },
    update: async (owner, companyId, changes) => {
      const update = db
        .updateTable('companies')
        .set({ ...COMPANY.write(changes), ...folded(changes), ...(await written(unit, owner)) });
      const ofOwner = update.where('owner_id', '=', ownerIdOf(owner)).where('id', '=', companyId);
      return COMPANY.read(await ofOwner.returningAll().executeTakeFirstOrThrow());
    },
  };
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
