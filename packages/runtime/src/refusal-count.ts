import type { RateLimiter } from '@tarifario/core/service';

/** A rate limiter that counts the calls it refused, by the names of the limits that were reached. */
export function countRefusals(limiter: RateLimiter): {
  readonly limiter: RateLimiter;
  readonly refusals: ReadonlyMap<string, number>;
} {
  const refusals = new Map<string, number>();
  const take: RateLimiter['take'] = async (buckets, points = 1) => {
    const taken = await limiter.take(buckets, points);
    const empty = taken.accepted ? [] : taken.states.filter(({ remaining }) => remaining < points);
    for (const { name } of empty) refusals.set(name, (refusals.get(name) ?? 0) + 1);
    return taken;
  };
  return { limiter: { ...limiter, take }, refusals };
}
