import {
  BLOCK_ROWS,
  compileUniverse,
  createPlainKernel,
  demandOf,
  type OfferWithHistory,
  openPortfolio,
  type PortfolioAnswer,
  perPeriod,
  type RankingRequest,
  rankPortfolio,
  rankUniverses,
  type Sieve,
  type SupplyType,
  YEAR,
} from '@tarifario/core';
import { arbitraryRequest, arbitraryUniverse } from '@tarifario/core/testing';
import { createSimdSieve, type SimdSieve } from '@tarifario/kernel-simd';
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryNearTies, WEIGHT } from '../../core/test/arbitrary-requests.ts';
import { holds } from '../../core/test/laws.ts';
import {
  electricityOffer,
  flatOffer,
  multiplied,
  ONE_MWH,
  requestOf,
  withoutHistory,
} from '../../core/test/simple-offers.ts';
import { chance } from '../../core/test/speed/speed-universe.ts';

const kernel = createPlainKernel();

function simdSieve(maxBytes?: number): SimdSieve {
  const sieve = createSimdSieve(maxBytes === undefined ? {} : { maxBytes });
  if (!sieve) throw new Error('this processor has no SIMD');
  return sieve;
}

/** A sieve that counts how often it could tell, so that a law that never tried it is found out. */
function counting(sieve: Sieve): Sieve & { readonly told: () => number } {
  let told = 0;
  return {
    width: sieve.width,
    price(...asked) {
      const sifted = sieve.price(...asked);
      if (sifted) told++;
      return sifted;
    },
    told: () => told,
  };
}

type Parts = readonly { readonly universe: ReturnType<typeof compileUniverse>; readonly admits: () => boolean }[];

function partsOf(supplyType: SupplyType, entries: readonly OfferWithHistory[]): Parts {
  return [{ universe: compileUniverse(supplyType, entries), admits: () => true }];
}

/** What `rankUniverses` tells one customer, as a portfolio tells it. */
function alone(parts: Parts, request: RankingRequest): PortfolioAnswer {
  const { excluded, winners, bestPaidId, ...ranking } = rankUniverses(parts, request, { kernel });
  return { ranked: true, ranking };
}

function expectAlike(parts: Parts, requests: readonly RankingRequest[], sieve: Sieve): void {
  const told = rankPortfolio(parts, requests, { kernel, sieve });
  expect(told).toEqual(requests.map((request) => alone(parts, request)));
}

const COUNT = fc.oneof(
  fc.integer({ min: 128, max: 400 }),
  fc.constantFrom(1, 127, 128, 159, 160, 161, BLOCK_ROWS, BLOCK_ROWS + 1),
);
/** From far apart to a millionth, and none. */
const STEP = fc.constantFrom(1, 0.01, 1e-4, 1e-6, 0);

const GIVEN = fc.constantFrom<SupplyType>('LUZ', 'GAS').chain((supplyType) =>
  fc.record({
    supplyType: fc.constant(supplyType),
    entries: arbitraryUniverse({ supplyType, maxLength: 25 }),
    count: COUNT,
    stepEur: STEP,
    requests: fc.array(arbitraryRequest(supplyType), { minLength: 1, maxLength: 7 }),
  }),
);

test('a sieve changes no answer: means, months, services, surplus, fees, gas, gaps, filters, masked callers', () => {
  const sieve = counting(simdSieve());
  holds(
    fc.property(GIVEN, ({ supplyType, entries, count, stepEur, requests }) => {
      expectAlike(partsOf(supplyType, multiplied(entries, count, stepEur)), requests, sieve);
    }),
    150,
  );
  expect(sieve.told()).toBeGreaterThan(100);
});

test('near ties, equal columns, one far away and sums beyond all precision are told apart as without a sieve', () => {
  const sieve = counting(simdSieve());
  const limit = fc.constantFrom(1, 2, 3, 10, 200);
  holds(
    fc.property(arbitraryNearTies(200), COUNT, WEIGHT, limit, fc.boolean(), (near, count, weight, most, sees) => {
      const entries = near.concat(multiplied(near, count, 1e-6)).map(({ offer, months }, i) => {
        return { offer: { ...offer, id: i + 1 }, months };
      });
      const requests = [weight, 1, 0].map((w) => requestOf({ weight: w, limit: most, seesCommissions: sees }));
      expectAlike(partsOf('LUZ', entries), requests, sieve);
    }),
    200,
  );
  expect(sieve.told()).toBeGreaterThan(100);
});

const TIGHT_CUSTOMER = {
  supplyType: 'LUZ',
  consumptionKwh: [811.3, 1203.7, 377.1, 951.9, 602.3, 1499.7],
  powerKw: [4.6, 4.7, 5.1, 5.3, 5.9, 6.7],
  exportedKwh: 333.3,
} as const;

/**
 * Offers with fourteen prices each, of which a third cost nearly the least and pay nearly the most, and a third the other way round: by
 * millionths to thousandths of a euro, where single precision puts them in another order.
 */
function tightMarket(seed: number, count: number, scale: number): readonly OfferWithHistory[] {
  const next = chance(seed);
  const { annualMwh, highestPowerKw } = demandOf(TIGHT_CUSTOMER, YEAR);
  const { consumptionKwh, powerKw, exportedKwh } = TIGHT_CUSTOMER;
  const nudged = (targetEur: number) => targetEur + next() * 10 ** -Math.floor(3 + 4 * next());
  return Array.from({ length: count }, (_, i): OfferWithHistory => {
    const middle = 0.2 + 0.6 * next();
    const place = [0, middle, 1][i % 3] ?? 0;
    const energy = consumptionKwh.map(() => scale * (0.05 + 0.2 * next()));
    const power = powerKw.map(() => scale * (0.01 + 0.1 * next()));
    const services = scale * next() * 9;
    const surplus = scale * 0.05 * next();
    const perMwh = scale * 900 * next();
    const sum = (prices: readonly number[], quantities: readonly number[]) =>
      prices.reduce((total, price, period) => total + price * (quantities[period] ?? 0), 0);
    const restEur =
      sum(energy.slice(0, 5), consumptionKwh) + sum(power, powerKw) * 365 + services * 12 - surplus * exportedKwh;
    const lastPrice = (nudged(scale * (2000 + 900 * place)) - restEur) / consumptionKwh[5];
    const perKw = (nudged(scale * (240 - 90 * place)) - perMwh * annualMwh) / (highestPowerKw ?? 1);
    const offer = {
      ...electricityOffer({ id: i + 1 }),
      energyEurPerKwh: perPeriod((period) => (period === 5 ? lastPrice : (energy[period] ?? 0))),
      powerEurPerKwDay: perPeriod((period) => power[period] ?? 0),
      servicesEurPerMonth: services,
      hasSolarPanels: true,
      surplusEurPerKwh: surplus,
      consumptionTiers: [{ from: 0, to: null, value: perMwh, type: 'per_mwh' as const }],
      powerTiers: [{ from: 0, to: null, value: perKw, type: 'per_kw' as const }],
    };
    return { offer, months: [] };
  });
}

test('offers that single precision puts in another order, at both ends of both figures', () => {
  const sieve = counting(simdSieve());
  const given = fc.record({
    seed: fc.integer({ min: 1, max: 1e9 }),
    count: fc.integer({ min: 128, max: 300 }),
    scale: fc.constantFrom(1, 1, 100, 0.01),
    weight: fc.oneof(fc.constantFrom(1, 0), WEIGHT),
    limit: fc.constantFrom(1, 3, 10),
  });
  holds(
    fc.property(given, ({ seed, count, scale, weight, limit }) => {
      const request = requestOf({ customer: TIGHT_CUSTOMER, weight, limit });
      expectAlike(partsOf('LUZ', tightMarket(seed, count, scale)), [request], sieve);
    }),
    200,
  );
  expect(sieve.told()).toBe(200);
});

/** Figures of every size side by side, some of them negative. */
const SIZE: Arbitrary<number> = fc
  .tuple(fc.integer({ min: -9, max: 9 }), fc.double({ min: -1, max: 1, noNaN: true }))
  .map(([power, digits]) => digits * 10 ** power);

test('huge and tiny prices and quantities side by side', () => {
  const sieve = counting(simdSieve());
  const offer = fc.record({ e1: SIZE, e2: SIZE, p1: SIZE, services: SIZE, surplus: SIZE, pays: SIZE, perMwh: SIZE });
  const size = SIZE.map(Math.abs);
  const customer = fc.record({ e1: size, e2: size, p1: size, exported: size, fee: size });
  const offers = fc.array(offer, { minLength: 128, maxLength: 200 });
  holds(
    fc.property(offers, fc.array(customer, { minLength: 1, maxLength: 5 }), WEIGHT, (given, people, weight) => {
      const entries = withoutHistory(
        given.map(({ e1, e2, p1, services, surplus, pays, perMwh }, i) => ({
          ...electricityOffer({ id: i + 1 }),
          energyEurPerKwh: [e1, e2, null, null, null, null] as const,
          powerEurPerKwDay: [p1, null, null, null, null, null] as const,
          servicesEurPerMonth: services,
          hasSolarPanels: true,
          surplusEurPerKwh: surplus,
          commissionValue: pays,
          consumptionTiers: [{ from: 0, to: null, value: i % 2 === 0 ? pays : perMwh, type: 'per_mwh' as const }],
        })),
      );
      const requests = people.map(({ e1, e2, p1, exported, fee }) => ({
        ...requestOf({
          customer: {
            supplyType: 'LUZ',
            consumptionKwh: [e1, e2, 0, 0, 0, 0],
            powerKw: [Math.min(p1, 1e6), 0, 0, 0, 0, 0],
            exportedKwh: exported,
          },
          fees: { energyEurPerMwh: fee, powerEurPerMwh: 0 },
          weight,
          limit: 5,
        }),
      }));
      expectAlike(partsOf('LUZ', entries), requests, sieve);
    }),
    100,
  );
  expect(sieve.told()).toBeGreaterThan(100);
});

test('figures that single precision cannot hold are ranked without the sieve', () => {
  const sieve = counting(simdSieve());
  const entries = withoutHistory(Array.from({ length: 200 }, (_, i) => flatOffer(i + 1, i, i % 9)));
  const contracting = { ...ONE_MWH, powerKw: [1, 0, 0, 0, 0, 0] } as const;
  const priced = entries.map(({ offer, months }) =>
    offer.supplyType === 'LUZ'
      ? { offer: { ...offer, powerEurPerKwDay: [offer.id * 1e26, 0, 0, 0, 0, 0] as const }, months }
      : { offer, months },
  );
  expectAlike(partsOf('LUZ', priced), [requestOf({ customer: contracting })], sieve);
  expect(sieve.told()).toBe(0);
  expectAlike(partsOf('LUZ', priced), [requestOf()], sieve);
  expect(sieve.told()).toBe(1);
});

test('where nobody has the needed prices, nothing is ranked', () => {
  const sieve = counting(simdSieve());
  const entries = Array.from({ length: 200 }, (_, i) => ({ offer: electricityOffer({ id: i + 1 }), months: [] }));
  expectAlike(partsOf('LUZ', entries), [requestOf(), requestOf({ seesCommissions: false })], sieve);
  expect(sieve.told()).toBe(1);
});

test('a sieve whose memory is full, or too small for anything, answers alike and grows no more', () => {
  const bases = [1, 2, 3].map((step) => [
    { offer: flatOffer(1, step, 2), months: [] },
    { offer: flatOffer(2, step + 1, 5), months: [] },
  ]);
  const all = bases.map((base, i) => partsOf('LUZ', multiplied(base, 900 * (i + 1), 0.01)));
  for (const maxBytes of [1, 200_000, 400_000]) {
    const sieve = simdSieve(maxBytes);
    const sizes: number[] = [];
    for (let round = 0; round < 3; round++) {
      for (const parts of all) expectAlike(parts, [requestOf(), requestOf({ weight: 0.9 })], sieve);
      sizes.push(sieve.memoryBytes());
    }
    expect(sizes[2]).toBe(sizes[0]);
  }
});

test('a portfolio says how much it made for its customers', () => {
  const parts = partsOf('LUZ', multiplied([{ offer: flatOffer(1, 3, 2), months: [] }], 500, 0.01));
  const portfolio = openPortfolio(parts, { kernel, sieve: simdSieve() });
  expect(portfolio.heldBytes()).toBe(0);
  portfolio.rank([requestOf()]);
  const held = portfolio.heldBytes();
  expect(held).toBe(500 * (16 * 8 + 4 + 2 * 2 * 8));
  portfolio.rank([requestOf()]);
  expect(portfolio.heldBytes()).toBe(held);
});
