import {
  type CountScope,
  type FullestAccount,
  type OfferCount,
  type Reader,
  type RecordCount,
  type RecordCounts,
  type RecordOwner,
  UPLOAD_STATUSES,
} from '@tarifario/core/service';
import { sql } from 'kysely';
import type { Session } from './dialects.ts';
import { eachRange, offersIn } from './offer-ranges.ts';
import { accountIdOf, ownerIdOf } from './unit-of-work.ts';

export function countReads(session: Session): Reader['counts'] {
  return {
    records: (scope) => recordCounts(session, scope),
    activeOffers: (owner) => activeOfferCount(session, owner),
    totals: async (owner) => {
      const counted = session.db.selectFrom('revisions').select(['companies', 'offers', 'months']);
      const row = await counted.where('owner_id', '=', ownerIdOf(owner)).executeTakeFirst();
      return row ?? { companies: 0, offers: 0, months: 0 };
    },
    stored: async (owner) => {
      const stored = session.db
        .selectFrom('stored_bytes')
        .select(['history as historyBytes', 'proposals as proposalsBytes']);
      const row = await stored.where('owner_id', '=', ownerIdOf(owner)).executeTakeFirst();
      return row ?? { historyBytes: 0, proposalsBytes: 0 };
    },
    fullest: () => fullestAccounts(session),
  };
}

/** Accounts with one plan and the same quotas are one row. */
async function fullestAccounts({ db }: Session): Promise<readonly FullestAccount[]> {
  const quotas = ['history_quota', 'proposals_quota'] as const;
  const rows = await db
    .selectFrom('stored_bytes')
    .leftJoin('subscriptions', (join) => join.onRef('account_id', '=', 'owner_id').on('status', '=', 'active'))
    .where('owner_id', '<>', 0)
    .groupBy(['plan', ...quotas])
    .select(['plan', ...quotas])
    .select(({ fn }) => [
      fn.max<number>('history').as('historyBytes'),
      fn.max<number>('proposals').as('proposalsBytes'),
    ])
    .execute();
  return rows.map(({ plan, history_quota, proposals_quota, ...stored }) => ({
    stored,
    plan: plan ?? 'free',
    quotas: {
      ...(history_quota !== null && { historyBytes: history_quota }),
      ...(proposals_quota !== null && { proposalsBytes: proposals_quota }),
    },
  }));
}

async function activeOfferCount(session: Session, owner: RecordOwner): Promise<number> {
  const inRange = await offersIn(session, owner, null);
  let active = 0;
  await eachRange(session, owner, async (range) => {
    const counted = inRange(range).where('is_active', '=', 1);
    active += (await counted.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count;
    return true;
  });
  return active;
}

const NO_OFFERS: OfferCount = { total: 0, active: 0, indexed: 0 };
const NO_RECORDS: RecordCount = { total: 0, active: 0 };

async function recordCounts(session: Session, scope: CountScope): Promise<RecordCounts> {
  const offers = await offerCounts(session, scope);
  const rows = await countRows(session, scope);
  const records = (name: string): RecordCount => {
    const row = rows.find(({ kind }) => kind === name);
    return row ? { total: row.total, active: row.active } : NO_RECORDS;
  };
  const uploads = UPLOAD_STATUSES.map((status) => [status, records(status).total]);
  return {
    offers,
    firms: records('firms'),
    companies: records('companies'),
    uploads: Object.fromEntries(uploads) as RecordCounts['uploads'],
  };
}

async function offerCounts(session: Session, { owner, firmId }: CountScope): Promise<RecordCounts['offers']> {
  const counts = { LUZ: NO_OFFERS, GAS: NO_OFFERS };
  const inRange = await offersIn(session, owner, firmId);
  await eachRange(session, owner, async (range) => {
    const rows = await inRange(range)
      .groupBy('supply_type')
      .select(({ fn }) => [
        'supply_type',
        fn.countAll<number>().as('total'),
        fn.sum<number>('is_active').as('active'),
        sql<number>`sum(is_active * is_indexed)`.as('indexed'),
      ])
      .execute();
    for (const { supply_type, total, active, indexed } of rows) {
      const sum = counts[supply_type];
      counts[supply_type] = {
        total: sum.total + total,
        active: sum.active + active,
        indexed: sum.indexed + indexed,
      };
    }
    return true;
  });
  return counts;
}

interface CountRow {
  /** The name of a table, or a status of uploads; no two are the same. */
  readonly kind: string;
  readonly total: number;
  readonly active: number;
}

async function countRows({ db }: Session, { owner, firmId }: CountScope): Promise<readonly CountRow[]> {
  const total = sql<number>`count(*)`.as('total');
  // An aggregate without groups returns one row even if nothing matches, with null as its sum.
  const active = sql<number>`coalesce(sum(is_active), 0)`.as('active');
  const firms = db
    .selectFrom('firms')
    .where('account_id', '=', accountIdOf(owner))
    .$if(firmId !== null, (query) => query.where('id', '=', firmId))
    .select([sql<string>`'firms'`.as('kind'), total, active]);
  const companies = db
    .selectFrom('companies')
    .where('owner_id', '=', ownerIdOf(owner))
    .$if(firmId !== null, (query) => query.where('firm_id', '=', firmId))
    .select([sql<string>`'companies'`.as('kind'), total, active]);
  const uploads = db
    .selectFrom('uploads')
    .where('account_id', '=', accountIdOf(owner))
    .$if(firmId !== null, (query) => query.where('firm_id', '=', firmId))
    .groupBy('status')
    .select([sql<string>`status`.as('kind'), total, sql<number>`0`.as('active')]);
  return await firms.unionAll(companies).unionAll(uploads).execute();
}
