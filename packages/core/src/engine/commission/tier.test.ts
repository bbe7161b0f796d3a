import { expect, test } from 'vitest';
import { say } from '../messages/message.ts';
import { type ConsumptionTier, checkTiers, MAX_TIERS, tierFor } from './tier.ts';

function tier(from: number, to: number | null, value = from): ConsumptionTier {
  return { from, to, value, type: 'fixed' };
}

const above = (x: number) => (x === 0 ? 5e-324 : x * (1 + 2 ** -52));

test('a gap of exactly one in decimals counts as one, although doubles make it slightly wider', () => {
  for (let hundredths = 1; hundredths <= 20_000; hundredths++) {
    const [to, from, wider] = [hundredths / 100, (hundredths + 100) / 100, (hundredths * 10_000 + 1_000_001) / 1e6];
    const joined = [tier(0, to), tier(from, null)];
    expect(tierFor(joined, to + 0.5), `${to} to ${from}`).toBe(joined[1]);
    expect(tierFor([tier(0, to), tier(wider, null)], to + 0.5), `${to} to ${wider}`).toBeNull();
  }
});

test('a gap of 1.000000001 units counts as one unit, and a larger gap does not', () => {
  const [half, more] = [1.000000001, above(1.000000001)].map((from) => [tier(0, 5e-324), tier(from, null)]);
  expect(tierFor(half ?? [], 0.5)?.from).toBe(1.000000001);
  expect(tierFor(more ?? [], 0.5)).toBeNull();
});

test('a quantity that is negative or no number is a bug of the caller', () => {
  for (const bad of [-1, -5e-324, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => tierFor([tier(0, null)], bad), `${bad}`).toThrow(RangeError);
  }
});

test('A-14: an issue of a list of tiers has the position in the list as sent', () => {
  const pathsOf = (tiers: readonly ConsumptionTier[]) => checkTiers('tiers', tiers).map(({ path }) => path);
  expect(pathsOf([tier(0, 5), tier(5, 10), tier(11, null)])).toEqual([]);
  expect(pathsOf([tier(5, 10), tier(0, 5)])).toEqual([]);
  expect(pathsOf([tier(-1, 5)])).toEqual(['tiers.0.from']);
  expect(pathsOf([tier(0, 0)])).toEqual(['tiers.0.to']);
  expect(pathsOf([tier(7, 5)])).toEqual(['tiers.0.to']);
  expect(pathsOf([tier(0, 5), tier(4.999, 10)])).toEqual(['tiers.1.from']);
  expect(pathsOf([tier(4.999, 10), tier(0, 5)])).toEqual(['tiers.0.from']);
  expect(pathsOf([tier(0, null), tier(5, 10)])).toEqual(['tiers.1.from']);
  expect(pathsOf([tier(3, 8), tier(3, 8)])).toEqual(['tiers.1.from']);
  expect(pathsOf([tier(0, 100), tier(10, 20), tier(30, 40)])).toContain('tiers.1.from');
  expect(pathsOf([tier(-2, -3), tier(-3, 4)])).toEqual(['tiers.0.from', 'tiers.0.to', 'tiers.1.from', 'tiers.0.from']);
});

test('A-14: a list has 50 tiers at most', () => {
  const list = (length: number) => Array.from({ length }, (_, index) => tier(index, index + 1));
  expect(checkTiers('tiers', list(MAX_TIERS))).toEqual([]);
  expect(checkTiers('tiers', list(MAX_TIERS + 1))).toEqual([
    { path: 'tiers', message: say('at most {max} tiers', { max: 50 }) },
  ]);
});

test('A-14: each wrong tier has its own issue', () => {
  const tier = (from: number, to: number) => ({ from, to, value: 1, type: 'fixed' as const });
  expect(checkTiers('tiers', [tier(-1, 2), tier(1, 3), tier(5, 5)])).toEqual([
    { path: 'tiers.0.from', message: 'must not be negative' },
    { path: 'tiers.2.to', message: 'must be greater than the lower bound' },
    { path: 'tiers.1.from', message: 'overlaps another tier' },
  ]);
});
