import {
  assert,
  type Reader,
  type UsageBatch,
  type UsageEntry,
  type UsagePage,
  type UsageQuery,
  type UsageRecord,
  type UsageSummary,
  type Writes,
} from '@tarifario/core/service';
import { sql } from 'kysely';
import { inChunks, pause } from './chunks.ts';
import type { Session } from './dialects.ts';
import { recordCodec } from './record-codec.ts';
import { createResponseTimes } from './response-times.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/**
 * How many calls one query reads before other work may run: 10 000 take a few milliseconds. `usage_slices` has the bounds
 * of as many.
 */
const SLICE_SIZE = 10_000;
/** How many calls one statement deletes. */
const DELETION_SIZE = 1000;

export function usageReads(session: Session): Reader['usage'] {
  return {
    list: (query, page) => listUsage(session, query, page),
    summary: (query) => summarise(session, query),
  };
}

/** A range of call numbers, both included. */
interface Slice {
  readonly first: number;
  readonly last: number;
}

interface Walk {
  readonly order: 'asc' | 'desc';
  readonly work: (slice: Slice) => Promise<void>;
}

/**
 * Runs `work` over the calls of an account in order, slice by slice, skipping slices outside the bounds of the query.
 */
async function eachSlice({ db }: Session, { accountId, from, to }: UsageQuery, { order, work }: Walk): Promise<void> {
  const slices = await db
    .selectFrom('usage_slices')
    .select('slice')
    .where('account_id', '=', accountId)
    .$if(from !== null, (within) => within.where('last_at', '>=', from ?? ''))
    .$if(to !== null, (within) => within.where('first_at', '<=', to ?? ''))
    .orderBy('slice', order)
    .execute();
  for (const { slice } of slices) {
    const first = slice * SLICE_SIZE;
    await work({ first, last: first + SLICE_SIZE - 1 });
    await pause();
  }
}

/** The number of an endpoint; 0, which no call has, for one that was never called. */
async function endpointIdOf({ db }: Session, endpoint: string): Promise<number> {
  const stored = db.selectFrom('usage_endpoints').select('id').where('endpoint', '=', endpoint);
  return (await stored.executeTakeFirst())?.id ?? 0;
}

/** A query for the matching calls of a slice, without columns. */
async function matching(session: Session, query: UsageQuery) {
  const { accountId, firmId, endpoint, statusCode, from, to } = query;
  const endpointId = endpoint === null ? null : await endpointIdOf(session, endpoint);
  return ({ first, last }: Slice) =>
    session.db
      .selectFrom('usage_log')
      .where('account_id', '=', accountId)
      .where('usage_log.id', '>=', first)
      .where('usage_log.id', '<=', last)
      .$if(firmId !== null, (calls) => calls.where('firm_id', '=', firmId))
      .$if(endpointId !== null, (calls) => calls.where('endpoint_id', '=', endpointId ?? 0))
      .$if(statusCode !== null, (calls) => calls.where('status_code', '=', statusCode ?? 0))
      .$if(from !== null, (calls) => calls.where('created_at', '>=', from ?? ''))
      .$if(to !== null, (calls) => calls.where('created_at', '<=', to ?? ''));
}

async function listUsage(session: Session, query: UsageQuery, { limit, offset, order = 'asc' }: UsagePage) {
  const callsIn = await matching(session, query);
  const results: UsageRecord[] = [];
  let total = 0;
  const work = async (slice: Slice) => {
    const calls = callsIn(slice);
    const { count } = await calls.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
    const skipped = Math.max(0, offset - total);
    const missing = limit - results.length;
    if (skipped < count && missing > 0) {
      const rows = await calls
        .innerJoin('usage_endpoints', 'usage_endpoints.id', 'endpoint_id')
        .selectAll('usage_log')
        .select('endpoint')
        .orderBy('usage_log.id', order)
        .limit(missing)
        .offset(skipped)
        .execute();
      results.push(...rows.map(CALL.read));
    }
    total += count;
  };
  await eachSlice(session, query, { order, work });
  return { total, results };
}

async function summarise(session: Session, query: UsageQuery): Promise<UsageSummary> {
  const callsIn = await matching(session, query);
  const times = createResponseTimes();
  const callsOf = new Map<number, number>();
  let totalCalls = 0;
  const work = async (slice: Slice) => {
    // Grouping here is faster than in the database, which would sort.
    const calls = await callsIn(slice).select(['endpoint_id', 'response_time_ms']).execute();
    for (const call of calls) {
      callsOf.set(call.endpoint_id, (callsOf.get(call.endpoint_id) ?? 0) + 1);
      times.add(call.response_time_ms);
    }
    totalCalls += calls.length;
  };
  await eachSlice(session, query, { order: 'asc', work });
  const endpoints = await session.db
    .selectFrom('usage_endpoints')
    .selectAll()
    .where((eb) => session.dialect.isAnyOf(eb.ref('id'), [...callsOf.keys()]))
    .execute();
  const callsByEndpoint = endpoints
    .map(({ id, endpoint }) => ({ endpoint, calls: callsOf.get(id) ?? 0 }))
    .sort((a, b) => b.calls - a.calls || (a.endpoint < b.endpoint ? -1 : 1));
  return { totalCalls, callsByEndpoint, p95ResponseTimeMs: times.p95() };
}

const CALL = recordCodec<UsageRecord>()({
  plain: ['id', 'accountId', 'firmId', 'endpoint', 'method', 'statusCode', 'responseTimeMs', 'createdAt'],
});

export function usageWrites(unit: UnitOfWork): Writes['usage'] {
  return {
    insert: (entries, batch) => insertUsage(unit, entries, batch),
    deleteBefore: (instant, limit) => deleteUsageBefore(unit, instant, limit),
  };
}

async function insertUsage(unit: UnitOfWork, entries: readonly UsageEntry[], batch?: UsageBatch): Promise<void> {
  if (batch && !(await isNew(unit, batch))) return;
  const endpointIds = await endpointIdsOf(unit, new Set(entries.map(({ endpoint }) => endpoint)));
  const nextIds = new Map<number, number>();
  for (const [accountId, { length }] of Map.groupBy(entries, (entry) => entry.accountId)) {
    nextIds.set(accountId, await firstOf(unit, accountId, length));
  }
  const rows = entries.map((entry) => {
    const id = nextIds.get(entry.accountId) ?? 0;
    nextIds.set(entry.accountId, id + 1);
    assert(Number.isFinite(entry.responseTimeMs), 'a response time is finite');
    const { endpoint, ...call } = entry;
    return { ...CALL.write({ ...call, id }), endpoint_id: endpointIds.get(endpoint) ?? 0 };
  });
  await inChunks(unit.dialect, rows, async (chunk) => {
    await unit.insertRows('usage_log', chunk);
    return [];
  });
  const slices = Map.groupBy(rows, ({ account_id, id }) => `${account_id} ${Math.floor(id / SLICE_SIZE)}`);
  for (const calls of slices.values()) await widenSlice(unit, calls);
}

/** Stores the bounds of a slice so that they include some calls of it. */
async function widenSlice(
  { db }: UnitOfWork,
  calls: readonly { readonly account_id: number; readonly id: number; readonly created_at: string }[],
): Promise<void> {
  const [{ account_id, id } = { account_id: 0, id: 0 }] = calls;
  const times = calls.map(({ created_at }) => created_at).sort();
  const [first_at = '', last_at = ''] = [times[0], times.at(-1)];
  await db
    .insertInto('usage_slices')
    .values({ account_id, slice: Math.floor(id / SLICE_SIZE), first_at, last_at })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'slice']).doUpdateSet({
        first_at: sql`case when excluded.first_at < usage_slices.first_at then excluded.first_at else usage_slices.first_at end`,
        last_at: sql`case when excluded.last_at > usage_slices.last_at then excluded.last_at else usage_slices.last_at end`,
      }),
    )
    .execute();
}

/** Records the number of a batch; `false`: the batch was recorded before. */
async function isNew({ db, context }: UnitOfWork, { log, number }: UsageBatch): Promise<boolean> {
  const noted = { last_number: number, written_at: context.at };
  const row = await db
    .insertInto('usage_batches')
    .values({ log, ...noted })
    .onConflict((conflict) =>
      conflict.column('log').doUpdateSet(noted).where(sql.ref('usage_batches.last_number'), '<', number),
    )
    .returning('log')
    .executeTakeFirst();
  return row !== undefined;
}

async function endpointIdsOf(unit: UnitOfWork, endpoints: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const endpoint of endpoints) {
    const stored = await endpointIdOf(unit, endpoint);
    const id = stored === 0 ? await insertEndpoint(unit, endpoint) : stored;
    ids.set(endpoint, id);
  }
  return ids;
}

async function insertEndpoint({ db }: UnitOfWork, endpoint: string): Promise<number> {
  const row = await db.insertInto('usage_endpoints').values({ endpoint }).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

/** Reserves numbers for calls of an account. @returns The first of them. */
async function firstOf({ db }: UnitOfWork, accountId: number, count: number): Promise<number> {
  const { last_id } = await db
    .insertInto('usage_numbers')
    .values({ account_id: accountId, last_id: count })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ last_id: sql<number>`usage_numbers.last_id + excluded.last_id` }),
    )
    .returning('last_id')
    .executeTakeFirstOrThrow();
  return last_id - count + 1;
}

async function deleteUsageBefore({ db }: UnitOfWork, instant: string, limit: number): Promise<number> {
  for (let deleted = 0; ; ) {
    const size = Math.min(DELETION_SIZE, limit - deleted);
    if (size <= 0) return deleted;
    const oldest = db
      .selectFrom('usage_log')
      .select(['account_id', 'id'])
      .where('created_at', '<', instant)
      .orderBy('created_at')
      .orderBy('account_id')
      .orderBy('id')
      .limit(size);
    const { numDeletedRows } = await db
      .deleteFrom('usage_log')
      .where(({ eb, refTuple }) => eb(refTuple('account_id', 'id'), 'in', oldest.$asTuple('account_id', 'id')))
      .executeTakeFirstOrThrow();
    deleted += Number(numDeletedRows);
    if (Number(numDeletedRows) < size) {
      await db.deleteFrom('usage_batches').where('written_at', '<', instant).execute();
      await db.deleteFrom('usage_slices').where('last_at', '<', instant).execute();
      return deleted;
    }
    await pause();
  }
}
