import { pointsLeft, rateLimiterContract } from '@tarifario/core/testing';
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

  test('never asks for a longer wait than a window when the clock is set back', async ({ expect }) => {
    const limiter = createMemoryRateLimiter();
    const bucket = { name: 'n', key: 'k', points: 1, windowSeconds: 60 };
    await limiter.take([bucket]);
    vi.setSystemTime(Date.now() - 3_600_000);
    const refused = await limiter.take([bucket]);
    expect([refused.accepted, refused.states[0]?.resetSeconds]).toEqual([false, 60]);
    await wait(60_000);
    expect((await limiter.take([bucket])).accepted).toBe(true);
  });

  test('forgets only windows that have ended', async ({ expect }) => {
    const limiter = createMemoryRateLimiter();
    const bucketOf = (key: string) => ({ name: 'n', key, points: 2, windowSeconds: 60 });
    for (let key = 0; key < 1500; key++) await limiter.take([bucketOf(`old ${key}`)]);
    await wait(30_000);
    for (let key = 0; key < 1500; key++) await limiter.take([bucketOf(`young ${key}`)]);
    await wait(31_000);
    for (let key = 0; key < 4000; key++) await limiter.take([bucketOf(`new ${key}`)]);
    const left = async (key: string) => (await pointsLeft(limiter, [bucketOf(key)]))[0];
    expect(await Promise.all([left('old 7'), left('young 7'), left('young 1499'), left('new 7')])).toEqual([
      2, 1, 1, 1,
    ]);
  });
});
