import { commissionScore, compareStandings, priceScore, weightedScore } from '@tarifario/core/service';
import { expect, test } from 'vitest';

const RANGE = { min: 100, max: 400 };

test('A-17: the cheapest scores 10 and the dearest 0, the best paid 10 and the worst paid 0', () => {
  expect([100, 250, 400].map((cost) => priceScore(cost, RANGE))).toEqual([10, 5, 0]);
  expect([100, 250, 400].map((paid) => commissionScore(paid, RANGE))).toEqual([0, 5, 10]);
});

test('A-03: scores have nine decimals, a half goes up', () => {
  expect(priceScore(200, RANGE)).toBe(6.666666667);
  expect(priceScore(300, RANGE)).toBe(3.333333333);
  expect(commissionScore(200, RANGE)).toBe(3.333333333);
  expect(commissionScore(300, RANGE)).toBe(6.666666667);
  expect(weightedScore(0.5, { price: 0.000000001, commission: 0 })).toBe(0.000000001);
  expect(weightedScore(0.25, { price: 0.000000001, commission: 0 })).toBe(0);
});

test('A-17: where all are equal everybody scores 10', () => {
  const one = { min: 7, max: 7 };
  expect([priceScore(7, one), commissionScore(7, one)]).toEqual([10, 10]);
  expect(priceScore(0, { min: 0, max: 0 })).toBe(10);
});

test('A-17: the weight is the share of the price score', () => {
  const scores = { price: 8, commission: 2 };
  expect([0, 0.25, 0.5, 1].map((weight) => weightedScore(weight, scores))).toEqual([2, 3.5, 5, 8]);
});

test('A-18: score, then cost, then commission, then id; every step only where the ones before are equal', () => {
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
