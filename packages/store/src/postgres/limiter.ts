import type { Bucket, BucketState, RateLimiter, TakeResult } from '@tarifario/core/service';
import type pg from 'pg';
import { unavailable } from '../unavailable.ts';

/** How long a call waits for the database before it is refused. */
const ANSWER_MS = 5000;
/** Expired windows are deleted from time to time. They no longer count in any case. */
const SWEEP_EVERY_MS = 600_000;
const SWEEP_SIZE = 10_000;

/** How many points were taken from a bucket, and when its window ends; null without a current window. */
interface Count {
  readonly key: string;
  readonly window_seconds: number;
  readonly used: number | null;
  readonly ends_in_ms: number | null;
  /** Whether there were enough points; only `take_points` returns it. */
  readonly is_accepted?: boolean;
}

/** Keys and windows of the buckets as two arrays: the first two parameters of every statement. */
const ASKED = 'unnest($1::text[], $2::integer[]) as asked (key, seconds)';
const IS_ASKED = 'bucket.key = asked.key and bucket.window_seconds = asked.seconds';

const TAKE = 'select * from take_points($1::text[], $2::integer[], $3::bigint[])';
/**
 * Takes several points: the first under a limit reduced by the others, then the others. The rows stay locked until the
 * end of the statement, so nobody takes a point in between.
 */
const TAKE_SEVERAL = `
  with first as materialized (select * from take_points($1::text[], $2::integer[], $3::bigint[])),
  others as materialized (
    select taken.used
    from (select bool_and(is_accepted) as is_accepted from first) as found,
      lateral generate_series(2, case when found.is_accepted then $4::integer else 1 end) as point,
      lateral take_points($1::text[], $2::integer[], array(select 9000000000000000 + point from unnest($1::text[]))) as taken
  )
  select key, window_seconds, ends_in_ms, is_accepted,
    case when is_accepted and (select count(*) from others) > 0 then used + $4::integer - 1 else used end as used
  from first`;
/** Buckets that were asked for, locked in the order in which `take_points` locks them. */
const heldWhere = (condition: string) => `
  with held as (
    select bucket.key, bucket.window_seconds
    from rate_buckets as bucket join ${ASKED} on ${IS_ASKED}
    where ${condition}
    order by bucket.key, bucket.window_seconds
    for update of bucket
  )`;
const GIVE_BACK = `${heldWhere('bucket.ends_at > clock_timestamp() and bucket.used > 0')}
  update rate_buckets as bucket set used = bucket.used - 1 from held as asked (key, seconds) where ${IS_ASKED}`;
/** Ends windows that end later than they can: the clock has gone back since they began. */
const END_TOO_LONG = `${heldWhere('bucket.ends_at > clock_timestamp() + make_interval(secs => asked.seconds)')}
  delete from rate_buckets as bucket using held as asked (key, seconds) where ${IS_ASKED}`;
const SWEEP = `
  delete from rate_buckets where (key, window_seconds) in (
    select key, window_seconds from rate_buckets where ends_at < clock_timestamp() limit $1 for update skip locked
  )`;

/**
 * A rate limiter shared by all replicas, by the clock of the database. Each call is one round trip, however many
 * buckets it has. If the database cannot be reached it throws DomainError `unavailable`, so that no call goes
 * uncounted.
 *
 * @param options - `report` is called with the real reason of a failure.
 */
export function createPostgresRateLimiter(
  pool: pg.Pool,
  {
    report,
    sweepEveryMs = SWEEP_EVERY_MS,
    sweepSize = SWEEP_SIZE,
  }: { readonly report: (error: unknown) => void; readonly sweepEveryMs?: number; readonly sweepSize?: number },
): RateLimiter {
  let sweptAtMs = performance.now();

  const run = async (text: string, values: readonly unknown[]) => {
    const query = { text, values: [...values], query_timeout: ANSWER_MS };
    try {
      return await pool.query<Count>(query);
    } catch (error) {
      report(error);
      throw unavailable();
    }
  };
  const ask = async (text: string, values: readonly unknown[]): Promise<readonly Count[]> =>
    (await run(text, values)).rows;
  /** Deletes in batches until none is left: unknown keys from many addresses leave more windows than one batch. */
  const sweep = async (): Promise<void> => {
    const { rowCount } = await run(SWEEP, [sweepSize]);
    if (rowCount === sweepSize) await sweep();
  };
  const sweepSometimes = () => {
    if (performance.now() - sweptAtMs < sweepEveryMs) return;
    sweptAtMs = performance.now();
    // A failure is reported; the next sweep tries again.
    sweep().catch(() => undefined);
  };

  return {
    async take(buckets, points = 1) {
      const ceilings = buckets.map((bucket) => bucket.points - (points - 1));
      const parameters = [...placesOf(buckets), ceilings];
      const count = () => (points === 1 ? ask(TAKE, parameters) : ask(TAKE_SEVERAL, [...parameters, points]));
      let counts = await count();
      if (counts.some(isTooLong)) {
        await ask(END_TOO_LONG, placesOf(buckets));
        counts = await count();
      }
      sweepSometimes();
      return { accepted: counts.every((count) => count.is_accepted === true), states: statesOf(buckets, counts) };
    },
    async giveBack(buckets) {
      await ask(GIVE_BACK, placesOf(buckets));
    },
  };
}

function isTooLong({ ends_in_ms: endsInMs, window_seconds: seconds }: Count): boolean {
  return endsInMs !== null && endsInMs > seconds * 1000;
}

function placesOf(buckets: readonly Bucket[]): [keys: readonly string[], windows: readonly number[]] {
  return [buckets.map(({ key }) => key), buckets.map(({ windowSeconds }) => windowSeconds)];
}

function statesOf(buckets: readonly Bucket[], counts: readonly Count[]): TakeResult['states'] {
  return buckets.map((bucket): BucketState => {
    const { key, name, points, windowSeconds } = bucket;
    const count = counts.find((one) => one.key === key && one.window_seconds === windowSeconds);
    const { used, ends_in_ms: endsInMs } = count ?? { used: null, ends_in_ms: null };
    const remaining = Math.max(0, points - (used ?? 0));
    const resetSeconds = endsInMs === null ? windowSeconds : Math.max(1, Math.ceil(endsInMs / 1000));
    return { name, points, windowSeconds, remaining, resetSeconds };
  });
}
