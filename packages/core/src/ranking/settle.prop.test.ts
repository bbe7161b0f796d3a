import {
  compileUniverse,
  createPlainKernel,
  type OfferWithHistory,
  type PortfolioAnswer,
  type RankingRequest,
  rankPortfolio,
  rankUniverses,
  type Sieve,
  type SupplyType,
} from '@tarifario/core';
import { arbitraryRequest, arbitraryUniverse } from '@tarifario/core/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryHalves, arbitraryNearTies, WEIGHT } from '../../test/arbitrary-requests.ts';
import { holds } from '../../test/laws.ts';
import { createPlainSieve } from '../../test/plain-sieve.ts';
import {
  electricityOffer,
  flatOffer,
  multiplied,
  ONE_MWH,
  requestOf,
  withoutHistory,
} from '../../test/simple-offers.ts';

function partsOf(supplyType: SupplyType, entries: readonly OfferWithHistory[]) {
  return [{ universe: compileUniverse(supplyType, entries), admits: () => true }];
}

/** What `rankUniverses` tells one customer, as a portfolio tells it. */
function alone(parts: ReturnType<typeof partsOf>, request: RankingRequest): PortfolioAnswer {
  const { excluded, winners, bestPaidId, ...ranking } = rankUniverses(parts, request);
  return { ranked: true, ranking };
}

function expectAlike(entries: readonly OfferWithHistory[], requests: readonly RankingRequest[], sieve: Sieve): void {
  const parts = partsOf(requests[0]?.customer.supplyType ?? 'LUZ', entries);
  expect(rankPortfolio(parts, requests, { sieve })).toEqual(requests.map((request) => alone(parts, request)));
}

const COUNT = fc.oneof(fc.constantFrom(127, 128, 129), fc.integer({ min: 128, max: 300 }));
const STEP = fc.constantFrom(1, 0.01, 1e-6, 0);
const SIEVE = fc
  .record({ width: fc.integer({ min: 1, max: 5 }), atLeast: fc.constantFrom(0, 0, 7, 64, 1000) })
  .map((options) => () => createPlainSieve(options));

const GIVEN = fc.constantFrom<SupplyType>('LUZ', 'GAS').chain((supplyType) =>
  fc.record({
    entries: arbitraryUniverse({ supplyType, maxLength: 25 }),
    count: COUNT,
    stepEur: STEP,
    requests: fc.array(arbitraryRequest(supplyType), { minLength: 1, maxLength: 9 }),
    sieve: SIEVE,
  }),
);

test('a portfolio with a sieve tells every customer what he is told alone', () => {
  holds(
    fc.property(GIVEN, ({ entries, count, stepEur, requests, sieve }) => {
      expectAlike(multiplied(entries, count, stepEur), requests, sieve());
    }),
    150,
  );
});

test('offers that are hard to tell apart are told apart as without a sieve', () => {
  const limit = fc.constantFrom(1, 2, 3, 10, 200);
  holds(
    fc.property(arbitraryNearTies(60), COUNT, limit, SIEVE, (near, count, most, sieve) => {
      const entries = multiplied(near, count, 1e-6);
      const requests = [0, 0.3, 0.5, 1].flatMap((weight) =>
        [true, false].map((seesCommissions) => requestOf({ weight, limit: most, seesCommissions })),
      );
      expectAlike(entries, requests, sieve());
    }),
    100,
  );
});

test('A-03: at half a millionth, where the order of an addition tells, settled figures are those of the definition', () => {
  holds(
    fc.property(arbitraryHalves(), WEIGHT, SIEVE, ({ entries, request }, weight, sieve) => {
      expectAlike(multiplied(entries, 128, 1e-6), [{ ...request, weight, limit: 40 }], sieve());
    }),
    150,
  );
});

test('where nobody has the prices that are needed nothing is ranked', () => {
  const entries = withoutHistory(Array.from({ length: 200 }, (_, i) => electricityOffer({ id: i + 1 })));
  expectAlike(entries, [requestOf(), requestOf({ seesCommissions: false })], createPlainSieve());
});

test('one offer alone may have the prices that are needed', () => {
  const entries = withoutHistory(
    Array.from({ length: 200 }, (_, i) => (i === 77 ? flatOffer(78, 5, 1) : electricityOffer({ id: i + 1 }))),
  );
  expectAlike(entries, [requestOf(), requestOf({ seesCommissions: false })], createPlainSieve());
});

test('costs and commissions may all be below 0', () => {
  const entries = withoutHistory(Array.from({ length: 200 }, (_, i) => flatOffer(i + 1, -1 - i, -1 - (i % 7))));
  expectAlike(entries, [requestOf({ limit: 5 }), requestOf({ limit: 5, weight: 1 })], createPlainSieve());
});

test.each([
  ['cheap and well paid', { servicesEurPerMonth: 0, commissionValue: 1e6 }],
  ['dear and paid nothing', { servicesEurPerMonth: 1e6, commissionValue: 0 }],
])('a first offer that lacks a price, and would be %s without it, is in no figure', (_name, fields) => {
  const others = Array.from({ length: 200 }, (_, i) => flatOffer(i + 2, 100 + ((i * 37) % 101), 5 + ((i * 17) % 89)));
  const entries = withoutHistory([electricityOffer({ id: 1, ...fields }), ...others]);
  const requests = [0, 0.5, 1].map((weight) => requestOf({ weight, limit: 5 }));
  expectAlike(entries, requests, createPlainSieve());
});

test('a sieve that cannot tell changes no answer', () => {
  const entries = withoutHistory(Array.from({ length: 200 }, (_, i) => flatOffer(i + 1, i, i % 9)));
  expectAlike(entries, [requestOf(), requestOf({ weight: 1 })], { width: 2, price: () => null });
});

/** A square of offers, each with a cost and a commission of its own. */
function square(count: number): readonly OfferWithHistory[] {
  return withoutHistory(
    Array.from({ length: count }, (_, i) => flatOffer(i + 1, 100 + ((i * 389) % 1009), 50 + ((i * 211) % 997))),
  );
}

function usingKwh(kwh: number): RankingRequest {
  return requestOf({ customer: { ...ONE_MWH, consumptionKwh: [kwh, 0, 0, 0, 0, 0] }, limit: 10 });
}

test('a sieve is asked where there are 128 offers or more', () => {
  for (const [count, questions] of [
    [127, []],
    [128, [1]],
  ] as const) {
    const asked: number[] = [];
    expectAlike(square(count), [usingKwh(1000)], createPlainSieve({ asked }));
    expect(asked).toEqual(questions);
  }
});

test('a sieve is asked for neighbours who need the same prices together, as many as it prices at once', () => {
  const asked: number[] = [];
  const priced = square(150).map(({ offer, months }) =>
    offer.supplyType === 'LUZ'
      ? { offer: { ...offer, energyEurPerKwh: [0.1, offer.id / 1e3, null, null, null, null] as const }, months }
      : { offer, months },
  );
  const alsoInP2 = requestOf({ customer: { ...ONE_MWH, consumptionKwh: [1000, 10, 0, 0, 0, 0] } });
  const requests = [usingKwh(1), alsoInP2, usingKwh(3), usingKwh(2), alsoInP2, usingKwh(4), usingKwh(5)];
  expectAlike(priced, requests, createPlainSieve({ width: 3, asked }));
  expect(asked).toEqual([3, 2, 2]);
});

test('all are ranked where more are left than 64, and than the limit and an eighth of the offers', () => {
  const plain = createPlainKernel();
  const rankedWith = (count: number, atLeast: number) => {
    let ranked = 0;
    const kernel = {
      rank: (task: Parameters<typeof plain.rank>[0]) => {
        ranked++;
        return plain.rank(task);
      },
    };
    const parts = partsOf('LUZ', square(count));
    const answers = rankPortfolio(parts, [usingKwh(1000)], { kernel, sieve: createPlainSieve({ atLeast }) });
    expect(answers).toEqual([alone(parts, usingKwh(1000))]);
    return ranked;
  };
  expect([64, 65].map((atLeast) => rankedWith(128, atLeast))).toEqual([0, 1]);
  expect([110, 111].map((atLeast) => rankedWith(800, atLeast))).toEqual([0, 1]);
});
