import type { Clock } from '@tarifario/core/service';

export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  monotonicMs: () => performance.now(),
};
