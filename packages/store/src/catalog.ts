import type { CatalogWrite, CatalogWriteTerms, Page, Reader, Writer } from '@tarifario/core/service';
import type { Session } from './dialects.ts';
import { CATALOG_WRITE } from './rows.ts';
import type { CatalogAuditRow } from './schema.ts';
import { changing, type UnitOfWork } from './unit-of-work.ts';

export function catalogReads(session: Session) {
  return { catalogWrites: (page) => listWrites(session, page) } satisfies Partial<Reader>;
}

async function listWrites({ db }: Session, page: Page) {
  const audit = db.selectFrom('catalog_audit');
  const { total } = await audit.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await audit.selectAll().orderBy('id').limit(page.limit).offset(page.offset).execute();
  return { total, results: rows.map(readWrite) };
}

export function catalogWrites(unit: UnitOfWork) {
  return { recordCatalogWrite: changing(unit, (terms) => recordCatalogWrite(unit, terms)) } satisfies Partial<Writer>;
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
