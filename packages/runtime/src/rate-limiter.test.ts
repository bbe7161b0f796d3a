import { rateLimiterContract } from '@tarifario/core/testing';
import { afterEach, beforeEach, describe, test, vi } from 'vitest';
import { createMemoryRateLimiter } from './rate-limiter.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the limiter in memory', () => {
  const make = async () => {
    const limiter = createMemoryRateLimiter();
    return [limiter, limiter] as const;
  };
  const wait = async (milliseconds: number) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
  };
  for (const { name, run } of rateLimiterContract({ make, wait })) test(name, run);
});
