import type { CatalogWrite, CatalogWriteTerms, Page, Reader, Writes } from '@tarifario/core/service';
import type { Session } from './dialects.ts';
import { CATALOG_SUBSCRIPTION, CATALOG_WRITE } from './rows.ts';
import type { CatalogAuditRow } from './schema.ts';
import { stamp, type UnitOfWork } from './unit-of-work.ts';

export function catalogReads(session: Session): Reader['catalog'] {
  return {
    writes: (page) => listWrites(session, page),
    subscriptions: async (accountId) => {
      const decisions = session.db.selectFrom('catalog_subscriptions').selectAll().where('account_id', '=', accountId);
      return (await decisions.orderBy('firm_id').orderBy('company_id').execute()).map(CATALOG_SUBSCRIPTION.read);
    },
  };
}

async function listWrites({ db }: Session, page: Page) {
  const audit = db.selectFrom('catalog_audit');
  const { total } = await audit.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await audit.selectAll().orderBy('id').limit(page.limit).offset(page.offset).execute();
  return { total, results: rows.map(readWrite) };
}

export function catalogWrites(unit: UnitOfWork): Writes['catalog'] {
  return {
    putSubscription: async (accountId, { firmId, companyId, isSubscribed }) => {
      const change = { is_subscribed: isSubscribed ? 1 : 0, revision: (await stamp(unit, accountId)).revision };
      await unit.db
        .insertInto('catalog_subscriptions')
        .values({ firm_id: firmId, company_id: companyId, account_id: accountId, ...change })
        .onConflict((conflict) => conflict.columns(['account_id', 'firm_id', 'company_id']).doUpdateSet(change))
        .execute();
    },
    recordWrite: (terms) => recordCatalogWrite(unit, terms),
  };
}

function readWrite(row: CatalogAuditRow): CatalogWrite {
  const counts = { before: JSON.parse(row.counts_before), after: JSON.parse(row.counts_after) };
  return { ...CATALOG_WRITE.read(row), ...counts };
}

async function recordCatalogWrite(
  { db, context }: UnitOfWork,
  { before, after, ...terms }: CatalogWriteTerms,
): Promise<void> {
  await db
    .insertInto('catalog_audit')
    .values({
      ...CATALOG_WRITE.write({ ...terms, keyId: context.keyId, at: context.at }),
      counts_before: JSON.stringify(before),
      counts_after: JSON.stringify(after),
    })
    .execute();
}
