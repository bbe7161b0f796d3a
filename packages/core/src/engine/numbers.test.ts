import { holds } from '@tarifario/testkit/core/laws';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalDigits, isCount, isWithin, roundHalfUp } from './numbers.ts';

test('A-03: a half is rounded up, towards plus infinity, also below zero', () => {
  expect(roundHalfUp(0.125, 2)).toBe(0.13);
  expect(roundHalfUp(-0.125, 2)).toBe(-0.12);
  expect(roundHalfUp(-0.126, 2)).toBe(-0.13);
  expect(roundHalfUp(2 ** -7, 6)).toBe(0.007813);
  expect(roundHalfUp(-(2 ** -7), 6)).toBe(-0.007812);
  expect(roundHalfUp(2 ** -10, 9)).toBe(0.000976563);
  expect(roundHalfUp(0.00005, 4)).toBe(0.0001);
});

test('A-03: a number that is not a half is rounded to the nearest decimal', () => {
  expect(roundHalfUp(0.124999, 2)).toBe(0.12);
  expect(roundHalfUp(1.0000004, 6)).toBe(1);
  expect(roundHalfUp(1.0000006, 6)).toBe(1.000001);
  expect(roundHalfUp(-1.0000004, 6)).toBe(-1);
  expect(roundHalfUp(9.9999999994, 9)).toBe(9.999999999);
  expect(roundHalfUp(9.9999999996, 9)).toBe(10);
});

test('A-03: nothing is rounded to a negative zero', () => {
  for (const value of [0, -0, -0.25e-6, -0.5e-6]) expect(Object.is(roundHalfUp(value, 6), 0), `${value}`).toBe(true);
});

test('A-03: rounding keeps the order, moves nothing by more than half a decimal, and twice is the same as once', () => {
  const value = fc.oneof(
    fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    fc.integer().map((n) => n / 2e6),
  );
  holds(
    fc.property(value, value, fc.constantFrom(2 as const, 4 as const, 6 as const, 9 as const), (a, b, decimals) => {
      const [low, high] = a <= b ? [a, b] : [b, a];
      expect(roundHalfUp(low, decimals)).toBeLessThanOrEqual(roundHalfUp(high, decimals));
      const rounded = roundHalfUp(a, decimals);
      const noise = Math.abs(a) * 2 ** -51;
      expect(Math.abs(rounded - a)).toBeLessThanOrEqual(0.5 * 10 ** -decimals + noise);
      if (decimals < 9) expect(roundHalfUp(rounded, decimals)).toBe(rounded);
    }),
    500,
  );
});

test('a quantity is within from 0 to its most, both included, and no text, even of digits, is', () => {
  for (const quantity of [0, 0.1, 7.5]) expect(isWithin(quantity, 7.5), `${quantity}`).toBe(true);
  for (const quantity of [-1e-9, 7.500001, Number.NaN, Number.POSITIVE_INFINITY, '3' as never]) {
    expect(isWithin(quantity, 7.5), `${quantity}`).toBe(false);
  }
});

test('a count is a whole number from 1 to its most, both included', () => {
  for (const value of [1, 2, 12]) expect(isCount(value, 12), `${value}`).toBe(true);
  for (const value of [-1, 0, 1.5, 13, Number.NaN]) expect(isCount(value, 12), `${value}`).toBe(false);
});

test('the digits of a number are counted in units of its last decimal, with its sign', () => {
  expect([decimalDigits(1.5, 3), decimalDigits(-0.07, 2), decimalDigits(12, 0)]).toEqual([1500n, -7n, 12n]);
});
