import {
  arbitraryHalves,
  arbitraryNearTies,
  arbitraryQuestion,
  type Question,
  WEIGHT,
} from '@tarifario/testkit/core/arbitrary-requests';
import { electricityOffer, requestOf, withoutHistory } from '@tarifario/testkit/core/simple-offers';
import fc, { type Arbitrary } from 'fast-check';
import type { OfferWithHistory } from '../src/engine/offers/offer.ts';
import { perPeriod } from '../src/engine/periods.ts';
import type { ElectricityCustomer } from '../src/engine/price/customer.ts';

/** Where tables of 1 024 rows begin and end, and some sizes between. */
const COUNT = fc.oneof(fc.integer({ min: 1, max: 400 }), fc.constantFrom(1023, 1024, 1025, 2048, 2065));
const LIMIT = fc.constantFrom(1, 2, 3, 7, 50, 200, 300);

/** The same offers over and over with new ids, in that many rows. */
function repeated(entries: readonly OfferWithHistory[], count: number): readonly OfferWithHistory[] {
  if (entries.length === 0) return [];
  return Array.from({ length: count }, (_, i) => {
    const entry = entries[i % entries.length] ?? { offer: electricityOffer({ id: 0 }), months: [] };
    return { ...entry, offer: { ...entry.offer, id: i + 1 } };
  });
}

/** Electricity and gas, months, fees, surplus, gaps, filters, tiers; some inactive. */
const MIXED: Arbitrary<Question> = fc
  .tuple(arbitraryQuestion(40), COUNT)
  .map(([{ entries, request }, count]) => ({ entries: repeated(entries, count), request }));

const NEAR_TIES: Arbitrary<Question> = fc
  .tuple(arbitraryNearTies(120), COUNT, WEIGHT, LIMIT, fc.boolean())
  .map(([entries, count, weight, limit, seesCommissions]) => ({
    entries: repeated(entries, count),
    request: requestOf({ weight, limit, seesCommissions }),
  }));

const HALVES: Arbitrary<Question> = fc
  .tuple(arbitraryHalves(60), WEIGHT, LIMIT)
  .map(([{ entries, request }, weight, limit]) => ({ entries, request: { ...request, weight, limit } }));

const PRICE = fc.integer({ min: 1, max: 400_000 }).map((millionths) => millionths / 1e6);
const PRICES = fc.tuple(PRICE, PRICE, PRICE, PRICE, PRICE, PRICE);

/**
 * Offers that 32 bits cannot distinguish: a few tariffs, each repeated many times with a minimally different price or commission,
 * for a firm that uses all periods, pays tens of thousands and exports.
 */
const CROWD: Arbitrary<Question> = fc
  .record({
    tariffs: fc.array(fc.tuple(PRICES, PRICES, fc.integer({ min: 0, max: 900 })), { minLength: 1, maxLength: 4 }),
    hairs: fc.array(fc.tuple(fc.nat(5), fc.integer({ min: -3, max: 3 }), fc.integer({ min: -2, max: 2 })), {
      minLength: 60,
      maxLength: 500,
    }),
    hairEur: fc.constantFrom(1e-12, 1e-11, 1e-9),
    kwh: fc.integer({ min: 1000, max: 90_000 }),
    exportedKwh: fc.constantFrom(0, 1234.5, 1e6),
    weight: WEIGHT,
    limit: LIMIT,
  })
  .map(({ tariffs, hairs, hairEur, kwh, exportedKwh, weight, limit }) => {
    const offers = hairs.map(([period, hair, pay], index) => {
      const [energy, power, commission] = tariffs[index % tariffs.length] ?? [];
      if (!energy || !power || commission === undefined) throw new Error('there is a tariff');
      return electricityOffer({
        id: index + 1,
        energyEurPerKwh: perPeriod((i) => (energy[i] ?? 0) + (i === period ? hair * hairEur : 0)),
        powerEurPerKwDay: power,
        commissionValue: 1000 + commission + pay * 1e-6,
        servicesEurPerMonth: 4.99,
        hasSolarPanels: index % 2 === 0,
        surplusEurPerKwh: index % 2 === 0 ? 0.0512345 : null,
      });
    });
    const fees = { energyEurPerMwh: 3.3, powerEurPerMwh: 1.1 };
    const customer = firm(kwh, exportedKwh);
    return { entries: withoutHistory(offers), request: requestOf({ customer, fees, weight, limit }) };
  });

function firm(kwh: number, exportedKwh: number): ElectricityCustomer {
  return {
    supplyType: 'LUZ',
    consumptionKwh: perPeriod((i) => kwh + 1000.1 * i),
    powerKw: perPeriod((i) => 17.3 + i),
    exportedKwh,
  };
}

const FIGURE = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 900 }).map((n) => n / 1000) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(0, 5e-324, 1e-320, 1e-45, 1e-38, 1e7, 1e9, 1e12, 1e18, 1e37, 1e39, 1e290, -0.5, -1e7),
  },
);

/** Figures of any size and sign, among them some that floats cannot hold, in prices, commissions and quantities. */
const EXTREMES: Arbitrary<Question> = fc
  .record({
    figures: fc.array(fc.tuple(FIGURE, FIGURE, FIGURE, FIGURE, fc.boolean()), { minLength: 1, maxLength: 80 }),
    calm: fc.boolean(),
    quantities: fc.tuple(...perPeriod(() => fc.constantFrom(0, 0, 1e-320, 1e-9, 0.5, 1000, 123_456.7, 1e9))),
    exportedKwh: fc.constantFrom(0, 1e-320, 1000, 1e9),
    fee: fc.constantFrom(0, 7.5, 100_000),
    weight: WEIGHT,
    limit: LIMIT,
    seesCommissions: fc.boolean(),
  })
  .map(({ figures, calm, quantities, exportedKwh, fee, weight, limit, seesCommissions }) => {
    const size = (figure: number) => (calm ? Math.min(Math.abs(figure), 1) : figure);
    const offers = figures.map(([energy, power, surplus, pay, isPerMwh], i) =>
      electricityOffer({
        id: i + 1,
        energyEurPerKwh: perPeriod((period) => size(period === 0 ? energy : 0.1)),
        powerEurPerKwDay: perPeriod(() => size(power)),
        hasSolarPanels: i % 3 > 0,
        surplusEurPerKwh: size(surplus),
        commissionValue: size(pay) * 100,
        commissionType: isPerMwh ? 'per_mwh' : 'fixed',
      }),
    );
    const customer = {
      supplyType: 'LUZ',
      consumptionKwh: quantities,
      powerKw: perPeriod(() => 4.6),
      exportedKwh,
    } as const;
    const fees = { energyEurPerMwh: calm ? 5 : fee, powerEurPerMwh: 0 };
    return { entries: withoutHistory(offers), request: requestOf({ customer, fees, weight, limit, seesCommissions }) };
  });

/** Few different costs and commissions, so that hundreds of offers share the extremes; consumption and power exactly at bounds. */
const SHARED: Arbitrary<Question> = fc
  .record({
    costs: fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 }),
    pays: fc.array(fc.integer({ min: 0, max: 90 }), { minLength: 1, maxLength: 5 }),
    count: COUNT,
    spread: fc.integer({ min: 1, max: 97 }),
    missing: fc.constantFrom(0, 1, 2, 10),
    mwh: fc.constantFrom(1, 5, 5.000001, 6, 10),
    kw: fc.constantFrom(0, 3, 3.000001, 15),
    weight: WEIGHT,
    limit: LIMIT,
  })
  .map(({ costs, pays, count, spread, missing, mwh, kw, weight, limit }) => {
    const offers = Array.from({ length: count }, (_, i) => {
      const value = pays[(i * spread) % pays.length] ?? 0;
      return electricityOffer({
        id: i + 1,
        energyEurPerKwh: perPeriod(() =>
          missing > 0 && i % missing === 0 ? null : (costs[i % costs.length] ?? 0) / 1000,
        ),
        powerEurPerKwDay: perPeriod(() => 0.1),
        consumptionTiers: [
          { from: 0, to: 5, value, type: 'fixed' },
          { from: 6, to: 10, value: 2, type: 'per_mwh' },
        ],
        powerTiers: [{ from: 3, to: 15, value: i % 3, type: 'per_kw' }],
      });
    });
    const customer = {
      supplyType: 'LUZ',
      consumptionKwh: perPeriod((i) => (i === 0 ? mwh * 1000 : 0)),
      powerKw: perPeriod((i) => (i === 0 ? kw : 0)),
      exportedKwh: 0,
    } as const;
    return { entries: withoutHistory(offers), request: requestOf({ customer, weight, limit }) };
  });

const TOLERANCE = fc.constantFrom(null, null, 0, 1e-6, 0.1, 0.5, 1, 3, 25, 100);

/** The same with a tolerance in place of the weight, or as it is. */
function tolerant(questions: Arbitrary<Question>): Arbitrary<Question> {
  return fc.tuple(questions, TOLERANCE).map(([{ entries, request }, tolerance]) => {
    return { entries, request: tolerance === null ? request : { ...request, tolerance } };
  });
}

/** Markets, each with a property that could make a result wrong. */
export const HOSTILE: Readonly<Record<string, Arbitrary<Question>>> = {
  mixed: tolerant(MIXED),
  'near ties': tolerant(NEAR_TIES),
  'half millionths': tolerant(HALVES),
  'crowds that 32 bits cannot tell apart': tolerant(CROWD),
  'extreme magnitudes': tolerant(EXTREMES),
  'shared ends and tiers at bounds': tolerant(SHARED),
};
