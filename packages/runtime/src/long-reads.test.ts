import { CALLS_PER_MINUTE } from '@tarifario/core/service';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLongReads } from './long-reads.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const forever = () => new Promise<never>(() => {});

it.each([
  ['rows', 10],
  ['workbook', 30],
  ['curve', 10],
] as const)(
  'A-61: a second long read of an account (%s) waits for %d s and is refused with Retry-After',
  async (kind, seconds) => {
    const longReads = createLongReads(3);
    void longReads[kind].run(1, forever);
    let refusal: unknown = null;
    const second = longReads[kind].run(1, forever).catch((error: unknown) => {
      refusal = error;
    });
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect(refusal).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    await second;
    expect(refusal).toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 5 } });
  },
);

it('A-61: one curve of an account is read and two wait, a fourth is refused at once, and another account is answered', async () => {
  const { curve } = createLongReads(1);
  const all = [1, 2, 3, 4].map(() => curve.run(1, forever));
  await expect(Promise.race(all)).rejects.toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 5 } });
  expect(await curve.run(2, async () => 'other')).toBe('other');
});

it('two pages of an account are read at once, and a third waits', async () => {
  const { page } = createLongReads(2);
  const started: number[] = [];
  for (const n of [1, 2, 3]) {
    void page.run(1, () => {
      started.push(n);
      return forever();
    });
  }
  expect(await page.run(2, async () => 'other')).toBe('other');
  expect(started).toEqual([1, 2]);
});

it('a workbook does not count as a read, unless there is only one place', async () => {
  const several = createLongReads(2);
  void several.workbook.run(1, forever);
  expect(await Promise.all([several.rows.run(1, async () => 'a'), several.rows.run(2, async () => 'b')])).toEqual([
    'a',
    'b',
  ]);
  const one = createLongReads(1);
  expect(one.workbook).toBe(one.rows);
});

it('A-61: short reads in all the calls of a minute of an account, sent at once, are answered, and those of another account too', async () => {
  const { rows } = createLongReads(2);
  const crowd = Array.from({ length: CALLS_PER_MINUTE.business.account }, () => rows.run(1, async () => 'done'));
  expect(await rows.run(2, async () => 'other')).toBe('other');
  expect(new Set(await Promise.all(crowd))).toEqual(new Set(['done']));
});
