import type { Bucket } from '@tarifario/core/service';
import { expect, test } from 'vitest';
import { createMemoryRateLimiter } from './rate-limiter.ts';
import { countRefusals } from './refusal-count.ts';

const bucket = (name: string, points: number, key = name): Bucket => ({ name, key, points, windowSeconds: 60 });

test('a refused call of any caller is counted under the limits that were reached, and under no other', async () => {
  const { limiter, refusals } = countRefusals(createMemoryRateLimiter());
  for (let call = 0; call < 3; call++) {
    await limiter.take([bucket('account', 9, 'account:1'), bucket('client', 1, 'client:1')]);
  }
  expect([...refusals]).toEqual([['client', 2]]);
  for (let call = 0; call < 2; call++) await limiter.take([bucket('client', 1, 'client:2')]);
  expect([...refusals]).toEqual([['client', 3]]);
  await limiter.giveBack([bucket('client', 1, 'client:2')]);
  expect((await limiter.take([bucket('client', 1, 'client:2')])).accepted).toBe(true);
  expect([...refusals]).toEqual([['client', 3]]);
});
