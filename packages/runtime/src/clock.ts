import type { Clock } from '@tarifario/core';

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  monotonicMs: () => performance.now(),
};
