import { expect, test } from 'vitest';
import { bestByLine } from './best.ts';
import { scaleOf } from './scales.ts';

const COUNT = 4000;
/** Who has which place by the score at weight 0.5: every place once, and neighbours far apart. */
const placeOf = (row: number) => (row * 1571) % COUNT;

/** Costs and commissions that both give the same order, from a score of 10 down to 0 in even steps. */
function keptOf(limit: number, isCandidate: (row: number) => boolean = () => true): readonly number[] {
  const micros = (place: number) => (COUNT - 1 - place) * 1e6;
  const [costMicros, commissionMicros] = [new Float64Array(COUNT), new Float64Array(COUNT)];
  for (let row = 0; row < COUNT; row++) {
    costMicros[row] = isCandidate(row) ? 5e9 - micros(placeOf(row)) : Number.NaN;
    commissionMicros[row] = isCandidate(row) ? micros(placeOf(row)) : Number.NaN;
  }
  const [price, commission] = [scaleOf(5e9 - micros(0), 5e9), scaleOf(0, micros(0))];
  const room = { kept: new Int32Array(COUNT), lines: new Float64Array(COUNT) };
  const asked = { price, commission, maxCost: 5e9, minCommission: 0, nearness: 1e-8, weight: 0.5, limit };
  const count = bestByLine({ costMicros, commissionMicros, ...room }, COUNT, asked);
  return [...room.kept.subarray(0, count)];
}

test('whoever is among the first is left, ascending, and hardly anybody else', () => {
  for (const limit of [1, 2, 7, 50, 200]) {
    const kept = keptOf(limit);
    expect(kept).toEqual(kept.toSorted((a, b) => a - b));
    // A step of the score has two of them here.
    const places = kept.map(placeOf).sort((a, b) => a - b);
    expect(places).toEqual(places.map((_, place) => place));
    expect(places.length).toBeGreaterThanOrEqual(limit);
    expect(places.length).toBeLessThanOrEqual(limit + 1);
  }
});

test('who is no candidate is never left, and all candidates are where there are fewer than are asked for', () => {
  const isCandidate = (row: number) => row % 100 === 7;
  const candidates = Array.from({ length: COUNT }, (_, row) => row).filter(isCandidate);
  expect(keptOf(50, isCandidate)).toEqual(candidates);
  expect(keptOf(3, isCandidate).every(isCandidate)).toBe(true);
});
