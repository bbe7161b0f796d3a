import {
  BULK_FORMATS,
  type BulkState,
  diffOf,
  planBulkUpdate,
  readRows,
  type SheetPart,
} from '@tarifario/core/service';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holds } from '../../test/laws.ts';
import { errorsOf, OWN, planOf, STATE, stored } from '../../test/simple-bulk.ts';
import { arbitraryWorkbook, type EditedWorkbook } from '../../testing/workbooks/arbitrary-workbooks.ts';
import { naiveAfterPlan, naiveAfterRows } from '../../testing/workbooks/naive-bulk.ts';
import { arbitraryPlaces, hangsOnBadRow, partsOf, plantFaults } from '../../testing/workbooks/planted-faults.ts';

function outcomeOf({ state, rights }: EditedWorkbook, parts: readonly SheetPart[]) {
  return planBulkUpdate(state, readRows(parts, rights.format), rights);
}

describe.each(BULK_FORMATS)('workbooks of the format %s', (format) => {
  test('A-42: the whole file has the same effect as its rows one by one', () => {
    const seen = { created: 0, replaced: 0, deactivated: 0, companiesCreated: 0, pricesUpserted: 0, tiersReplaced: 0 };
    holds(
      fc.property(arbitraryWorkbook(format), (workbook) => {
        const outcome = outcomeOf(workbook, partsOf(workbook.tables));
        if (outcome.kind === 'errors') throw new Error(JSON.stringify(outcome.errors));
        const { plan } = outcome;
        expect(naiveAfterPlan(workbook.state, plan)).toEqual(naiveAfterRows(workbook.state, workbook.tables, format));
        expect(new Set(plan.changed.map(({ offerId }) => offerId)).size).toBe(plan.changed.length);
        for (const name of [
          'created',
          'replaced',
          'deactivated',
          'companiesCreated',
          'pricesUpserted',
          'tiersReplaced',
        ] as const) {
          seen[name] += plan.counts[name];
        }
      }),
      300,
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(20);
  });

  test('A-43: exactly the planted wrong rows are reported', () => {
    let planted = 0;
    holds(
      fc.property(arbitraryWorkbook(format), arbitraryPlaces(), (workbook, at) => {
        const { parts, bad } = plantFaults(workbook.tables, at);
        if (hangsOnBadRow(workbook, bad, format)) return;
        const outcome = outcomeOf(workbook, parts);
        const rows = outcome.kind === 'errors' ? outcome.errors.map(({ sheet, row }) => `${sheet} ${row}`) : [];
        expect([...new Set(rows)].toSorted()).toEqual(bad.toSorted());
        planted += bad.length;
      }),
      300,
    );
    expect(planted).toBeGreaterThan(300);
  });

  test('A-26: for a caller who may not see commissions the result does not depend on stored commissions', () => {
    const places = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 1 });
    let changes = 0;
    holds(
      fc.property(arbitraryWorkbook(format), places, (workbook, at) => {
        const rights = { ...workbook.rights, seesCommissions: false };
        const { parts } = plantFaults(workbook.tables, at);
        const [one, other] = [workbook.state, withOtherCommissions(workbook.state)].map((state) => {
          const outcome = outcomeOf({ ...workbook, state, rights }, parts);
          if (outcome.kind === 'errors') return outcome;
          const { counts, warnings, months, changed } = outcome.plan;
          changes += changed.length;
          const touched = changed.map(({ offerId, rows, countsAlways }) => ({ offerId, rows, countsAlways }));
          return { counts, warnings, months, touched, diff: diffOf(outcome.plan, state, rights) };
        });
        expect(other).toEqual(one);
      }),
      150,
    );
    expect(changes).toBeGreaterThan(100);
  });
});

/** The same offers, none of which pays what it paid. */
function withOtherCommissions(state: BulkState): BulkState {
  const offers = state.offers.map(({ offer, months }) => {
    const paid = {
      commissionValue: offer.commissionValue / 2 + 1,
      commissionType: 'per_mwh',
      consumptionTiers: [],
    } as const;
    const other = offer.supplyType === 'LUZ' ? { ...offer, ...paid, powerTiers: [] } : { ...offer, ...paid };
    return { offer: other, months };
  });
  return { ...state, offers };
}

test('A-44: tiers rounded by a spreadsheet to 15 digits are recognised as the stored ones, in any order', () => {
  const bound = fc.double({ min: 0, max: 1e6, noNaN: true }).map((number) => number + 0);
  const bounds = fc.uniqueArray(bound, { minLength: 2, maxLength: 7, selector: (number) => number.toPrecision(14) });
  const rounded = (number: number) => Number(number.toPrecision(15));
  let moved = 0;
  holds(
    fc.property(bounds, fc.infiniteStream(fc.nat(9)), (tierBounds, places) => {
      const [first = 0, ...ends] = tierBounds.toSorted((a, b) => a - b);
      const tiers = ends.map((to, index) => {
        return { from: ends[index - 1] ?? first, to, value: index + 1 / 3, type: 'fixed' } as const;
      });
      const state = { ...STATE, offers: [stored({ id: 10, consumptionTiers: tiers })] };
      const rows = tiers
        .map((tier) => ({ tier, place: places.next().value ?? 0 }))
        .sort((a, b) => a.place - b.place)
        .map(({ tier: { from, to, value } }) => [10, rounded(from), rounded(to), rounded(value)]);
      const workbook = {
        tramos_consumo: [['offer_id', 'consumption_from', 'consumption_to', 'commission'], ...rows],
      };
      expect(errorsOf(workbook, OWN, state)).toEqual([]);
      expect(planOf(workbook, OWN, state).changed).toEqual([]);
      moved += rows.some(([, from = 0], index) => index > 0 && from < Number(rows[index - 1]?.[1])) ? 1 : 0;
    }),
    300,
  );
  expect(moved).toBeGreaterThan(100);
});

test.each(['from', 'to', 'value'] as const)(
  'A-44: a tier of which only `%s` lost its last digits is the stored one',
  (field) => {
    const tier = { from: 1 / 3, to: 2 / 3, value: 4 / 3, type: 'fixed' } as const;
    const sent = { ...tier, [field]: Number(tier[field].toPrecision(15)) };
    expect(sent[field]).not.toBe(tier[field]);
    const state = { ...STATE, offers: [stored({ id: 10, consumptionTiers: [tier] })] };
    const rows = [
      ['offer_id', 'consumption_from', 'consumption_to', 'commission'],
      [10, sent.from, sent.to, sent.value],
    ];
    expect(planOf({ tramos_consumo: rows }, OWN, state).changed).toEqual([]);
  },
);

test('A-44: tiers that differ only in their last digits stay unchanged when no digits were lost', () => {
  const [low, high] = [0.1, 0.1 + 2 ** -56];
  expect(high).not.toBe(low);
  expect(high.toPrecision(15)).toBe(low.toPrecision(15));
  const consumptionTiers = [
    { from: low, to: high, value: 1, type: 'fixed' },
    { from: high, to: 1, value: 2, type: 'fixed' },
  ] as const;
  const state = { ...STATE, offers: [stored({ id: 10, consumptionTiers })] };
  const rows = consumptionTiers.map(({ from, to, value }) => [10, from, to, value]);
  const tramos = [['offer_id', 'consumption_from', 'consumption_to', 'commission'], ...rows];
  expect(planOf({ tramos_consumo: tramos }, OWN, state).changed).toEqual([]);
});
