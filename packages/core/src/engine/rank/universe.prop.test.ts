import { arbitraryOfferWithHistory, arbitraryRequest } from '@tarifario/core/testing';
import { holds } from '@tarifario/testkit/core/laws';
import { electricityOffer, entriesOf, flatOffer, requestOf } from '@tarifario/testkit/core/simple-offers';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { assert, expect, test } from 'vitest';
import type { ElectricityOffer, OfferWithHistory, SupplyType } from '../offers/offer.ts';
import { offerOfText, rowOf, textOfRow } from '../offers/offer-row.ts';
import { perPeriod } from '../periods.ts';
import { demandOf, YEAR } from '../price/customer.ts';
import { ROW_PRICES } from '../price/prices.ts';
import { amountAt, tiersAt } from '../price/rows.ts';
import { monthAt } from '../price/rule.ts';
import { belowLeastIn, entryAt, heldBytes, monthlyIn, pricesAt, readAt, type Table } from '../price/table.ts';
import { finish } from '../turns.ts';
import { rankUniverses } from './rank.ts';
import type { RankingRequest } from './ranking.ts';
import { namesIn } from './select.ts';
import {
  compileUniverse,
  emptyUniverse,
  patchInTurns,
  patchUniverse,
  TABLE_ROWS,
  type Universe,
  universeBytes,
} from './universe.ts';

/** Everything that a table knows about each of its rows, without the numbers of slots. */
function rowsOf(table: Table) {
  const demand = demandOf({ supplyType: 'GAS', consumptionKwh: 4321 }, YEAR);
  const [names, isBelow, monthly] = [namesIn(table), belowLeastIn(table, LEAST), monthlyIn(table)];
  return entriesOf(table).map((entry, row) => {
    const prices = [null, '2025-03-01'].map((month) => {
      const { prices: own, mask } = pricesAt(table, month);
      return { prices: [...own.subarray(row * ROW_PRICES, (row + 1) * ROW_PRICES)], bits: mask[row] };
    });
    return {
      entry,
      id: table.ids[row],
      flags: table.flags[row],
      communities: table.communities[row],
      tariffType: table.tariffTypes[table.tariffSlots[row] ?? -1],
      companyId: table.companyIds[table.companySlots[row] ?? -1],
      commission: [
        { rates: table.rates.consumption, quantity: demand.annualMwh },
        { rates: table.rates.power, quantity: 4.6 },
      ].map(({ rates, quantity }) => {
        const at = amountAt(rates.starts, tiersAt(rates, quantity), row);
        return [...rates.tiers.subarray(at, at + 2)];
      }),
      kind: table.kinds[table.kindSlots[row] ?? -1],
      prices,
      terms: table.terms[row],
      discounts: [...table.discounts.subarray(3 * row, 3 * row + 3)],
      limits: [...table.limits.subarray(6 * row, 6 * row + 6)],
      name: names[row],
      isBelow: isBelow[row],
      months: Array.from({ length: 12 }, (_, month) => {
        const at = monthAt(monthly, row, month + 1);
        return at < 0 ? null : [...monthly.energy.subarray(at, at + 6)];
      }),
    };
  });
}

const LEAST = { '2.0TD': perPeriod(() => 0.1), '3.0TD': perPeriod(() => 0.05) };

function expectSound(universe: Universe): void {
  const ids = universe.tables.flatMap((table) => entriesOf(table).map(({ offer }) => offer.id));
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  for (const { rowCount } of universe.tables) {
    expect(rowCount).toBeGreaterThan(0);
    expect(rowCount).toBeLessThanOrEqual(TABLE_ROWS);
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

test('a patched universe equals the one built from the last state, whatever was asked of it before', () => {
  const arbitraryInput = fc.constantFrom<SupplyType>('LUZ', 'GAS').chain((supplyType) =>
    fc.tuple(
      fc.constant(supplyType),
      STEPS.map((steps) => steps.map((step) => step.filter(({ offer }) => offer.supplyType === supplyType))),
      arbitraryRequest(supplyType),
    ),
  );
  holds(
    fc.property(arbitraryInput, ([supplyType, steps, request]) => {
      const patched = steps.reduce((before, step) => {
        const known = before.tables.flatMap(rowsOf);
        const after = patchUniverse(before, step);
        // A ranking that has begun goes on with what it has.
        expect(before.tables.flatMap(rowsOf)).toEqual(known);
        return after;
      }, emptyUniverse(supplyType));
      const built = compileUniverse(supplyType, finalState(supplyType, steps));
      expectSound(patched);
      expect(patched.tables.flatMap(rowsOf)).toEqual(built.tables.flatMap(rowsOf));
      const [a, b] = [patched, built].map((universe) => rankUniverses([{ universe, admits: () => true }], request));
      expect(a).toEqual(b);
    }),
    runsOf(50, 150),
  );
});

test('an offer that is replaced in place is paid by its tiers of now; where they are as before all rates stay', () => {
  const tier = { from: 0, to: 5, value: 10, type: 'fixed' } as const;
  const offerOf = (id: number, terms: Partial<ElectricityOffer> = {}) => ({
    offer: electricityOffer({ id, commissionValue: id, consumptionTiers: [tier], ...terms }),
    months: [],
  });
  const before = compileUniverse(
    'LUZ',
    [1, 2, 3].map((id) => offerOf(id)),
  );
  const others: readonly Partial<ElectricityOffer>[] = [
    ...[{ from: 1 }, { to: 4 }, { to: null }, { value: 11 }, { type: 'per_mwh' as const }].map((change) => ({
      consumptionTiers: [{ ...tier, ...change }],
    })),
    { consumptionTiers: [] },
    { consumptionTiers: [tier, { ...tier, from: 5, to: null }] },
    { commissionValue: 99 },
  ];
  for (const id of [1, 2, 3]) {
    for (const terms of others) {
      const now = [1, 2, 3].map((one) => (one === id ? offerOf(id, terms) : offerOf(one)));
      const after = patchUniverse(before, [offerOf(id, terms)]);
      expect(after.tables.flatMap(rowsOf)).toEqual(compileUniverse('LUZ', now).tables.flatMap(rowsOf));
    }
    const renamed = patchUniverse(before, [offerOf(id, { offerName: 'Otra' })]);
    expect(renamed.tables[0]?.rates.consumption).toBe(before.tables[0]?.rates.consumption);
  }
});

test('changes of the other supply do not change a universe', () => {
  holds(
    fc.property(STEPS, (steps) => {
      const gas = steps.flat().filter(({ offer }) => offer.supplyType === 'GAS');
      const universe = compileUniverse('LUZ', [{ offer: flatOffer(1, 2, 3), months: [] }]);
      expect(patchUniverse(universe, gas)).toBe(universe);
    }),
    runsOf(20, 50),
  );
});

function flatEntries(ids: readonly number[], costEur = 1): readonly OfferWithHistory[] {
  return ids.map((id) => ({ offer: flatOffer(id, costEur + (id % 97), id % 89), months: [] }));
}

function range(from: number, to: number, step = 1): readonly number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
}

test('tables have 1 024 offers, and one more begins the next table', () => {
  const sizes = (count: number) => compileUniverse('LUZ', flatEntries(range(1, count))).tables.map((b) => b.ids.length);
  expect(sizes(0)).toEqual([]);
  expect(sizes(1024)).toEqual([1024]);
  expect(sizes(1025)).toEqual([1024, 1]);
  expect(sizes(2048)).toEqual([1024, 1024]);
});

test('a table keeps the prices of a month and the offers that were shown, and they count for its memory', () => {
  const rows = flatEntries(range(1, 10)).map((entry) => ({ entry, text: textOfRow(rowOf(entry)) }));
  const [table] = finish(patchInTurns(emptyUniverse('LUZ'), rows, offerOfText)).tables;
  assert(table);
  const before = heldBytes(table);
  const prices = pricesAt(table, '2025-01-01');
  expect(heldBytes(table) - before).toBe(10 * (ROW_PRICES * 8 + 4));
  expect(pricesAt(table, '2025-01-01')).toBe(prices);
  const entry = entryAt(table, 3);
  const shown = heldBytes(table);
  expect(shown - before).toBeGreaterThan(10 * (ROW_PRICES * 8 + 4));
  expect(entryAt(table, 3)).toBe(entry);
  expect(readAt(table, 4)).not.toBe(readAt(table, 4));
  expect(heldBytes(table)).toBe(shown);
});

test('all that questions add to a table counts for its memory, once', () => {
  const MONTHS = ['2025-01-01', '2025-02-01', '2025-03-01', '2025-04-01'];
  const prices = perPeriod(() => 0.1);
  const entries = flatEntries(range(1, 10)).map(({ offer }): OfferWithHistory => {
    const months = MONTHS.map((month) => ({
      supplyType: 'LUZ' as const,
      month,
      energyEurPerKwh: prices,
      powerEurPerKwDay: prices,
    }));
    return { offer: { ...offer, isIndexed: true }, months };
  });
  const universe = compileUniverse('LUZ', entries);
  const [table] = universe.tables;
  assert(table);
  const grownBy = (asked: Partial<RankingRequest>) => {
    const before = heldBytes(table);
    rankUniverses([{ universe, admits: () => true }], requestOf({ limit: 10, ...asked }));
    return heldBytes(table) - before;
  };
  const search = { words: ['a'], companyNameOf: () => '' };
  // Objects of prices and of their origin take 350 to 480 bytes.
  expect(grownBy({})).toBeGreaterThan(10 * 350);
  for (const month of MONTHS) expect(grownBy({ month })).toBeGreaterThan(10 * (ROW_PRICES * 8 + 4 + 350));
  expect(grownBy({ leastPowerPrices: { '2.0TD': [0.01, 0.01, null, null, null, null] } })).toBe(10);
  expect(grownBy({ search })).toBeGreaterThan(10 * 32);
  for (const asked of [{}, { month: MONTHS[0] ?? null }, { search }]) expect(grownBy(asked)).toBe(0);
  const edited = patchUniverse(universe, entries.slice(0, 1));
  expect(universeBytes(edited)).toBeLessThan(universeBytes(universe));
});

test('only the tables of the offers that changed are compiled again', () => {
  const universe = compileUniverse('LUZ', flatEntries(range(10, 30_010, 10)));
  const unchangedTables = (changed: readonly number[]) => {
    const patched = patchUniverse(universe, flatEntries(changed, 50));
    return universe.tables.map((table) => patched.tables.includes(table));
  };
  const first = (index: number) => universe.tables[index]?.ids[0] ?? 0;
  expect(unchangedTables([10])).toEqual([false, true, true]);
  expect(unchangedTables([5])).toEqual([false, true, true]);
  expect(unchangedTables([first(1)])).toEqual([true, false, true]);
  expect(unchangedTables([first(1) - 10])).toEqual([false, true, true]);
  expect(unchangedTables([first(1) - 1])).toEqual([true, true, true]); // after a full table: a table of its own
  expect(unchangedTables([first(2), first(1)])).toEqual([true, false, false]);
  expect(unchangedTables([30_011])).toEqual([true, true, false]);
});

test('a large universe patched across its tables equals the one built from the last state', () => {
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
      expect(patched.tables.flatMap(entriesOf)).toEqual(built.tables.flatMap(entriesOf));
      const [a, b] = [patched, built].map((universe) =>
        rankUniverses([{ universe, admits: () => true }], requestOf({ limit: 20 })),
      );
      expect(a).toEqual(b);
      for (const table of patched.tables) {
        expect([...table.ids]).toEqual(entriesOf(table).map(({ offer }) => offer.id));
      }
    }),
    10,
  );
});
