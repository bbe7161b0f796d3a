import { holds } from '@tarifario/testkit/core/laws';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorsOf, OWN, planOf, STATE, stored } from '../../test/simple-bulk.ts';
import { arbitraryWorkbook } from '../../testing/workbooks/arbitrary-workbooks.ts';
import { partsOf, plantFaults } from '../../testing/workbooks/planted-faults.ts';
import { BULK_FORMATS } from '../engine/errors.ts';
import { isMaskedChange } from '../engine/offers/difference.ts';
import { diffOf } from './diff.ts';
import { type BulkCounts, planBulkUpdate } from './plan.ts';
import { readRows } from './read-rows.ts';
import type { BulkState } from './state.ts';

describe.each(BULK_FORMATS)('workbooks of the format %s', (format) => {
  test('have rows of every kind, so that laws about them say something', () => {
    const counts = fc.sample(arbitraryWorkbook(format), { seed: 1, numRuns: 100 }).map(({ state, tables, rights }) => {
      const outcome = planBulkUpdate(state, readRows(partsOf(tables), format), rights);
      if (outcome.kind === 'errors') throw new Error(JSON.stringify(outcome.errors));
      return outcome.plan.counts;
    });
    for (const kind of Object.keys(counts[0] ?? {}) as (keyof BulkCounts)[]) {
      expect(counts.filter((one) => one[kind] > 0).length, kind).toBeGreaterThan(5);
    }
  });

  test('A-26: for a caller who may not see commissions the result does not depend on stored commissions', () => {
    const places = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 1 });
    let changes = 0;
    holds(
      fc.property(arbitraryWorkbook(format), places, (workbook, at) => {
        const rights = { ...workbook.rights, seesCommissions: false };
        const { parts } = plantFaults(workbook.tables, at);
        const [one, other] = [workbook.state, withOtherCommissions(workbook.state)].map((state) => {
          const outcome = planBulkUpdate(state, readRows(parts, format), rights);
          if (outcome.kind === 'errors') return outcome;
          const { counts, warnings, months, changed } = outcome.plan;
          changes += changed.length;
          const touched = changed.map(({ before, rows, ...change }) => ({
            ...{ offerId: before.id, rows, isMasked: isMaskedChange(change) },
          }));
          return { counts, warnings, months, touched, diff: diffOf(outcome.plan, state, rights) };
        });
        expect(other).toEqual(one);
      }),
      runsOf(75, 150),
    );
    expect(changes).toBeGreaterThan(50);
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
