import type { Clock } from '@tarifario/core/service';

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  monotonicMs: () => performance.now(),
};
