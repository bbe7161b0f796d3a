import { holds } from '@tarifario/testkit/core/laws';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countBefore, firstOf } from './in-order.ts';

const ascending = (a: number, b: number) => a - b;

test('the first of a list and of others are those of all, sorted', () => {
  const numbers = fc.uniqueArray(fc.nat(200), { maxLength: 40 });
  holds(
    fc.property(numbers, fc.nat(40), fc.nat(50), (all, at, limit) => {
      const list = all.slice(0, at).sort(ascending);
      const more = all.slice(at);
      expect(firstOf(list, more, ascending)).toEqual(all.toSorted(ascending));
      const first = list.slice(0, limit);
      expect(firstOf(first, more, ascending, limit)).toEqual(all.toSorted(ascending).slice(0, limit));
      for (const one of all) expect(countBefore(list, one, ascending)).toBe(list.filter((other) => other < one).length);
    }),
  );
});

test('a few are put into a list of 100 000 with a few comparisons', () => {
  let compared = 0;
  const compare = (a: number, b: number) => {
    compared += 1;
    return a - b;
  };
  const list = Array.from({ length: 100_000 }, (_, index) => 2 * index);
  const more = Array.from({ length: 1000 }, (_, index) => (index * 7919) % 200_000).map((one) => one - (one % 2) + 1);
  expect(firstOf(list, more, compare)).toHaveLength(101_000);
  expect(compared).toBeLessThan(1000 * (17 + 10) * 1.2);
});
