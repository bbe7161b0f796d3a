import { compareStandings, scoresOf, weightedScore } from '@tarifario/core/service';
import { expect, test } from 'vitest';

const RANGES = { cost: { min: 100, max: 400 }, commission: { min: 10, max: 40 } };

function scores(costEur: number, commissionEur: number, ranges = RANGES) {
  const { priceScore, commissionScore } = scoresOf({ costEur, commissionEur }, ranges);
  return [priceScore, commissionScore];
}

test('A-17: the cheapest scores 10 and the most expensive 0, the best paid 10 and the worst paid 0', () => {
  expect([scores(100, 40), scores(250, 25), scores(400, 10)]).toEqual([
    [10, 10],
    [5, 5],
    [0, 0],
  ]);
});

test('A-03: scores have nine decimals, with a half rounded up', () => {
  expect(scores(200, 20)).toEqual([6.666666667, 3.333333333]);
  expect(scores(300, 30)).toEqual([3.333333333, 6.666666667]);
  expect(weightedScore(0.5, { priceScore: 0.000000001, commissionScore: 0 })).toBe(0.000000001);
  expect(weightedScore(0.25, { priceScore: 0.000000001, commissionScore: 0 })).toBe(0);
});

test('A-17: offers that are all equal score 10', () => {
  const equal = { cost: { min: 7, max: 7 }, commission: { min: 0, max: 0 } };
  expect(scores(7, 0, equal)).toEqual([10, 10]);
});

test('A-17: the weight is the share of the price score', () => {
  const both = { priceScore: 8, commissionScore: 2 };
  expect([0, 0.25, 0.5, 1].map((weight) => weightedScore(weight, both))).toEqual([2, 3.5, 5, 8]);
});

test('A-18: the order is by score, then cost, then commission, then id, each only where the ones before are equal', () => {
  const base = { score: 5, costEur: 100, commissionEur: 10, id: 4 };
  const first = [
    { ...base, score: 6, costEur: 999, commissionEur: 0, id: 9 },
    { ...base, costEur: 99, commissionEur: 0, id: 9 },
    { ...base, commissionEur: 11, id: 9 },
    { ...base, id: 3 },
  ];
  for (const other of first) {
    expect(compareStandings(other, base)).toBeLessThan(0);
    expect(compareStandings(base, other)).toBeGreaterThan(0);
  }
  expect(compareStandings(base, { ...base })).toBe(0);
});
