import {
  BULK_FORMATS,
  type BulkFormat,
  type BulkState,
  type CellValue,
  diffOf,
  planBulkUpdate,
  readRows,
  type SheetPart,
} from '@tarifario/core';
import { toSheetRows } from '@tarifario/core/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryBook, type EditedBook } from '../../test/arbitrary-books.ts';
import { holds } from '../../test/laws.ts';
import { naiveAfterPlan, naiveAfterRows, type Table } from '../../test/naive-bulk.ts';

function partsOf(tables: readonly Table[]): readonly SheetPart[] {
  return tables.map(({ name, headers, rows }, sheet) => ({
    sheet,
    name,
    dates1904: false,
    rows: toSheetRows([headers, ...rows]),
  }));
}

function outcomeOf({ state, rights }: EditedBook, parts: readonly SheetPart[]) {
  return planBulkUpdate(state, readRows(parts, rights.format), rights);
}

/** Ways to make a row wrong, by the header of the cell that is planted in it. */
const FAULTS: readonly { readonly header: RegExp; readonly value: CellValue }[] = [
  { header: /./, value: { kind: 'formula' } },
  { header: /./, value: { kind: 'error', text: '#N/A' } },
  { header: /^(e|p)\d|^gas|from$|^services/, value: { kind: 'text', text: 'doce' } },
  { header: /^(e|p)1$|^gas_energy$|^commission$/, value: { kind: 'number', text: '1e7', number: 1e7 } },
  { header: /offer_id$/, value: { kind: 'number', text: '999999', number: 999_999 } },
  { header: /offer_id$/, value: { kind: 'number', text: '1.5', number: 1.5 } },
  { header: /^cliente$/, value: { kind: 'text', text: 'Firma de nadie' } },
  { header: /^reference_month$/, value: { kind: 'text', text: '2025-02-30' } },
  { header: /^(acepta|territory|is_)/, value: { kind: 'text', text: 'quizás' } },
  { header: /^supply_type$/, value: { kind: 'text', text: 'AGUA' } },
  { header: /^communities$/, value: { kind: 'text', text: 'madrid, atlantis' } },
  { header: /^(tariff_type|offer_name|company_name)$/, value: { kind: 'text', text: 'x'.repeat(201) } },
];

interface Planted {
  readonly parts: readonly SheetPart[];
  /** `sheet row` of every row in which something was planted. */
  readonly bad: readonly string[];
}

/** One fault a row. The places are found by numbers, whatever the size of the book. */
function plant(tables: readonly Table[], places: readonly (readonly [number, number, number])[]): Planted {
  let parts = partsOf(tables);
  const bad = new Set<string>();
  const all = parts.flatMap(({ name, rows, sheet }) => rows.slice(1).map(({ row }) => ({ name, row, sheet })));
  for (const [atRow, atFault, atColumn] of places) {
    const place = all[atRow % Math.max(all.length, 1)];
    const fault = FAULTS[atFault % FAULTS.length];
    const headers = place ? (tables[place.sheet]?.headers ?? []) : [];
    const columns = headers.flatMap((header, column) => (fault?.header.test(header) ? [column] : []));
    const column = columns[atColumn % Math.max(columns.length, 1)];
    // Beside an id the names in the other sheets are for people: too long a name there is nobody's error.
    const isName =
      /_name$/.test(headers[column ?? 0] ?? '') && place?.name !== 'ofertas' && fault?.value.kind === 'text';
    if (!place || !fault || column === undefined || isName || bad.has(`${place.name} ${place.row}`)) continue;
    bad.add(`${place.name} ${place.row}`);
    parts = parts.map((part) =>
      part.sheet === place.sheet
        ? { ...part, rows: part.rows.map((row) => (row.row === place.row ? withCell(row, column, fault.value) : row)) }
        : part,
    );
  }
  return { parts, bad: [...bad] };
}

function withCell(row: SheetPart['rows'][number], column: number, value: CellValue): SheetPart['rows'][number] {
  const cells = [...row.cells.filter((cell) => cell.column !== column), { column, value }];
  return { ...row, cells: cells.sort((a, b) => a.column - b.column) };
}

/** Rows that name a new offer whose own row is bad go down with it or stand; the law is about books without them. */
function linksToBad({ tables }: EditedBook, bad: readonly string[], format: BulkFormat): boolean {
  const ofertas = tables.find(({ name }) => name === 'ofertas');
  const id = ofertas?.headers.indexOf(format === 'own' ? 'offer_id' : 'catalog_offer_id') ?? -1;
  return (ofertas?.rows ?? []).some((row, index) => row[id] === null && bad.includes(`ofertas ${index + 2}`));
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
    const places = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { minLength: 1, maxLength: 6 });
    holds(
      fc.property(arbitraryBook(format), places, (book, at) => {
        const { parts, bad } = plant(book.tables, at);
        if (linksToBad(book, bad, format)) return;
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
        const { parts } = plant(book.tables, at);
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
