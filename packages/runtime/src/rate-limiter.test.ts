import type { Bucket } from '@tarifario/core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMemoryRateLimiter } from './rate-limiter.ts';

const bucket = (key: string, points: number, windowSeconds = 60): Bucket => ({ name: key, key, points, windowSeconds });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('as many calls as points pass, the next one does not, and it takes nothing', async () => {
  const limiter = createMemoryRateLimiter();
  for (const left of [2, 1, 0]) {
    const { accepted, states } = await limiter.take([bucket('a', 3)]);
    expect([accepted, states[0]?.remaining]).toEqual([true, left]);
  }
  expect((await limiter.take([bucket('a', 3)])).accepted).toBe(false);
  expect((await limiter.take([bucket('a', 4)])).accepted).toBe(true);
});

test('a call refused by one bucket takes nothing from the others', async () => {
  const limiter = createMemoryRateLimiter();
  await limiter.take([bucket('small', 1)]);
  for (let i = 0; i < 5; i++)
    expect((await limiter.take([bucket('large', 3), bucket('small', 1)])).accepted).toBe(false);
  expect((await limiter.look([bucket('large', 3)])).states[0]?.remaining).toBe(3);
});

test('fifty calls at once never pass more than the points', async () => {
  const limiter = createMemoryRateLimiter();
  const buckets = [bucket('account', 20), bucket('client', 7)];
  const taken = await Promise.all(Array.from({ length: 50 }, () => limiter.take(buckets)));
  expect(taken.filter(({ accepted }) => accepted)).toHaveLength(7);
  expect((await limiter.look(buckets)).states.map(({ remaining }) => remaining)).toEqual([13, 0]);
});

test('a window ends after its seconds, and the answer says when', async () => {
  const limiter = createMemoryRateLimiter();
  await limiter.take([bucket('a', 1)]);
  vi.advanceTimersByTime(45_000);
  expect(await limiter.take([bucket('a', 1)])).toMatchObject({ accepted: false, states: [{ resetSeconds: 15 }] });
  vi.advanceTimersByTime(15_001);
  expect((await limiter.take([bucket('a', 1)])).accepted).toBe(true);
});

test('buckets with different windows and the same key do not share points', async () => {
  const limiter = createMemoryRateLimiter();
  await limiter.take([bucket('a', 1, 60)]);
  expect((await limiter.take([bucket('a', 1, 3600)])).accepted).toBe(true);
});

test('points given back can be taken again', async () => {
  const limiter = createMemoryRateLimiter();
  await limiter.take([bucket('a', 1)]);
  await limiter.giveBack([bucket('a', 1)]);
  expect((await limiter.take([bucket('a', 1)])).accepted).toBe(true);
});
