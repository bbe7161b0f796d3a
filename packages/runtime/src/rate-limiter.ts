import type { Bucket, BucketState, RateLimiter, Taken } from '@tarifario/core';

/** Points that were taken from a bucket since its window began. */
interface Window {
  taken: number;
  readonly endsAtMs: number;
}

/** Windows that have ended are looked for when so many are kept, and again when twice as many are left. */
const FEW_WINDOWS = 1024;

/**
 * A limiter that counts in this process's memory: right for one process. A window begins with the first point that is
 * taken. What is done happens at once, so no two calls can take the same point.
 */
export function createMemoryRateLimiter(): RateLimiter {
  const windows = new Map<string, Window>();
  let many = FEW_WINDOWS;

  const forgetEnded = (nowMs: number) => {
    for (const [name, { endsAtMs }] of windows) if (endsAtMs <= nowMs) windows.delete(name);
    many = Math.max(FEW_WINDOWS, 2 * windows.size);
  };

  const openAt = (nowMs: number, bucket: Bucket): Window | null => {
    const window = windows.get(nameOf(bucket));
    return window !== undefined && window.endsAtMs > nowMs ? window : null;
  };

  const look = (nowMs: number, buckets: readonly Bucket[], asked: number): Taken => {
    const states = buckets.map((bucket) => stateOf(bucket, openAt(nowMs, bucket), nowMs));
    return { accepted: states.every(({ remaining }) => remaining >= asked), states };
  };

  return {
    take: async (buckets, asked = 1) => {
      const nowMs = performance.now();
      const found = look(nowMs, buckets, asked);
      if (!found.accepted) return found;
      const states = buckets.map((bucket) => {
        const open = openAt(nowMs, bucket);
        const window = open ?? { taken: 0, endsAtMs: nowMs + 1000 * bucket.windowSeconds };
        window.taken += asked;
        if (!open) windows.set(nameOf(bucket), window);
        return stateOf(bucket, window, nowMs);
      });
      if (windows.size > many) forgetEnded(nowMs);
      return { accepted: true, states };
    },
    look: async (buckets) => look(performance.now(), buckets, 1),
    giveBack: async (buckets) => {
      const nowMs = performance.now();
      for (const bucket of buckets) {
        const window = openAt(nowMs, bucket);
        // A window that nothing was taken from would have more than its points.
        if (window && window.taken > 0) window.taken -= 1;
      }
    },
  };
}

/** Buckets of one key with other windows share no points. */
function nameOf({ key, windowSeconds }: Bucket): string {
  return `${windowSeconds} ${key}`;
}

function stateOf({ name, points, windowSeconds }: Bucket, window: Window | null, nowMs: number): BucketState {
  // The points stand in the bucket, not in the window: a changed ceiling holds for the window under way.
  const remaining = Math.max(0, points - (window?.taken ?? 0));
  const resetSeconds = window ? Math.max(1, Math.ceil((window.endsAtMs - nowMs) / 1000)) : windowSeconds;
  return { name, points, windowSeconds, remaining, resetSeconds };
}
