import { arbitraryProfile, profiledCustomer } from '@tarifario/testkit/core/arbitrary-requests';
import { holds } from '@tarifario/testkit/core/laws';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { customer, daysOf, MAINLAND, readingOf, series } from '../../../test/hourly-customers.ts';
import { arbitraryUniverse } from '../../../testing/arbitrary-universes.ts';
import type { HourlyPrices, ProfileEntry } from '../consumption/profile.ts';
import { createMonthMeans } from '../indices/index-days.ts';
import { defineHistory, defineOffer } from '../offers/define-offer.ts';
import type { Offer, OfferWithHistory } from '../offers/offer.ts';
import { perPeriod } from '../periods.ts';
import { costLinesOf, priceOffer } from './cost.ts';
import { type Customer, demandOf, type ElectricityCustomer, periodOf } from './customer.ts';

const NOBODY: ElectricityCustomer = {
  supplyType: 'LUZ',
  consumptionKwh: perPeriod(() => 0),
  powerKw: perPeriod(() => 0),
  exportedKwh: 0,
};
const PROFILED = fc.record({
  entries: arbitraryUniverse({ supplyType: 'LUZ', maxLength: 12 }),
  profile: arbitraryProfile('LUZ'),
});

const customerWith = (profile: readonly ProfileEntry[]): Customer => profiledCustomer(NOBODY, profile);
const demandWith = (profile: readonly ProfileEntry[]) => {
  const asked = customerWith(profile);
  return demandOf(asked, periodOf(asked, {}));
};
const withoutHours = (profile: readonly ProfileEntry[]) =>
  profile.map(({ year: _year, indices: _indices, ...entry }) => entry);
const changed = ({ offer, months }: OfferWithHistory, changes: Partial<Offer>): OfferWithHistory => {
  return { offer: { ...offer, ...changes } as Offer, months };
};
const costOf = (entry: OfferWithHistory, profile: readonly ProfileEntry[]) => {
  const pricing = priceOffer(entry, demandWith(profile), null);
  return pricing.priced ? pricing.cost : null;
};

/** Holds of each offer that has a cost; some have. */
function holdsOfOffers(law: (entry: OfferWithHistory, profile: readonly ProfileEntry[]) => boolean | undefined): void {
  let count = 0;
  const property = fc.property(PROFILED, ({ entries, profile }) => {
    for (const entry of entries) if (costOf(entry, profile) && law(entry, profile)) count++;
  });
  holds(property, 150);
  expect(count).toBeGreaterThan(100);
}

test('A-166: without hours an offer that follows some costs what it costs without, to the last bit, and a year alone changes nothing', () => {
  holdsOfOffers((entry, profile) => {
    const none = changed(entry, { index: null, indexFactor: null, surplusIndex: null });
    const plain = withoutHours(profile);
    expect(costOf(entry, plain)).toEqual(costOf(none, plain));
    const dated = plain.map((part) => (part.month === null ? part : { ...part, year: 2026 }));
    expect(costOf(entry, dated)).toEqual(costOf(none, plain));
    return true;
  });
});

test('A-166: an offer that follows no hours costs the same with and without them, to the last bit', () => {
  holdsOfOffers((entry, profile) => {
    const none = changed(entry, { index: null, surplusIndex: null });
    expect(costOf(none, profile)).toEqual(costOf(none, withoutHours(profile)));
    return true;
  });
});

test('A-166: cost is linear in the factor where it has no discount and no surplus', () => {
  holdsOfOffers((entry, profile) => {
    const parts = profile.map((part) => ({ ...part, exportedKwh: 0 }));
    const energyAt = (indexFactor: number) => {
      const changes = { index: 'PVPC', indexFactor, energyDiscountPercent: null, discountMonths: null };
      return costOf(changed(entry, changes), parts)?.energyEur ?? 0;
    };
    const [none, one, most] = [energyAt(0), energyAt(1), energyAt(3)];
    expect(Math.abs(most - none - 3 * (one - none))).toBeLessThanOrEqual(1e-9 * (1 + Math.abs(most) + Math.abs(one)));
    return one !== none;
  });
});

test('A-166: the credit of an entry is at most its energy, and its lines are its cost', () => {
  holdsOfOffers((entry, profile) => {
    for (const part of profile) {
      const cost = costOf(entry, [part]);
      if (cost) expect(0 - cost.surplusEur).toBeLessThanOrEqual(Math.max(0, cost.energyEur));
    }
    const demand = demandWith(profile);
    const pricing = priceOffer(entry, demand, null);
    if (!pricing.priced) return undefined;
    const sum = costLinesOf(entry, pricing, demand).reduce((eur, line) => eur + line.eur, 0);
    expect(Math.abs(sum - pricing.cost.totalEur)).toBeLessThanOrEqual(1e-6 + 1e-9 * Math.abs(sum));
    return profile.some(({ indices }) => indices?.PVPC !== undefined);
  });
});

const MONTH = fc.constantFrom('2026-01', '2025-10', '2026-03');

/** A month of random prices and loads, read. */
const READ = fc.record({ month: MONTH, prices: fc.infiniteStream(fc.double({ min: -0.2, max: 1, noNaN: true })) });

function readMonth(month: string, prices: Iterator<number>, load: (at: number) => number) {
  const known = new Map<number, number>();
  const days = series([month], (time) => {
    const price = known.get(time) ?? Math.round((prices.next().value ?? 0) * 1e5) / 1e5;
    known.set(time, price);
    return price;
  });
  let at = 0;
  const reading = readingOf(
    customer([month], () => [load(at++), 0]),
    days,
  );
  const means = createMonthMeans({ community: null, ...MAINLAND });
  for (const day of days) means.add(day);
  const mean = perPeriod((period) => means.mean(`${month}-01`, period) ?? 0);
  const start = Date.parse(`${daysOf(month)[0]}T00:00:00Z`);
  return { ...reading, mean, known, start };
}

test('A-166: where the month is stored as a factor of the mean and a constant, the cost is each hour at its own price', () => {
  holds(
    fc.property(READ, fc.constantFrom(1, 0.5, 1.12, 3), fc.constantFrom(0, 0.04), ({ month, prices }, factor, more) => {
      const load = (at: number) => ((at * 7919) % 97) / 100;
      const { curve, months, mean, effectEur } = readMonth(month, prices, load);
      const [entry] = curve.months;
      if (!entry || !months[0]) throw new Error('the month was read');
      const { days, consumptionKwh, exportedKwh } = entry;
      const offer = defineOffer({
        ...{ id: 1, offerName: 'Horas', supplyType: 'LUZ', tariffType: '2.0TD', isIndexed: true, index: 'PVPC' },
        ...{ indexFactor: factor, accepts: { dni: true }, territories: { peninsula: true } },
      });
      const history = defineHistory(offer, [
        { month, energyEurPerKwh: mean.map((price) => factor * price + more).slice(0, 3) },
      ]);
      const profile = [{ month: entry.month, days, consumptionKwh, exportedKwh, indices: { PVPC: months[0] } }];
      const byMeans = consumptionKwh.reduce((sum, kwh, period) => sum + kwh * (factor * (mean[period] ?? 0) + more), 0);
      expect(costOf(history, profile)?.energyEur).toBeCloseTo(byMeans + factor * effectEur, 5);
    }),
    10,
  );
});

test('A-164: flat consumption over a whole month differs by 0', () => {
  holds(
    fc.property(READ, ({ month, prices }) => {
      const { months, effectEur } = readMonth(month, prices, () => 0.25);
      const said = months[0] as HourlyPrices;
      for (const difference of said.differences) expect(Math.abs(difference ?? 0)).toBeLessThanOrEqual(1e-9);
      expect(Math.abs(effectEur)).toBeLessThanOrEqual(1e-6);
    }),
    6,
  );
});

test('A-164: one hour with consumption has its own price: the mean and the difference', () => {
  holds(
    fc.property(READ, fc.nat({ max: 600 }), ({ month, prices }, hour) => {
      const { curve, months, mean, known } = readMonth(month, prices, (at) => (at === hour ? 2 : 0));
      const period = curve.consumptionKwh.findIndex((kwh) => kwh > 0);
      const price = (mean[period] ?? 0) + (months[0]?.differences[period] ?? Number.NaN);
      const nearest = Math.min(...[...known.values()].map((one) => Math.abs(one - price)));
      expect(nearest).toBeLessThanOrEqual(1e-9);
    }),
    6,
  );
});
