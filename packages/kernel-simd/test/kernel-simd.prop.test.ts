import {
  BLOCK_ROWS,
  compileUniverse,
  createPlainKernel,
  demandOf,
  entrantsOf,
  type KernelTask,
  neededPrices,
  type OfferWithHistory,
  patchUniverse,
  type RankingRequest,
  rankUniverses,
  type Universe,
} from '@tarifario/core';
import { createSimdKernel, type SimdKernel } from '@tarifario/kernel-simd';
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryNearTies, arbitraryQuestion, type Question, WEIGHT } from '../../core/test/arbitrary-requests.ts';
import { holds } from '../../core/test/laws.ts';
import { electricityOffer, flatOffer, requestOf, withoutHistory } from '../../core/test/simple-offers.ts';

function simdKernel(maxBytes?: number): SimdKernel {
  const kernel = createSimdKernel(maxBytes === undefined ? {} : { maxBytes });
  if (!kernel) throw new Error('this processor has no SIMD');
  return kernel;
}

// Without a filter of its own: what both filters are held to.
const plain = createPlainKernel({ near: false });

function taskOf(universe: Universe, request: RankingRequest): KernelTask {
  const { customer, period, fees, seesCommissions: withCommissions, limit } = request;
  const demand = demandOf(customer, period, fees);
  const query = { ...request, demand, withCommissions };
  const blocks = entrantsOf({ universe, admits: (id) => id !== 5 }, query).map(({ columns }) => columns);
  const weight = withCommissions ? request.weight : 1;
  return {
    blocks,
    demand,
    neededPrices: neededPrices(demand),
    withCommissions,
    withContenders: withCommissions,
    weight,
    limit,
  };
}

/** The same offers over and over with new ids: as many as SIMD is used for, and blocks with odd ends. */
function repeated(entries: readonly OfferWithHistory[], count: number): readonly OfferWithHistory[] {
  if (entries.length === 0) return [];
  return Array.from({ length: count }, (_, i) => {
    const entry = entries[i % entries.length] ?? { offer: electricityOffer({ id: 0 }), months: [] };
    return { ...entry, offer: { ...entry.offer, id: i + 1 } };
  });
}

const COUNT = fc.oneof(
  fc.integer({ min: 256, max: 700 }),
  fc.constantFrom(255, 256, 257, BLOCK_ROWS - 1, BLOCK_ROWS, BLOCK_ROWS + 1, 2 * BLOCK_ROWS + 17),
);

const MANY: Arbitrary<Question> = fc
  .tuple(arbitraryQuestion(40), COUNT)
  .map(([{ entries, request }, count]) => ({ entries: repeated(entries, count), request }));

const MANY_NEAR_TIES: Arbitrary<Question> = fc
  .tuple(arbitraryNearTies(300), COUNT, WEIGHT, fc.constantFrom(1, 3, 50, 200), fc.boolean())
  .map(([entries, count, weight, limit, seesCommissions]) => ({
    entries: repeated(entries, count),
    request: requestOf({ weight, limit, seesCommissions }),
  }));

function agrees(simd: SimdKernel, { entries, request }: Question): void {
  const task = taskOf(compileUniverse(request.customer.supplyType, entries), request);
  expect(simd.rank(task)).toEqual(plain.rank(task));
}

test('both kernels answer bit by bit alike: electricity, gas, months, fees, surplus, gaps, filters, communities', () => {
  const simd = simdKernel();
  let ranked = 0;
  holds(
    fc.property(MANY, (question) => {
      agrees(simd, question);
      ranked += question.entries.length;
    }),
    300,
  );
  expect(ranked).toBeGreaterThan(10_000);
});

test('both kernels tell near ties apart alike, at the edges of blocks and of groups too', () => {
  const simd = simdKernel();
  holds(
    fc.property(MANY_NEAR_TIES, (question) => agrees(simd, question)),
    300,
  );
});

test('whoever is alone at an end of a scale is found, wherever he stands', () => {
  const simd = simdKernel();
  const figure = fc.integer({ min: 200, max: 800 });
  const given = fc.record({
    figures: fc.array(fc.tuple(figure, figure), { minLength: 256, maxLength: 400 }),
    alone: fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)),
    weight: WEIGHT,
  });
  holds(
    fc.property(given, ({ figures, alone: [cheapest, dearest, worstPaid, bestPaid], weight }) => {
      const offers = figures.map(([cost, pay], row) => {
        const costEur = row === cheapest ? 100 : row === dearest ? 1000 : cost;
        const payEur = row === worstPaid ? 100 : row === bestPaid ? 1000 : pay;
        return flatOffer(row + 1, costEur, payEur);
      });
      agrees(simd, { entries: withoutHistory(offers), request: requestOf({ weight, limit: 3 }) });
    }),
    150,
  );
});

test('nothing, one offer, and more of the best than there are offers', () => {
  const simd = simdKernel();
  const entries = Array.from({ length: 400 }, (_, i) => ({ offer: flatOffer(i + 1, i % 7, i % 5), months: [] }));
  for (const count of [0, 1, 15, 16, 17, 400]) {
    for (const limit of [1, 400, 600]) {
      agrees(simd, { entries: entries.slice(0, count), request: requestOf({ limit }) });
    }
  }
  const none = entries.map(({ offer, months }) => ({ offer: { ...offer, isActive: false }, months }));
  agrees(simd, { entries: none, request: requestOf() });
  const unpriced = Array.from({ length: 400 }, (_, i) => ({ offer: electricityOffer({ id: i + 1 }), months: [] }));
  agrees(simd, { entries: unpriced, request: requestOf() });
});

test('a memory too small for all offers answers alike, and so does one that is full of others', () => {
  const sizes = [1, 150_000, 300_000, 700_000].map((maxBytes) => simdKernel(maxBytes));
  const universes = [3, 5, 7].map((step) =>
    compileUniverse('LUZ', repeated([{ offer: flatOffer(1, step, 2), months: [] }], 1000 * step)),
  );
  for (let round = 0; round < 3; round++) {
    for (const universe of universes) {
      const task = taskOf(universe, requestOf());
      for (const simd of sizes) expect(simd.rank(task)).toEqual(plain.rank(task));
    }
  }
});

test('ten thousand edits leave the memory as large as it was, and every ranking sees the last one', () => {
  const maxBytes = 3 * 2 ** 20;
  const simd = simdKernel(maxBytes);
  const entryAt = (id: number, costEur: number) => ({ offer: flatOffer(id, costEur, id % 50), months: [] });
  let universe = compileUniverse(
    'LUZ',
    Array.from({ length: 300 }, (_, i) => entryAt(i + 1, 100)),
  );
  let afterHundred = 0;
  for (let edit = 1; edit <= 10_000; edit++) {
    const id = (edit % 300) + 1;
    universe = patchUniverse(universe, [entryAt(id, 99 - edit / 1e4)]);
    expect(simd.rank(taskOf(universe, requestOf({ weight: 1, limit: 1 }))).best[0]?.id).toBe(id);
    if (edit === 100) afterHundred = simd.memoryBytes();
  }
  expect(simd.memoryBytes()).toBe(afterHundred);
  expect(afterHundred).toBeLessThan(maxBytes + 2 ** 20);
});

test('a whole ranking with the SIMD kernel is the one without', () => {
  const kernel = simdKernel();
  holds(
    fc.property(MANY, ({ entries, request }) => {
      const parts = [{ universe: compileUniverse(request.customer.supplyType, entries), admits: () => true }];
      expect(rankUniverses(parts, request, { kernel })).toEqual(rankUniverses(parts, request));
    }),
    50,
  );
});
