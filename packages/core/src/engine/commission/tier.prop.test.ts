import { arbitraryConsumptionTiers } from '@tarifario/core/testing';
import { holds } from '@tarifario/testkit/core/laws';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AnyTier, type ConsumptionTier, checkTiers, sortTiers, tierFor } from './tier.ts';

/** The next double up and down. */
function beside(x: number): readonly number[] {
  const cell = new Float64Array([x]);
  const bits = new BigInt64Array(cell.buffer);
  const at = (step: bigint) => {
    cell[0] = x;
    bits[0] = (bits[0] ?? 0n) + step;
    return cell[0] ?? 0;
  };
  return x === 0 ? [0, 5e-324] : [at(-1n), x, at(1n)];
}

function boundsOf(tiers: readonly AnyTier[]): readonly number[] {
  return tiers.flatMap(({ from, to }) => (to === null ? [from] : [from, to]));
}

/** Every bound, the doubles next to it, the middle of every tier and of every gap, and far outside. */
function quantitiesAround(tiers: readonly AnyTier[]): readonly number[] {
  const bounds = boundsOf(tiers);
  const middles = bounds.map((bound, index) => (bound + (bounds[index + 1] ?? bound + 1)) / 2);
  return [0, 1e12, ...bounds.flatMap(beside), ...middles];
}

/** Bounds as people type them, in millionths: whole numbers, so that gaps compare exactly. */
function inMillionths(bound: number): number {
  return Math.round(bound * 1e6);
}

/** The tiers that apply, found in another way: for each tier, whether the quantity is within it. */
function applying(tiers: readonly AnyTier[], quantity: number): readonly AnyTier[] {
  return tiers.filter((tier, index) => {
    const lower = tiers[index - 1];
    const isNeighbour = lower?.to !== undefined && lower.to !== null;
    const gap = isNeighbour ? inMillionths(tier.from) - inMillionths(lower.to ?? 0) : Number.POSITIVE_INFINITY;
    const reachesDown = isNeighbour && gap <= 1_000_000 && quantity > (lower.to ?? 0);
    const isShared = isNeighbour && quantity === lower.to;
    const isBelowTop = tier.to === null || quantity <= tier.to;
    return isBelowTop && !isShared && (quantity >= tier.from || reachesDown);
  });
}

test('A-14: at every bound, one double away from it and between bounds, exactly one tier applies or none', () => {
  holds(
    fc.property(arbitraryConsumptionTiers(8), (tiers) => {
      for (const quantity of quantitiesAround(tiers)) {
        const expected = applying(tiers, quantity);
        expect(expected.length, `${quantity}`).toBeLessThanOrEqual(1);
        expect(tierFor(tiers, quantity), `${quantity}`).toBe(expected[0] ?? null);
      }
    }),
    500,
  );
});

/** Any list at all: bounds may be negative, turned round, overlapping, open in the middle. */
const ANY_LIST = fc.array(
  fc
    .tuple(fc.integer({ min: -2, max: 12 }), fc.option(fc.integer({ min: -1, max: 12 }), { nil: null, freq: 4 }))
    .map(([from, to]): ConsumptionTier => ({ from, to, value: 1, type: 'fixed' })),
  { maxLength: 4 },
);

test('a list is accepted exactly when every tier is valid and no two of them share more than a bound', () => {
  holds(
    fc.property(ANY_LIST, (tiers) => {
      const isSound = tiers.every(({ from, to }) => from >= 0 && (to === null || from < to));
      const top = (tier: ConsumptionTier) => tier.to ?? Number.POSITIVE_INFINITY;
      const isApart = tiers.every((a, i) =>
        tiers.every((b, j) => i === j || Math.min(top(a), top(b)) <= Math.max(a.from, b.from)),
      );
      expect(checkTiers('tiers', tiers).length === 0).toBe(isSound && isApart);
    }),
    2000,
  );
});

test('the order in which tiers are written does not matter once they are sorted', () => {
  const shuffled = arbitraryConsumptionTiers(6).chain((tiers) =>
    fc
      .shuffledSubarray([...tiers], { minLength: tiers.length })
      .map((mixed): readonly [readonly ConsumptionTier[], readonly ConsumptionTier[]] => [tiers, mixed]),
  );
  holds(
    fc.property(shuffled, ([tiers, mixed]) => {
      expect(checkTiers('tiers', mixed)).toEqual([]);
      expect(sortTiers(mixed)).toEqual(tiers);
      for (const quantity of quantitiesAround(tiers)) {
        expect(tierFor(sortTiers(mixed), quantity)).toEqual(tierFor(tiers, quantity));
      }
    }),
    200,
  );
});
