import type {
  CountScope,
  OfferCount,
  Reader,
  RecordCount,
  RecordCounts,
  SupplyType,
  UploadStatus,
} from '@tarifario/core';
import { sql } from 'kysely';
import type { Session } from './dialects.ts';
import { shelfIdOf } from './unit-of-work.ts';

export function countReads(session: Session): Pick<Reader, 'recordCounts'> {
  return { recordCounts: (scope) => recordCounts(session, scope) };
}

const NO_OFFERS: OfferCount = { total: 0, active: 0, indexed: 0 };
const NO_RECORDS: RecordCount = { total: 0, active: 0 };

async function recordCounts(session: Session, scope: CountScope): Promise<RecordCounts> {
  const rows = await countRows(session, scope);
  const offers = (supplyType: SupplyType): OfferCount => {
    const row = rows.find(({ kind }) => kind === supplyType);
    return row ? { total: row.total, active: row.active, indexed: row.indexed } : NO_OFFERS;
  };
  const records = (table: string): RecordCount => {
    const row = rows.find(({ kind }) => kind === table);
    return row ? { total: row.total, active: row.active } : NO_RECORDS;
  };
  const uploads = (status: UploadStatus) => rows.find(({ kind }) => kind === status)?.total ?? 0;
  return {
    offers: { LUZ: offers('LUZ'), GAS: offers('GAS') },
    firms: records('firms'),
    companies: records('companies'),
    uploads: {
      pending: uploads('pending'),
      processing: uploads('processing'),
      completed: uploads('completed'),
      failed: uploads('failed'),
      cancelled: uploads('cancelled'),
    },
  };
}

interface CountRow {
  /** A supply type, a table, or a status of uploads: the names differ. */
  readonly kind: string;
  readonly total: number;
  readonly active: number;
  readonly indexed: number;
}

async function countRows({ db }: Session, { accountId, firmId }: CountScope): Promise<readonly CountRow[]> {
  const total = sql<number>`count(*)`.as('total');
  const none = sql<number>`0`;
  const offers = db
    .selectFrom('offers')
    .where('shelf_id', '=', shelfIdOf(accountId))
    .$if(firmId !== null, (query) =>
      query.where('company_id', 'in', db.selectFrom('companies').select('id').where('firm_id', '=', firmId)),
    )
    .groupBy('supply_type')
    .select(({ fn }) => [
      sql<string>`supply_type`.as('kind'),
      total,
      fn.sum<number>('is_active').as('active'),
      sql<number>`sum(is_active * is_indexed)`.as('indexed'),
    ]);
  // An aggregate without groups has one row also when nothing matches, and the sum of nothing is null.
  const active = sql<number>`coalesce(sum(is_active), 0)`.as('active');
  const firms = db
    .selectFrom('firms')
    .where('account_id', '=', accountId)
    .$if(firmId !== null, (query) => query.where('id', '=', firmId))
    .select([sql<string>`'firms'`.as('kind'), total, active, none.as('indexed')]);
  const companies = db
    .selectFrom('companies')
    .where('account_id', '=', accountId)
    .$if(firmId !== null, (query) => query.where('firm_id', '=', firmId))
    .select([sql<string>`'companies'`.as('kind'), total, active, none.as('indexed')]);
  const uploads = db
    .selectFrom('uploads')
    .where('account_id', '=', accountId)
    .$if(firmId !== null, (query) => query.where('firm_id', '=', firmId))
    .groupBy('status')
    .select([sql<string>`status`.as('kind'), total, none.as('active'), none.as('indexed')]);
  return await offers.unionAll(firms).unionAll(companies).unionAll(uploads).execute();
}
