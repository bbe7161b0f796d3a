import { holds } from '@tarifario/testkit/core/laws';
import { electricityOffer, rankEntries, requestOf, withoutHistory } from '@tarifario/testkit/core/simple-offers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_PRICES, perPeriod } from '../periods.ts';
import type { Customer } from '../price/customer.ts';
import { finish } from '../turns.ts';
import { gapInTurns, stepsOf } from './rank.ts';
import { compileUniverse } from './universe.ts';

const PRICE = fc.integer({ min: 40, max: 300 }).map((n) => n / 1000);
const [, , ...REST] = NO_PRICES;
const OFFER = fc.record({
  prices: fc.tuple(PRICE, PRICE),
  // Few amounts too: then a lead in commission is often worth as much as the whole range of costs.
  paid: fc.oneof(
    fc.integer({ min: 0, max: 20_000 }).map((n) => n / 100),
    fc.constantFrom(0, 20, 40, 60),
  ),
  surplus: fc.constantFrom(null, null, 0.05, 0.12),
  percent: fc.constantFrom(null, null, 20),
});

function offerOf(
  id: number,
  { prices, paid, surplus, percent }: typeof OFFER extends fc.Arbitrary<infer T> ? T : never,
) {
  const credit = { hasSolarPanels: surplus !== null, surplusEurPerKwh: surplus };
  const discount = { energyDiscountPercent: percent, discountMonths: percent && 9 };
  return electricityOffer({ id, energyEurPerKwh: [...prices, ...REST], commissionValue: paid, ...credit, ...discount });
}

const whole = (offers: readonly ReturnType<typeof offerOf>[]) => [
  { universe: compileUniverse('LUZ', withoutHistory(offers)), admits: () => true },
];

describe('A-116: the gap of an offer', () => {
  test('is the fall of its prices of energy below which another offer is the first, and beyond which none has a better score', () => {
    let lost = 0;
    holds(
      fc.property(
        fc.array(OFFER, { minLength: 2, maxLength: 30 }),
        fc.constantFrom(1, 1, 0.7, 0.5, 0.4),
        fc.constantFrom(0, 400, 3000),
        (drawn, weight, exportedKwh) => {
          const [own, ...others] = drawn.map((one, index) => offerOf(index + 1, one));
          if (!own) return;
          const customer: Customer = {
            supplyType: 'LUZ',
            consumptionKwh: [700, 900, 0, 0, 0, 0],
            powerKw: perPeriod(() => 0),
            exportedKwh,
          };
          const request = requestOf({ customer, weight });
          const { eurPerMwh, annualMwh } = finish(gapInTurns({ alone: whole([own]), others: whole(others) }, request));
          expect(annualMwh).toBe(1.6);
          const after = (fall: number) => {
            const lowered = {
              ...own,
              energyEurPerKwh: perPeriod((i) => (i < 2 ? (own.energyEurPerKwh[i] ?? 0) - fall / 1000 : null)),
            };
            const { results, mostEfficientId, costRangeEur } = rankEntries(
              withoutHistory([lowered, ...others]),
              request,
            );
            const score = results.find(({ offer }) => offer.id === 1)?.score;
            // Where surplus makes all energy free, a fall changes no cost: of equal ones the commission decides, or the id.
            const isBest = score === results[0]?.score || costRangeEur?.min === costRangeEur?.max;
            return { isFirst: mostEfficientId === 1, isBest };
          };
          if (eurPerMwh === null) {
            expect(after(1e5).isFirst).toBe(false);
            return;
          }
          // Scores are rounded, and change ever less the further a cost is from all others.
          const apart = 0.01 + 1e-7 * eurPerMwh ** 2;
          expect(after(eurPerMwh + apart).isBest).toBe(true);
          if (eurPerMwh < apart) return;
          lost += 1;
          expect(after(eurPerMwh - apart).isFirst).toBe(false);
        },
      ),
      200,
    );
    expect(lost).toBeGreaterThan(100);
  });

  test('adds up to steps, each with all that a fall wins, and none where it wins nothing', () => {
    const gap = (eurPerMwh: number | null, annualMwh: number) => ({ eurPerMwh, annualMwh });
    expect(stepsOf([gap(3.1, 4), gap(0, 2), gap(null, 9), gap(1.8, 1), gap(3.1, 5)])).toEqual([
      { eurPerMwh: 0, customerCount: 1, annualMwh: 2 },
      { eurPerMwh: 1.8, customerCount: 2, annualMwh: 3 },
      { eurPerMwh: 3.1, customerCount: 4, annualMwh: 12 },
    ]);
    expect(stepsOf([gap(null, 3)])).toEqual([]);
  });
});
