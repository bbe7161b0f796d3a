import { arbitraryQuestion, WEIGHT } from '@tarifario/testkit/core/arbitrary-requests';
import { holds } from '@tarifario/testkit/core/laws';
import {
  electricityOffer,
  flatOffer,
  rankEntries,
  requestOf,
  withoutHistory,
} from '@tarifario/testkit/core/simple-offers';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { monthNumber } from '../calendar.ts';
import type { MonthlyPrice, OfferWithHistory } from '../offers/offer.ts';
import { NO_PRICES, perPeriod } from '../periods.ts';
import type { Customer } from '../price/customer.ts';
import { winningCost } from './order.ts';
import type { Ranking, RankingRequest } from './ranking.ts';
import { askReasons } from './reasons.ts';

/** The same customer with so many times the energy and surplus. */
function scaled(customer: Customer, factor: number): Customer {
  const all = {
    profile:
      customer.profile?.map((part) => ({
        ...part,
        consumptionKwh: part.consumptionKwh.map((kwh) => kwh * factor),
        exportedKwh: part.exportedKwh * factor,
      })) ?? null,
  };
  return customer.supplyType === 'GAS'
    ? { ...customer, ...all, consumptionKwh: customer.consumptionKwh * factor }
    : {
        ...customer,
        ...all,
        consumptionKwh: perPeriod((i) => (customer.consumptionKwh[i] ?? 0) * factor),
        exportedKwh: customer.exportedKwh * factor,
      };
}

const near = (eur: number) => 1e-5 + Math.abs(eur) * 1e-9;

/** Offers as the figures of all but one. */
function listed(others: readonly { readonly costEur: number; readonly commissionEur: number }[]) {
  return {
    total: Float64Array.from(others, ({ costEur }) => costEur),
    paid: Float64Array.from(others, ({ commissionEur }) => commissionEur),
    ...{ count: others.length, except: -1 },
  };
}

describe('A-116: thresholds of consumption', () => {
  test('cover a quarter to four times without a gap, and name the cheapest offer at every factor', () => {
    holds(
      fc.property(
        arbitraryQuestion(),
        fc.double({ min: 0.25, max: 4, noNaN: true }),
        ({ entries: limited, request: any }, drawn) => {
          // Limits are those of what the customer consumes.
          const entries = limited.map(({ offer, months }) => ({
            offer: { ...offer, minAnnualKwh: null, maxAnnualKwh: null },
            months,
          }));
          // Four times the most that may be consumed is refused.
          const request = { ...any, customer: scaled(any.customer, 0.1) };
          const asked = { ...request, reasons: askReasons({ thresholds: true }) };
          const thresholds = rankEntries(entries, asked).reasons?.thresholds ?? [];
          const bounds = thresholds.flatMap(({ fromFactor, toFactor }) => [fromFactor, toFactor]);
          if (thresholds.length === 0) return;
          expect([bounds[0], bounds.at(-1)]).toEqual([0.25, 4]);
          thresholds.slice(1).forEach(({ fromFactor }, index) => {
            expect(fromFactor).toBe(thresholds[index]?.toFactor);
          });
          for (const factor of [0.25, 1, 4, drawn]) {
            const customer = scaled(request.customer, factor);
            const ranking = rankEntries(entries, {
              ...request,
              customer,
              seesCommissions: false,
              limit: 200,
              bill: null,
            });
            const named = thresholds.filter(({ fromFactor, toFactor }) => fromFactor <= factor && factor <= toFactor);
            const lowest = ranking.costRangeEur?.min ?? 0;
            const costs = ranking.results.filter(({ offer }) => named.some(({ offerId }) => offerId === offer.id));
            for (const { cost } of costs)
              expect(cost.totalEur - lowest).toBeLessThan(near(lowest) + near(ranking.costRangeEur?.max ?? 0));
            expect(costs.length).toBeGreaterThan(0);
          }
        },
      ),
    );
  });

  test('do not depend on a commission', () => {
    holds(
      fc.property(arbitraryQuestion(), ({ entries, request }) => {
        const of = (seesCommissions: boolean) =>
          rankEntries(entries, { ...request, seesCommissions, reasons: askReasons({ thresholds: true }) }).reasons;
        expect(of(true)).toEqual(of(false));
      }),
    );
  });
});

const PRICE = fc.integer({ min: 40, max: 300 }).map((n) => n / 1000);
const HISTORY = fc.array(fc.tuple(PRICE, PRICE), { minLength: 1, maxLength: 40 });

function monthOf(index: number): string {
  return `${2020 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`;
}

function monthsOf(prices: readonly (readonly [number, number])[]): readonly MonthlyPrice[] {
  const [, , ...rest] = NO_PRICES;
  return prices.map(([punta, llano], index) => ({
    supplyType: 'LUZ',
    month: monthOf(index),
    energyEurPerKwh: [punta, llano, ...rest],
    powerEurPerKwDay: NO_PRICES,
  }));
}

const INDEXED = electricityOffer({ id: 1, isIndexed: true });
const HOME: Customer = {
  supplyType: 'LUZ',
  consumptionKwh: [700, 900, 0, 0, 0, 0],
  powerKw: [0, 0, 0, 0, 0, 0],
  exportedKwh: 0,
};

/** With three windows of a year where an offer has months at all. */
function _withFourteenMonths({ offer, months }: OfferWithHistory): OfferWithHistory {
  const cycled = Array.from({ length: 14 }, (_, index) => months.slice(index % Math.max(1, months.length))[0]);
  return { offer, months: cycled.flatMap((one, index) => (one ? [{ ...one, month: monthOf(index) }] : [])) };
}

function pastOf(entries: readonly OfferWithHistory[]) {
  const ranking = rankEntries(entries, requestOf({ customer: HOME, reasons: askReasons({ retrospective: true }) }));
  return ranking.results.find(({ offer }) => offer.isIndexed)?.reasons?.retrospective;
}

describe('A-116: what an indexed offer would have cost', () => {
  test('has a cost for each 12 consecutive months, and each is that of a ranking over them', () => {
    holds(
      fc.property(HISTORY, PRICE, fc.option(fc.nat({ max: 39 }), { nil: null }), (prices, fixed, missing) => {
        const months = monthsOf(prices).filter((_month, index) => index !== missing || prices.length === 1);
        const rival = flatOffer(2, fixed * 1000, 0);
        const other = { offer: { ...rival, energyEurPerKwh: perPeriod(() => fixed) }, months: [] };
        const windows = months.flatMap((first, index) => {
          const window = months.slice(index, index + 12);
          const span = monthNumber(window.at(-1)?.month ?? '') - monthNumber(first.month);
          return window.length === 12 && span === 11 ? [window] : [];
        });
        const costs = windows.map((window) => {
          const { results } = rankEntries([{ offer: INDEXED, months: window }], requestOf({ customer: HOME }));
          return results[0]?.cost.totalEur ?? Number.NaN;
        });
        const past = pastOf([{ offer: INDEXED, months }, other]);
        if (missing === null || missing >= prices.length)
          expect(past?.windowCount).toBe(Math.max(0, prices.length - 11));
        expect(past?.windowCount).toBe(costs.length);
        if (costs.length === 0) {
          expect(past).toMatchObject({ lowestEur: null, medianEur: null, latestEur: null, timesCheapest: null });
          return;
        }
        const fixedEur = fixed * 1600;
        expect([past?.lowestEur, past?.highestEur, past?.latestEur]).toEqual([
          Math.min(...costs),
          Math.max(...costs),
          costs.at(-1),
        ]);
        expect(costs.filter((eur) => eur <= (past?.medianEur ?? 0)).length).toBeGreaterThanOrEqual(costs.length / 2);
        expect(costs.filter((eur) => eur >= (past?.medianEur ?? 0)).length).toBeGreaterThanOrEqual(costs.length / 2);
        expect(past?.mostRegretEur).toBeCloseTo(Math.max(0, Math.max(...costs) - fixedEur), 5);
        expect(past?.mostMissedEur).toBeCloseTo(Math.max(0, fixedEur - Math.min(...costs)), 5);
        expect(past?.timesCheapest).toBe(costs.filter((eur) => eur < Math.round(fixedEur * 1e6) / 1e6).length);
      }),
    );
  });

  test('is one figure where the prices never changed, and has nothing to be compared with without another offer', () => {
    const past = pastOf([{ offer: INDEXED, months: monthsOf(Array.from({ length: 30 }, () => [0.1, 0.12] as const)) }]);
    expect(past).toEqual({
      ...{ windowCount: 19, lowestEur: 178, medianEur: 178, highestEur: 178, latestEur: 178 },
      ...{ timesCheapest: null, mostRegretEur: null, mostMissedEur: null },
    });
  });
});

const EUR = fc.integer({ min: 1, max: 100_000 }).map((n) => n / 100);
/** Few amounts: at the weights beside them a lead in commission is often worth as much as the whole range of costs. */
const PAID = fc.oneof(
  EUR,
  fc.integer({ min: 0, max: 8 }).map((n) => n * 20),
);
const TIED_WEIGHT = fc.constantFrom(0.5, 0.4, 0.3, 0.25, 0.2);
const RIVALS = fc.array(fc.tuple(EUR, PAID), { minLength: 1, maxLength: 8 });

function firstOf(
  costEur: number,
  { paid, rivals, weight }: { paid: number; rivals: readonly (readonly [number, number])[]; weight: number },
) {
  const offers = [
    flatOffer(1, costEur, paid),
    ...rivals.map(([cost, commission], index) => flatOffer(index + 2, cost, commission)),
  ];
  return rankEntries(withoutHistory(offers), requestOf({ weight })).mostEfficientId;
}

describe('A-116: the highest cost at which an offer is the first', () => {
  test('below it the offer is the first of a ranking, and above it another one is', () => {
    let [asDearest, asCheapest] = [0, 0];
    holds(
      fc.property(PAID, RIVALS, fc.oneof(WEIGHT, TIED_WEIGHT), (paid, rivals, weight) => {
        const others = rivals.map(([costEur, commissionEur]) => ({ costEur, commissionEur }));
        const highest = winningCost(listed(others), paid, weight);
        const question = { paid, rivals, weight };
        const costs = others.map(({ costEur }) => costEur).sort((a, b) => a - b);
        const [min = 0, max = min] = [costs[0], costs.at(-1)];
        const isAt = (end: number) =>
          others.some((other) => other.costEur === end && other.commissionEur !== paid) &&
          Math.abs(end - highest) < 1e-9;
        if (weight < 1 && min < max && isAt(min)) asCheapest += 1;
        if (weight < 1 && min < max && isAt(max)) asDearest += 1;
        // Scores are rounded to 9 decimals, which the range of costs enlarges; beyond it they change ever less.
        const beyond = Math.max(0, min - highest, highest - max);
        const apart = 1e-3 + 1e-6 * Math.abs(highest) + 1e-7 * beyond ** 2;
        if (weight > 0 && weight < 1e-3) return;
        if (highest === Number.POSITIVE_INFINITY) expect(firstOf(1e6, question)).toBe(1);
        else if (highest < -1e6) expect(firstOf(-1e5, question)).not.toBe(1);
        else {
          expect(firstOf(highest - apart, question)).toBe(1);
          expect(firstOf(highest + apart, question)).not.toBe(1);
        }
      }),
      runsOf(500, 1000),
    );
    // Where a cost beyond all others makes no difference: the ends of the range.
    expect(Math.min(asDearest, asCheapest)).toBeGreaterThan(runsOf(1, 5));
  });

  test('any cost is low enough without a rival', () => {
    expect(winningCost(listed([]), 0, 0.5)).toBe(Number.POSITIVE_INFINITY);
  });
});

/** The winner of a ranking, with one price of energy changed. */
function withPrice(entries: readonly OfferWithHistory[], { mostEfficientId }: Ranking, period: number, price: number) {
  return entries.map((entry): OfferWithHistory => {
    const { offer } = entry;
    if (offer.id !== mostEfficientId || offer.supplyType !== 'LUZ') return entry;
    return {
      ...entry,
      offer: {
        ...offer,
        energyEurPerKwh: perPeriod((i) => (i === period - 1 ? price : (offer.energyEurPerKwh[i] ?? null))),
      },
    };
  });
}

describe('A-116: the margin of the first offer', () => {
  const OFFER = fc.record({
    punta: PRICE,
    llano: PRICE,
    services: fc.constantFrom(null, 0, 3.5),
    paid: PAID,
    surplus: fc.constantFrom(null, 0.05, 0.12),
    percent: fc.constantFrom(null, 10, 35),
  });
  const drawn = fc.record({
    offers: fc.array(OFFER, { minLength: 2, maxLength: 6 }),
    weight: fc.oneof(fc.constantFrom(1, 0.8), TIED_WEIGHT),
    sees: fc.boolean(),
    exportedKwh: fc.constantFrom(0, 300, 5000),
    parts: fc.boolean(),
  });

  test('up to it the offer stays the first of a ranking, and above it does not', () => {
    let turned = 0;
    holds(
      fc.property(drawn, ({ offers, weight, sees, exportedKwh, parts }) => {
        const [, , ...rest] = NO_PRICES;
        const entries = withoutHistory(
          offers.map(({ punta, llano, services, paid, surplus, percent }, index) =>
            electricityOffer({
              ...{ id: index + 1, energyEurPerKwh: [punta, llano, ...rest], servicesEurPerMonth: services },
              ...{ commissionValue: paid, hasSolarPanels: surplus !== null, surplusEurPerKwh: surplus },
              ...{ energyDiscountPercent: percent, discountMonths: percent && 8 },
            }),
          ),
        );
        const half = { month: null, days: 365 / 2, consumptionKwh: [350, 450, 0, 0, 0, 0] };
        const profile = [
          { ...half, days: 182, exportedKwh: 0 },
          { ...half, days: 183, exportedKwh },
        ];
        const customer: Customer = { ...HOME, exportedKwh, ...(parts && { profile }) };
        const request: RankingRequest = requestOf({ customer, weight, seesCommissions: sees });
        const ranking = rankEntries(entries, { ...request, reasons: askReasons({ margin: true }) });
        const energy = ranking.reasons?.margin?.filter(({ part }) => part === 'energyEur') ?? [];
        expect(energy.map(({ period }) => period)).toEqual([1, 2]);
        for (const { period, risesTo } of energy) {
          if (period === null) continue;
          const at = (price: number) =>
            rankEntries(withPrice(entries, ranking, period, price), request).mostEfficientId;
          if (risesTo === null) {
            expect(at(1e4)).toBe(ranking.mostEfficientId);
            continue;
          }
          turned += 1;
          expect(at(risesTo - 1e-5)).toBe(ranking.mostEfficientId);
          expect(at(risesTo + 1e-5)).not.toBe(ranking.mostEfficientId);
        }
      }),
      200,
    );
    expect(turned).toBeGreaterThan(100);
  });
});
