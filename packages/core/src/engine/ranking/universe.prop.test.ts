import { arbitraryOfferWithHistory, arbitraryRequest } from '@tarifario/core/testing';
import { holds } from '@tarifario/testkit/core/laws';
import { entriesOf, flatOffer, requestOf, withoutKeys } from '@tarifario/testkit/core/simple-offers';
import fc from 'fast-check';
import { assert, expect, test } from 'vitest';
import { demandOf, YEAR } from '../cost/customer.ts';
import { ROW_PRICES } from '../cost/table.ts';
import type { OfferWithHistory, SupplyType } from '../offers/offer.ts';
import { BLOCK_ROWS, type Block } from './block.ts';
import { rankUniverses } from './rank.ts';
import { compileUniverse, emptyUniverse, patchUniverse, type Universe } from './universe.ts';

/** Everything that a block knows about each of its rows, without the numbers of slots. */
function rowsOf(block: Block) {
  const demand = demandOf({ supplyType: 'GAS', consumptionKwh: 4321 }, YEAR);
  return entriesOf(block).map((entry, row) => {
    const prices = [null, '2025-03-01'].map((month) => {
      const { prices: own, mask } = block.at(month);
      return { prices: [...own.subarray(row * ROW_PRICES, (row + 1) * ROW_PRICES)], bits: mask[row] };
    });
    return {
      entry,
      id: block.ids[row],
      flags: block.flags[row],
      communities: block.communities[row],
      tariffType: block.tariffTypes[block.tariffSlots[row] ?? -1],
      companyId: block.companyIds[block.companySlots[row] ?? -1],
      commission: [block.rates('consumption', demand.annualMwh), block.rates('power', 4.6)].map((rates) => [
        ...rates.subarray(2 * row, 2 * row + 2),
      ]),
      kind: { ...block.kinds[block.kindSlots[row] ?? -1], tariffSlot: null },
      prices,
    };
  });
}

function expectSound(universe: Universe): void {
  const ids = universe.blocks.flatMap((block) => entriesOf(block).map(({ offer }) => offer.id));
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  for (const { rowCount } of universe.blocks) {
    expect(rowCount).toBeGreaterThan(0);
    expect(rowCount).toBeLessThanOrEqual(BLOCK_ROWS);
  }
}

/** What a writer did: offers added and replaced, each id once in a step, in any order. */
const STEPS = fc.array(
  fc.uniqueArray(arbitraryOfferWithHistory({}, fc.integer({ min: 1, max: 25 })), {
    selector: ({ offer }) => offer.id,
    maxLength: 8,
  }),
  { maxLength: 5 },
);

/** The last state of every offer of a supply. An offer never changes its supply. */
function finalState(supplyType: SupplyType, steps: readonly (readonly OfferWithHistory[])[]) {
  const byId = new Map(steps.flat().map((entry) => [entry.offer.id, entry]));
  return [...byId.values()]
    .filter(({ offer }) => offer.supplyType === supplyType)
    .sort((a, b) => a.offer.id - b.offer.id);
}

test('a patched universe equals the one built from the last state', () => {
  const arbitraryInput = fc.constantFrom<SupplyType>('LUZ', 'GAS').chain((supplyType) =>
    fc.tuple(
      fc.constant(supplyType),
      STEPS.map((steps) => steps.map((step) => step.filter(({ offer }) => offer.supplyType === supplyType))),
      arbitraryRequest(supplyType),
    ),
  );
  holds(
    fc.property(arbitraryInput, ([supplyType, steps, request]) => {
      const patched = steps.reduce(patchUniverse, emptyUniverse(supplyType));
      const built = compileUniverse(supplyType, finalState(supplyType, steps));
      expectSound(patched);
      expect(patched.blocks.flatMap(rowsOf)).toEqual(built.blocks.flatMap(rowsOf));
      const [a, b] = [patched, built].map((universe) =>
        withoutKeys(rankUniverses([{ universe, admits: () => true }], request)),
      );
      expect(a).toEqual(b);
    }),
    150,
  );
});

test('changes of the other supply do not change a universe', () => {
  holds(
    fc.property(STEPS, (steps) => {
      const gas = steps.flat().filter(({ offer }) => offer.supplyType === 'GAS');
      const universe = compileUniverse('LUZ', [{ offer: flatOffer(1, 2, 3), months: [] }]);
      expect(patchUniverse(universe, gas)).toBe(universe);
    }),
    50,
  );
});

function flatEntries(ids: readonly number[], costEur = 1): readonly OfferWithHistory[] {
  return ids.map((id) => ({ offer: flatOffer(id, costEur + (id % 97), id % 89), months: [] }));
}

function range(from: number, to: number, step = 1): readonly number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
}

test('blocks have 1 024 offers, and one more begins the next block', () => {
  const sizes = (count: number) => compileUniverse('LUZ', flatEntries(range(1, count))).blocks.map((b) => b.ids.length);
  expect(sizes(0)).toEqual([]);
  expect(sizes(1024)).toEqual([1024]);
  expect(sizes(1025)).toEqual([1024, 1]);
  expect(sizes(2048)).toEqual([1024, 1024]);
});

test('a block keeps the prices of a month and the offers that were shown, and they count for its memory', () => {
  const [block] = compileUniverse('LUZ', flatEntries(range(1, 10))).blocks;
  assert(block);
  const before = block.heldBytes();
  const prices = block.at('2025-01-01');
  expect(block.heldBytes() - before).toBe(10 * (ROW_PRICES * 8 + 4));
  expect(block.at('2025-01-01')).toBe(prices);
  const entry = block.entryAt(3);
  expect(block.heldBytes() - before).toBe(10 * (ROW_PRICES * 8 + 4) + 2000);
  expect(block.entryAt(3)).toBe(entry);
});

test('only the blocks of the offers that changed are compiled again', () => {
  const universe = compileUniverse('LUZ', flatEntries(range(10, 30_010, 10)));
  const unchangedBlocks = (changed: readonly number[]) => {
    const patched = patchUniverse(universe, flatEntries(changed, 50));
    return universe.blocks.map((block) => patched.blocks.includes(block));
  };
  const first = (index: number) => universe.blocks[index]?.ids[0] ?? 0;
  expect(unchangedBlocks([10])).toEqual([false, true, true]);
  expect(unchangedBlocks([5])).toEqual([false, true, true]);
  expect(unchangedBlocks([first(1)])).toEqual([true, false, true]);
  expect(unchangedBlocks([first(1) - 10])).toEqual([false, true, true]);
  expect(unchangedBlocks([first(1) - 1])).toEqual([true, true, true]); // after a full block: a block of its own
  expect(unchangedBlocks([first(2), first(1)])).toEqual([true, false, false]);
  expect(unchangedBlocks([30_011])).toEqual([true, true, false]);
});

test('a large universe patched across its blocks equals the one built from the last state', () => {
  const ids = fc.integer({ min: 1, max: 9000 });
  const steps = fc.array(
    fc.oneof(
      fc.uniqueArray(ids, { maxLength: 40 }),
      fc.tuple(ids, fc.integer({ min: 1, max: 1200 })).map(([from, count]) => range(from, from + count)),
      fc.constantFrom(range(1, 1023), range(1, 1024), range(1, 1025), range(1024, 2049), range(2, 6000, 2)),
    ),
    { minLength: 1, maxLength: 5 },
  );
  holds(
    fc.property(steps, (changes) => {
      const written = changes.map((changed, step) => flatEntries(changed, step * 10));
      const patched = written.reduce(patchUniverse, emptyUniverse('LUZ'));
      const built = compileUniverse('LUZ', finalState('LUZ', written));
      expectSound(patched);
      expect(patched.blocks.flatMap(entriesOf)).toEqual(built.blocks.flatMap(entriesOf));
      const [a, b] = [patched, built].map((universe) =>
        withoutKeys(rankUniverses([{ universe, admits: () => true }], requestOf({ limit: 20 }))),
      );
      expect(a).toEqual(b);
      for (const block of patched.blocks) {
        expect([...block.ids]).toEqual(entriesOf(block).map(({ offer }) => offer.id));
      }
    }),
    10,
  );
});
