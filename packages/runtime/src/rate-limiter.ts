import type { Bucket, BucketState, RateLimiter } from '@tarifario/core/service';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

/**
 * A rate limiter in memory, for an installation of one process. The library counts and ends the windows. Taking from
 * several buckets, all or none, is decided here, one call after the other, because the library cannot do it (its union
 * takes from the other buckets when one refuses).
 */
export function createMemoryRateLimiter(): RateLimiter {
  const counters = new Map<number, RateLimiterMemory>();
  const counterOf = ({ windowSeconds }: Bucket) => {
    // The number of points comes from the bucket, not from the counter, so a changed ceiling applies to the current
    // window.
    const counter = counters.get(windowSeconds) ?? new RateLimiterMemory({ points: 1, duration: windowSeconds });
    counters.set(windowSeconds, counter);
    return counter;
  };
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  };

  const statesOf = (buckets: readonly Bucket[], counts: readonly (RateLimiterRes | null)[]) =>
    buckets.map((bucket, index) => stateOf(bucket, counts[index] ?? null));

  return {
    take: (buckets, points = 1) =>
      inTurn(async () => {
        const before = await Promise.all(buckets.map((bucket) => counterOf(bucket).get(bucket.key)));
        const states = statesOf(buckets, before);
        if (states.some(({ remaining }) => remaining < points)) return { accepted: false, states };
        const counts = await Promise.all(buckets.map((bucket) => counterOf(bucket).penalty(bucket.key, points)));
        return { accepted: true, states: statesOf(buckets, counts) };
      }),
    giveBack: (buckets) =>
      inTurn(async () => {
        await Promise.all(
          buckets.map(async (bucket) => {
            const count = await counterOf(bucket).get(bucket.key);
            // Without this, a window that has ended or was not used could get more than its points.
            if (count !== null && count.consumedPoints > 0) await counterOf(bucket).reward(bucket.key, 1);
          }),
        );
      }),
  };
}

function stateOf(bucket: Bucket, count: RateLimiterRes | null): BucketState {
  const { name, points, windowSeconds } = bucket;
  const remaining = Math.max(0, points - (count?.consumedPoints ?? 0));
  // The library ends a window by a timer, but computes the remaining time from the clock, which may have been set back.
  const leftSeconds = count ? Math.ceil(count.msBeforeNext / 1000) : windowSeconds;
  const resetSeconds = Math.min(windowSeconds, Math.max(1, leftSeconds));
  return { name, points, windowSeconds, remaining, resetSeconds };
}
