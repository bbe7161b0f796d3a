import type {
  CatalogCounts,
  CatalogWrite,
  CatalogWriteTerms,
  Page,
  Reader,
  RecordCount,
  Writer,
} from '@tarifario/core/service';
import { sql } from 'kysely';
import type { Session } from './dialects.ts';
import { CATALOG_WRITE } from './rows.ts';
import type { CatalogAuditRow } from './schema.ts';
import { changing, ownerIdOf, type UnitOfWork } from './unit-of-work.ts';

type CatalogReads = Pick<Reader, 'catalogCounts' | 'catalogWrites'>;

export function catalogReads(session: Session): CatalogReads {
  return {
    catalogCounts: () => catalogCounts(session),
    catalogWrites: (page) => listWrites(session, page),
  };
}

const CATALOG = ownerIdOf('catalog');

async function catalogCounts({ db }: Session): Promise<CatalogCounts> {
  // An aggregate without groups returns one row even if nothing matches, with null as its sum.
  const counts = [sql<number>`count(*)`.as('total'), sql<number>`coalesce(sum(is_active), 0)`.as('active')] as const;
  const companies = db.selectFrom('companies').where('shelf_id', '=', CATALOG).select(counts);
  const offers = db.selectFrom('offers').where('shelf_id', '=', CATALOG).select(counts);
  const months = db
    .selectFrom('monthly_prices')
    .innerJoin('offers', 'offers.id', 'monthly_prices.offer_id')
    .where('offers.shelf_id', '=', CATALOG)
    .select(({ fn }) => fn.countAll<number>().as('total'));
  const counted = async (query: { executeTakeFirstOrThrow(): Promise<RecordCount> }) => {
    const { total, active } = await query.executeTakeFirstOrThrow();
    return { total, active };
  };
  return {
    companies: await counted(companies),
    offers: await counted(offers),
    months: (await months.executeTakeFirstOrThrow()).total,
  };
}

async function listWrites({ db }: Session, page: Page) {
  const audit = db.selectFrom('catalog_audit');
  const { total } = await audit.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await audit.selectAll().orderBy('id').limit(page.limit).offset(page.offset).execute();
  return { total, results: rows.map(readWrite) };
}

export function catalogWrites(unit: UnitOfWork): Pick<Writer, 'recordCatalogWrite'> {
  return { recordCatalogWrite: changing(unit, (terms) => recordCatalogWrite(unit, terms)) };
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
