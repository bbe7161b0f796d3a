import type { Bucket, BucketState, RateLimiter, Taken } from '@tarifario/core';

/** A window that has begun: with the first point that was taken from its bucket. */
interface Window {
  takenPoints: number;
  readonly endsAtMs: number;
}

/** Windows that are kept before those that have ended are looked for. */
const MIN_WINDOWS = 1000;

/** The windows of one length, by the keys of their buckets. */
function createWindows(windowSeconds: number) {
  const windows = new Map<string, Window>();
  let sweepAtSize = MIN_WINDOWS;
  const lengthMs = windowSeconds * 1000;
  const underWay = (key: string, nowMs: number): Window | null => {
    const window = windows.get(key);
    const leftMs = (window?.endsAtMs ?? nowMs) - nowMs;
    // A clock that was set back makes no window longer.
    return window && leftMs > 0 && leftMs <= lengthMs ? window : null;
  };
  const begin = (key: string, nowMs: number): Window => {
    if (windows.size >= sweepAtSize) {
      for (const [old, { endsAtMs }] of windows) if (endsAtMs <= nowMs) windows.delete(old);
      sweepAtSize = Math.max(MIN_WINDOWS, 2 * windows.size);
    }
    const window = { takenPoints: 0, endsAtMs: nowMs + lengthMs };
    windows.set(key, window);
    return window;
  };
  return { underWay, begin };
}

/**
 * A limiter that counts in this process's memory: right for one process. What it does is done when it returns, so
 * nothing comes between the look at several buckets and the points taken from them.
 */
export function createMemoryRateLimiter(): RateLimiter {
  const byLength = new Map<number, ReturnType<typeof createWindows>>();
  const windowsOf = ({ windowSeconds }: Bucket) => {
    const known = byLength.get(windowSeconds);
    if (known) return known;
    const made = createWindows(windowSeconds);
    byLength.set(windowSeconds, made);
    return made;
  };
  // The points stand in the bucket, not in the window: a changed ceiling holds for the window under way.
  const stateOf = (bucket: Bucket, nowMs: number): BucketState => {
    const { key, name, points, windowSeconds } = bucket;
    const window = windowsOf(bucket).underWay(key, nowMs);
    const remaining = window ? Math.max(0, points - window.takenPoints) : points;
    const resetSeconds = window ? Math.max(1, Math.ceil((window.endsAtMs - nowMs) / 1000)) : windowSeconds;
    return { name, points, windowSeconds, remaining, resetSeconds };
  };
  const look = (buckets: readonly Bucket[], asked: number, nowMs: number): Taken => {
    const states = buckets.map((bucket) => stateOf(bucket, nowMs));
    return { accepted: states.every(({ remaining }) => remaining >= asked), states };
  };

  return {
    async take(buckets, asked = 1) {
      const nowMs = Date.now();
      const found = look(buckets, asked, nowMs);
      if (!found.accepted) return found;
      for (const bucket of buckets) {
        const windows = windowsOf(bucket);
        const window = windows.underWay(bucket.key, nowMs) ?? windows.begin(bucket.key, nowMs);
        window.takenPoints += asked;
      }
      return { accepted: true, states: buckets.map((bucket) => stateOf(bucket, nowMs)) };
    },
    look: async (buckets) => look(buckets, 1, Date.now()),
    async giveBack(buckets) {
      const nowMs = Date.now();
      for (const bucket of buckets) {
        const window = windowsOf(bucket).underWay(bucket.key, nowMs);
        // A window that has ended, or that nothing was taken from, would have more than its points.
        if (window && window.takenPoints > 0) window.takenPoints -= 1;
      }
    },
  };
}
