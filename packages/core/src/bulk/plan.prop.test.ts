import { BULK_FORMATS, type BulkState, diffOf, planBulkUpdate, readRows, type SheetPart } from '@tarifario/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holds } from '../../test/laws.ts';
import { arbitraryBook, type EditedBook } from '../../testing/books/arbitrary-books.ts';
import { naiveAfterPlan, naiveAfterRows } from '../../testing/books/naive-bulk.ts';
import { arbitraryPlaces, hangsOnBadRow, partsOf, plantFaults } from '../../testing/books/planted-faults.ts';

function outcomeOf({ state, rights }: EditedBook, parts: readonly SheetPart[]) {
  return planBulkUpdate(state, readRows(parts, rights.format), rights);
}

describe.each(BULK_FORMATS)('workbooks of the format %s', (format) => {
  test('A-42: a right one does what its rows do one by one', () => {
    const seen = { created: 0, replaced: 0, deactivated: 0, companiesCreated: 0, pricesUpserted: 0, tiersReplaced: 0 };
    holds(
      fc.property(arbitraryBook(format), (book) => {
        const outcome = outcomeOf(book, partsOf(book.tables));
        if (outcome.kind === 'errors') throw new Error(JSON.stringify(outcome.errors));
        const { plan } = outcome;
        expect(naiveAfterPlan(book.state, plan)).toEqual(naiveAfterRows(book.state, book.tables, format));
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

  test('A-43: bad rows planted in it are those that are reported, no more and no fewer', () => {
    let planted = 0;
    holds(
      fc.property(arbitraryBook(format), arbitraryPlaces(), (book, at) => {
        const { parts, bad } = plantFaults(book.tables, at);
        if (hangsOnBadRow(book, bad, format)) return;
        const outcome = outcomeOf(book, parts);
        const rows = outcome.kind === 'errors' ? outcome.errors.map(({ sheet, row }) => `${sheet} ${row}`) : [];
        expect([...new Set(rows)].toSorted()).toEqual(bad.toSorted());
        planted += bad.length;
      }),
      300,
    );
    expect(planted).toBeGreaterThan(300);
  });

  test('A-26: to a caller who may not see commissions it does the same whatever commissions are stored', () => {
    const places = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 1 });
    let changes = 0;
    holds(
      fc.property(arbitraryBook(format), places, (book, at) => {
        const rights = { ...book.rights, seesCommissions: false };
        const { parts } = plantFaults(book.tables, at);
        const [one, other] = [book.state, withOtherCommissions(book.state)].map((state) => {
          const outcome = outcomeOf({ ...book, state, rights }, parts);
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
