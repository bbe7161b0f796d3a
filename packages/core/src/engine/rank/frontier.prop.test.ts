import { holds } from '@tarifario/testkit/core/laws';
import { runsOf } from '@tarifario/testkit/share';
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { finish } from '../turns.ts';
import { frontierOf, isOn } from './order.ts';
import {
  type Contender,
  compareStandings,
  scoresOf,
  type WinnerSegment,
  weightedScore,
  winnerAt,
  winnersByWeight,
} from './score.ts';

interface Point {
  readonly id: number;
  readonly costEur: number;
  readonly commissionEur: number;
}

const micro = (value: number) => Math.round(value * 1e6) / 1e6;

function numbered(points: readonly (readonly [number, number])[], ids: readonly number[]): readonly Point[] {
  return points.map(([cost, pay], i) => ({ id: ids[i] ?? i + 1, costEur: micro(cost), commissionEur: micro(pay) }));
}

const IDS = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 24, maxLength: 24 });
const PAIR = (max: number) => fc.tuple(fc.integer({ min: 0, max }), fc.integer({ min: 0, max }));

/** Points on one line, some of them a millionth of a euro beside it: at one weight they are all tied. */
const COLLINEAR = fc
  .record({
    steps: fc.array(fc.nat({ max: 12 }), { minLength: 2, maxLength: 20 }),
    cost: fc.integer({ min: 1, max: 900 }),
    pay: fc.integer({ min: 1, max: 900 }),
    nudges: fc.array(fc.constantFrom(0, 0, 1e-6, -1e-6), { minLength: 20, maxLength: 20 }),
  })
  .map(({ steps, cost, pay, nudges }) =>
    steps.map((step, i): [number, number] => [100 + step * cost, 100 + step * pay + (nudges[i] ?? 0)]),
  );

/** A few offers in a corner, and one so far away that their scores collapse into one by rounding. */
const COLLAPSED = fc
  .tuple(fc.array(PAIR(40), { minLength: 1, maxLength: 20 }), fc.constantFrom(1, 1e3, 1e6, 6e10))
  .map(([pairs, far]) => [...pairs.map(([a, b]): [number, number] => [a * 1e-6, b * 1e-6]), [far, far / 3] as const]);

const POINTS: Arbitrary<readonly Point[]> = fc
  .tuple(
    fc.oneof(
      fc.array(PAIR(6), { maxLength: 24 }),
      fc.array(PAIR(1000), { maxLength: 24 }),
      fc.array(PAIR(1e6), { maxLength: 24 }).map((all) => all.map(([a, b]): [number, number] => [a * 1e-6, b * 1e-6])),
      COLLINEAR,
      COLLAPSED,
    ),
    IDS,
  )
  .map(([pairs, ids]) => numbered(pairs, ids));

function isBeaten(point: Point, points: readonly Point[]): boolean {
  return points.some(
    (other) =>
      other.costEur <= point.costEur &&
      other.commissionEur >= point.commissionEur &&
      (other.costEur < point.costEur || other.commissionEur > point.commissionEur),
  );
}

test('A-19: the frontier has the offers that no other beats, and the lowest id of equal ones', () => {
  holds(
    fc.property(POINTS, (points) => {
      const best = points.filter((point) => !isBeaten(point, points));
      const lowest = best.filter((point) =>
        best.every(
          (other) =>
            other.costEur !== point.costEur || other.commissionEur !== point.commissionEur || other.id >= point.id,
        ),
      );
      const frontier = frontierOf(points);
      expect(frontier).toEqual(lowest.toSorted((a, b) => a.costEur - b.costEur));
      for (const point of points) expect(isOn(frontier, point)).toBe(best.includes(point));
    }),
    1000,
  );
});

/** Every point with its scores, as a ranking gives them. */
function contendersOf(points: readonly Point[]): readonly Contender[] {
  const rangeOf = (values: readonly number[]) => ({ min: Math.min(...values), max: Math.max(...values) });
  const cost = rangeOf(points.map(({ costEur }) => costEur));
  const commission = rangeOf(points.map(({ commissionEur }) => commissionEur));
  return points.map((point) => ({ ...point, ...scoresOf(point, { cost, commission }) }));
}

/** The first of A-18 by sorting everybody. */
function sortedWinner(all: readonly Contender[], weight: number): Contender | undefined {
  return all
    .map((contender) => ({ contender, score: weightedScore(weight, contender) }))
    .sort((a, b) => compareStandings({ ...a.contender, score: a.score }, { ...b.contender, score: b.score }))[0]
    ?.contender;
}

function scoreAt({ priceScore: price, commissionScore: commission }: Contender, weight: number): number {
  return weight * price + (1 - weight) * commission;
}

/** Half a decimal of each of two scores, and the noise of doubles. */
const TIED = 1.00001e-9;

function expectCovering(segments: readonly WinnerSegment[]): void {
  expect(segments[0]?.fromWeight).toBe(0);
  expect(segments.at(-1)?.toWeight).toBe(1);
  segments.forEach((segment, index) => {
    const next = segments[index + 1];
    const width = segment.toWeight - segment.fromWeight;
    expect(width === 0 || width > 1e-12, `${segment.fromWeight} to ${segment.toWeight}`).toBe(true);
    if (!next) return;
    expect(next.fromWeight).toBe(segment.toWeight);
    expect(next.offerId).not.toBe(segment.offerId);
  });
}

/** Holds a list of winners to the definition, by sorting everybody at many weights. */
function expectTrue(all: readonly Contender[], segments: readonly WinnerSegment[], weights: readonly number[]): void {
  expectCovering(segments);
  const bounds = new Set([0, 1, ...segments.map(({ toWeight }) => toWeight)]);
  const middles = segments.map(({ fromWeight, toWeight }) => (fromWeight + toWeight) / 2);
  for (const weight of [...bounds, ...middles, ...weights]) {
    const winner = sortedWinner(all, weight);
    const touching = segments.filter(({ fromWeight, toWeight }) => fromWeight <= weight && weight <= toWeight);
    if (bounds.has(weight)) expect(touching.map(({ offerId }) => offerId)).toContain(winner?.id);
    for (const { fromWeight, toWeight, offerId } of touching) {
      // Without width it is there for one reason: to name the winner at this very weight.
      if (fromWeight === toWeight) expect(offerId).toBe(winner?.id);
      const named = all.find(({ id }) => id === offerId);
      expect(named).toBeDefined();
      if (!named || !winner) continue;
      const gap = scoreAt(winner, weight) - scoreAt(named, weight);
      expect(Math.abs(gap), `at ${weight}: ${named.id} is named, ${winner.id} wins`).toBeLessThanOrEqual(TIED);
    }
  }
  expect(segments[0]?.offerId).toBe(sortedWinner(all, 0)?.id);
  expect(segments.at(-1)?.offerId).toBe(sortedWinner(all, 1)?.id);
}

const WEIGHTS = fc.array(
  fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.nat({ max: 64 }).map((n) => n / 64),
  ),
  { minLength: 5, maxLength: 8 },
);

test('A-19: the winners by weight cover 0 to 1 and agree with a new ranking at any weight', () => {
  holds(
    fc.property(POINTS, WEIGHTS, (points, weights) => {
      const all = contendersOf(points);
      const frontier = new Set(frontierOf(points).map(({ id }) => id));
      const contenders = all.filter(({ id }) => frontier.has(id)).sort((a, b) => a.costEur - b.costEur);
      const segments = finish(winnersByWeight(contenders));
      if (points.length === 0) {
        expect(segments).toEqual([]);
        expect(winnerAt(contenders, 0.5)).toBeNull();
        return;
      }
      expectTrue(all, segments, weights);
      for (const weight of [0, 1, ...weights]) {
        expect(winnerAt(contenders, weight)?.id).toBe(sortedWinner(all, weight)?.id);
        // In any order, those that others beat among them.
        expect(winnerAt(all, weight)?.id).toBe(sortedWinner(all, weight)?.id);
      }
    }),
    runsOf(500, 1500),
  );
});

test('A-19: a frontier is the same where its offers come in two lists', () => {
  holds(
    fc.property(POINTS, fc.nat(24), (points, at) => {
      expect(frontierOf(points.slice(at), frontierOf(points.slice(0, at)))).toEqual(frontierOf(points));
    }),
  );
});

/** Shapes of a frontier, as scores by a share from 0 to 1. */
const FRONTIERS: Readonly<Record<string, (share: number) => readonly [number, number]>> = {
  'all are winners': (share) => [10 * (1 - share), 10 * (1 - (1 - share) ** 2)],
  'all are tied at one weight': (share) => [10 * (1 - share), 10 * share],
  'two are winners': (share) => [10 * (1 - share), 10 * share ** 2],
};

test.each(Object.entries(FRONTIERS))(
  'winners by weight of 20 001 contenders are found with few looks at each, and few between two pauses: %s',
  (_name, scoresAt) => {
    const count = 20_001;
    let looks = 0;
    const contenders = Array.from({ length: count }, (_, id): Contender => {
      const [priceScore, commissionScore] = scoresAt(id / (count - 1)).map(nano) as [number, number];
      const figures = { id, costEur: id, commissionEur: id, priceScore };
      return Object.defineProperty({ ...figures, commissionScore }, 'commissionScore', {
        get: () => {
          looks += 1;
          return commissionScore;
        },
      });
    });
    const steps = winnersByWeight(contenders);
    let [all, most] = [0, 0];
    for (let isDone = false; !isDone; ) {
      looks = 0;
      isDone = steps.next().done === true;
      all += looks;
      most = Math.max(most, looks);
    }
    expect(all / count).toBeLessThan(300);
    expect(most).toBeLessThan(1e6);
  },
);

/** Lines as a frontier has them: the dearer offer has no better price score and no worse commission score. */
function asFrontier(scores: readonly (readonly [number, number])[]): readonly Contender[] {
  const prices = scores.map(([price]) => price).sort((a, b) => b - a);
  const paid = scores.map(([, pay]) => pay).sort((a, b) => a - b);
  return prices.map((price, i) => ({
    id: ((i * 7) % 31) + 1,
    costEur: i + 1,
    commissionEur: i + 1,
    priceScore: price,
    commissionScore: paid[i] ?? 0,
  }));
}

const nano = (value: number) => Math.round(value * 1e9) / 1e9;

/** Lines that differ by a few billionths. */
const NEAR_PARALLEL = fc
  .tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }), fc.array(PAIR(40), { maxLength: 20 }))
  .map(([price, pay, nudges]) => asFrontier(nudges.map(([a, b]) => [nano(price + a * 1e-9), nano(pay + b * 1e-9)])));

/** Lines through one point at a weight, some of them a billionth beside it. */
const CONCURRENT = fc
  .record({
    meets: fc.constantFrom(0, 0.1, 0.3, 1 / 3, 0.5, 0.7, 0.9, 0.999, 1),
    slopes: fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 3, maxLength: 20 }),
    nudges: fc.array(fc.constantFrom(0, 0, 0, 1e-9), { minLength: 20, maxLength: 20 }),
  })
  .map(({ meets, slopes, nudges }) =>
    asFrontier(
      slopes.map((slope, i) => {
        const at = 5 + (nudges[i] ?? 0);
        return [nano(at + (1 - meets) * (slope / 8)), nano(at - meets * (slope / 8))];
      }),
    ),
  );

test('A-19: winners by weight are right for lines that are nearly parallel, nearly equal or all meet in one point', () => {
  holds(
    fc.property(fc.oneof(NEAR_PARALLEL, CONCURRENT), WEIGHTS, (contenders, weights) => {
      if (contenders.length > 0) expectTrue(contenders, finish(winnersByWeight(contenders)), weights);
    }),
    runsOf(1000, 3000),
  );
});

test('A-19: scores that are not numbers give a list of winners, without an endless loop', () => {
  const score = fc.constantFrom(0, 5, 10, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);
  const contender = fc
    .record({ priceScore: score, commissionScore: score })
    .map((scores) => ({ costEur: 1, commissionEur: 1, id: 1, ...scores }));
  holds(
    fc.property(fc.array(contender, { maxLength: 5 }), (contenders) => {
      // An endless loop asks for ever more figures: they run out.
      let reads = 1000;
      const counted = contenders.map(
        (one) =>
          new Proxy(one, {
            get(from, name) {
              if (--reads < 0) throw new Error('the loop does not end');
              return Reflect.get(from, name);
            },
          }),
      );
      finish(winnersByWeight(counted));
    }),
  );
});
