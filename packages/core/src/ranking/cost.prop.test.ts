import {
  type CostBreakdown,
  type Customer,
  commissionOf,
  demandOf,
  type ElectricityCustomer,
  MAX_KW,
  MAX_KWH,
  NO_FEES,
  type OfferWithHistory,
  type PerPeriod,
  perPeriod,
  priceOffer,
  roundHalfUp,
  type SupplyType,
  YEAR,
} from '@tarifario/core/service';
import {
  arbitraryCustomer,
  arbitraryElectricityCustomer,
  arbitraryElectricityTerms,
  arbitraryFees,
  arbitraryGasCustomer,
  arbitraryPeriod,
  arbitraryUniverse,
} from '@tarifario/core/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryProfile, profiledCustomer } from '../../test/arbitrary-requests.ts';
import { holds } from '../../test/laws.ts';
import { electricityOffer, withoutHistory } from '../../test/simple-offers.ts';

/** An offer with every price, so that it can always be priced. */
const PRICED: fc.Arbitrary<OfferWithHistory> = arbitraryElectricityTerms().map((terms) => ({
  offer: electricityOffer({
    ...terms,
    id: 1,
    isIndexed: false,
    energyEurPerKwh: perPeriod((i) => terms.energyEurPerKwh[i] ?? 0.15),
    powerEurPerKwDay: perPeriod((i) => terms.powerEurPerKwDay[i] ?? 0.08),
  }),
  months: [],
}));

function costOf(entry: OfferWithHistory, customer: ElectricityCustomer, period = YEAR, fees = NO_FEES): CostBreakdown {
  const pricing = priceOffer(entry, demandOf(customer, period, fees), null);
  if (!pricing.priced) throw new Error(`not priced: ${pricing.exclusion.code}`);
  return pricing.cost;
}

function scaled(values: PerPeriod<number>, factor: number): PerPeriod<number> {
  return perPeriod((i) => (values[i] ?? 0) * factor);
}

test('the total is the sum of the parts, rounded once', () => {
  const customer = fc.oneof(arbitraryElectricityCustomer(), arbitraryGasCustomer());
  const arbitraryInput = fc.tuple(customer, arbitraryPeriod(), arbitraryFees()).chain(([one, period, fees]) =>
    arbitraryUniverse({ supplyType: one.supplyType, maxLength: 8 }).map((entries) => ({
      one,
      period,
      fees,
      entries,
    })),
  );
  holds(
    fc.property(arbitraryInput, ({ one, period, fees, entries }) => {
      const demand = demandOf(one, period, fees);
      for (const entry of entries) {
        const pricing = priceOffer(entry, demand, null);
        if (!pricing.priced) continue;
        const { energyEur, powerEur, fixedEur, surplusEur, servicesEur, totalEur } = pricing.cost;
        const parts = [energyEur, powerEur, fixedEur, surplusEur, servicesEur];
        expect(totalEur).toBe(
          roundHalfUp(
            parts.reduce((sum, part) => sum + part),
            6,
          ),
        );
        const largest = Math.max(...parts.map(Math.abs));
        const shownEur = parts.map((part) => Math.round(part * 1e6) / 1e6).reduce((sum, part) => sum + part);
        expect(Math.abs(totalEur - shownEur)).toBeLessThanOrEqual(3e-6 + largest * 2 ** -49);
        expect(surplusEur).toBeLessThanOrEqual(0);
        const commission = commissionOf(entry.offer, demand);
        expect(commission.totalEur).toBe(roundHalfUp(commission.energyEur + commission.powerEur, 6));
      }
    }),
    200,
  );
});

/** Doubling changes no digit of a double, but for numbers too small to have all their digits. */
function expectTwice(actual: number, once: number): void {
  expect(Math.abs(actual - 2 * once)).toBeLessThanOrEqual(Math.abs(actual) < 1e-300 ? 1e-300 : 0);
}

test('twice the energy costs twice the energy part, and nothing else changes', () => {
  holds(
    fc.property(PRICED, arbitraryElectricityCustomer(), arbitraryPeriod(), (entry, definition, period) => {
      const customer = { ...definition, exportedKwh: 0 };
      // The half of it is within bounds, and doubled is what it was.
      const once = costOf(entry, { ...customer, consumptionKwh: scaled(customer.consumptionKwh, 0.5) }, period);
      const more = costOf(entry, customer, period);
      expectTwice(more.energyEur, once.energyEur);
      expect({ ...more, energyEur: 0, totalEur: 0 }).toEqual({ ...once, energyEur: 0, totalEur: 0 });
    }),
  );
});

test('twice the days cost twice the power part, twice the months twice the services', () => {
  holds(
    fc.property(PRICED, arbitraryElectricityCustomer(), arbitraryPeriod(), (entry, customer, { days, months }) => {
      const once = costOf(entry, customer, { days, months });
      const longer = costOf(entry, customer, { days: days * 2, months });
      expectTwice(longer.powerEur, once.powerEur);
      expect({ ...longer, powerEur: 0, totalEur: 0 }).toEqual({ ...once, powerEur: 0, totalEur: 0 });
      const more = costOf(entry, customer, { days, months: months * 2 });
      expectTwice(more.servicesEur, once.servicesEur);
      expect({ ...more, servicesEur: 0, totalEur: 0 }).toEqual({ ...once, servicesEur: 0, totalEur: 0 });
    }),
  );
});

test('more consumption, more power, a longer time or a higher price never costs less', () => {
  const more = fc.record({ period: fc.nat({ max: 5 }), by: fc.double({ min: 0, max: 1, noNaN: true }) });
  holds(
    fc.property(PRICED, arbitraryElectricityCustomer(), more, ({ offer, months }, definition, { period, by }) => {
      if (offer.supplyType !== 'LUZ') throw new Error('an electricity offer was asked for');
      const customer = { ...definition, exportedKwh: 0 };
      const raised = <T extends number | null>(values: PerPeriod<T>, most = Number.POSITIVE_INFINITY) =>
        perPeriod((i) => Math.min(most, (values[i] ?? 0) + (i === period ? by : 0)));
      const base = costOf({ offer, months }, customer).totalEur;
      const dearer = [
        costOf({ offer, months }, { ...customer, consumptionKwh: raised(customer.consumptionKwh, MAX_KWH) }),
        costOf({ offer, months }, { ...customer, powerKw: raised(customer.powerKw, MAX_KW) }),
        costOf({ offer: { ...offer, energyEurPerKwh: raised(offer.energyEurPerKwh) }, months }, customer),
        costOf({ offer: { ...offer, powerEurPerKwDay: raised(offer.powerEurPerKwDay) }, months }, customer),
        costOf({ offer: { ...offer, servicesEurPerMonth: (offer.servicesEurPerMonth ?? 0) + by }, months }, customer),
        costOf({ offer, months }, customer, { days: 366, months: 12 }),
        costOf({ offer, months }, customer, { days: 365, months: 13 }),
      ];
      for (const { totalEur } of dearer) expect(totalEur).toBeGreaterThanOrEqual(base);
    }),
    200,
  );
});

test('A-08: surplus lowers the cost by its price, and by no more than the energy costs', () => {
  const amount = fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.double({ min: 0, max: 1e9, noNaN: true }));
  holds(
    fc.property(PRICED, arbitraryElectricityCustomer(), amount, (entry, customer, exportedKwh) => {
      const without = costOf(entry, { ...customer, exportedKwh: 0 });
      const cost = costOf(entry, { ...customer, exportedKwh });
      const { offer } = entry;
      const price = offer.supplyType === 'LUZ' && offer.hasSolarPanels ? (offer.surplusEurPerKwh ?? 0) : 0;
      expect(cost.surplusEur).toBe(0 - Math.min(exportedKwh * price, without.energyEur));
      expect(cost.totalEur).toBeLessThanOrEqual(without.totalEur);
      expect({ ...cost, surplusEur: 0, totalEur: 0 }).toEqual({ ...without, surplusEur: 0, totalEur: 0 });
    }),
    200,
  );
});

test('a price is needed where something is consumed or contracted, and nowhere else', () => {
  holds(
    fc.property(arbitraryUniverse({ supplyType: 'LUZ' }), arbitraryElectricityCustomer(), (entries, customer) => {
      for (const { offer } of entries) {
        if (offer.supplyType !== 'LUZ') continue;
        const lacks = (quantities: readonly number[], prices: readonly (number | null)[]) =>
          quantities.flatMap((quantity, i) => (quantity > 0 && prices[i] === null ? [i + 1] : []));
        const [energy] = lacks(customer.consumptionKwh, offer.energyEurPerKwh);
        const [power] = lacks(customer.powerKw, offer.powerEurPerKwDay);
        const [entry] = withoutHistory([{ ...offer, isIndexed: false }]);
        if (!entry) continue;
        const pricing = priceOffer(entry, demandOf(customer, YEAR), null);
        const exclusion = pricing.priced ? null : pricing.exclusion;
        if (energy !== undefined) expect(exclusion).toEqual({ code: 'sin_precio_energia', period: energy });
        else if (power !== undefined) expect(exclusion).toEqual({ code: 'sin_precio_potencia', period: power });
        else expect(exclusion).toBeNull();
      }
    }),
  );
});

const PROFILED = fc.constantFrom<SupplyType>('LUZ', 'GAS').chain((supplyType) =>
  fc.record({
    entries: arbitraryUniverse({ supplyType, maxLength: 8 }),
    customer: arbitraryCustomer(supplyType),
    profile: arbitraryProfile(supplyType),
    period: arbitraryPeriod(),
    fees: arbitraryFees(supplyType),
  }),
);

test('A-81: a profile of one entry without a month costs what the whole period costs, to the last bit', () => {
  let priced = 0;
  holds(
    fc.property(PROFILED, ({ entries, customer, profile: [entry], period, fees }) => {
      if (!entry) return;
      const profiled = profiledCustomer(customer, [{ ...entry, month: null }]);
      const { profile, ...whole } = profiled;
      for (const each of entries) {
        const pricing = priceOffer(each, demandOf(profiled, period, fees), null);
        expect(pricing).toEqual(priceOffer(each, demandOf(whole as Customer, period, fees), null));
        if (pricing.priced) priced++;
      }
    }),
    200,
  );
  expect(priced).toBeGreaterThan(200);
});

/** What doubles may add to a sum of so many EUR. */
function noise(eur: number): number {
  return 1e-6 + Math.abs(eur) * 1e-12;
}

test('A-81: a cap for each part never credits more surplus than one cap for the whole, and changes nothing else', () => {
  holds(
    fc.property(PRICED, arbitraryElectricityCustomer(), arbitraryProfile('LUZ'), (entry, customer, parts) => {
      const profiled = profiledCustomer(customer, parts) as ElectricityCustomer;
      const { profile, ...whole } = profiled;
      const [byPart, once] = [costOf(entry, profiled), costOf(entry, whole)];
      expect(Math.abs(byPart.energyEur - once.energyEur)).toBeLessThanOrEqual(noise(once.energyEur));
      expect(byPart.powerEur).toBe(once.powerEur);
      expect(byPart.servicesEur).toBe(once.servicesEur);
      expect(byPart.surplusEur).toBeLessThanOrEqual(0);
      expect(byPart.surplusEur).toBeGreaterThanOrEqual(once.surplusEur - noise(once.surplusEur));
    }),
    300,
  );
});

test('A-82: a profile changes only prices of indexed offers, and excludes the same offers as the whole period', () => {
  let weighted = 0;
  holds(
    fc.property(PROFILED, ({ entries, customer, profile: parts, period, fees }) => {
      const profiled = profiledCustomer(customer, parts);
      const { profile, ...whole } = profiled;
      for (const entry of entries) {
        const byPart = priceOffer(entry, demandOf(profiled, period, fees), null);
        const once = priceOffer(entry, demandOf(whole as Customer, period, fees), null);
        expect(byPart.priced).toBe(once.priced);
        if (!byPart.priced || !once.priced) {
          expect(byPart).toEqual(once);
          continue;
        }
        expect(byPart.prices).toEqual(once.prices);
        const isWeighted = byPart.origin?.mode === 'media' && byPart.origin.isWeighted;
        expect({ ...byPart.origin, isWeighted: false }).toEqual({ ...once.origin, isWeighted: false });
        if (isWeighted) weighted++;
        else if (byPart.cost.surplusEur === 0 && once.cost.surplusEur === 0)
          expect(Math.abs(byPart.cost.totalEur - once.cost.totalEur)).toBeLessThanOrEqual(noise(once.cost.energyEur));
      }
    }),
    200,
  );
  expect(weighted).toBeGreaterThan(50);
});
