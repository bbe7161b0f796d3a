import fc, { type Arbitrary } from 'fast-check';
import type { CellValue, SheetPart } from '../../src/engine/cells.ts';
import type { BulkFormat } from '../../src/engine/errors.ts';
import { toSheetRows } from '../bulk.ts';
import type { EditedWorkbook } from './arbitrary-workbooks.ts';
import type { Table } from './naive-bulk.ts';

/** A workbook in the form in which a reader returns it. */
export function partsOf(tables: readonly Table[]): readonly SheetPart[] {
  return tables.map(({ name, headers, rows }, sheet) => ({
    sheet,
    name,
    dates1904: false,
    rows: toSheetRows([headers, ...rows]),
  }));
}

/** The place of a fault: numbers for its row, its kind and its column, for a workbook of any size. */
export type FaultPlace = readonly [row: number, fault: number, column: number];

export function arbitraryPlaces(): Arbitrary<readonly FaultPlace[]> {
  return fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { minLength: 1, maxLength: 6 });
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

export interface Planted {
  readonly parts: readonly SheetPart[];
  /** `sheet row` of every row in which something was planted. */
  readonly bad: readonly string[];
}

/** At most one fault in a row. The numbers of a place are taken modulo the size of the workbook. */
export function plantFaults(tables: readonly Table[], places: readonly FaultPlace[]): Planted {
  let parts = partsOf(tables);
  const bad = new Set<string>();
  const all = parts.flatMap(({ name, rows, sheet }) => rows.slice(1).map(({ row }) => ({ name, row, sheet })));
  for (const [atRow, atFault, atColumn] of places) {
    const place = all[atRow % Math.max(all.length, 1)];
    const fault = FAULTS[atFault % FAULTS.length];
    const headers = place ? (tables[place.sheet]?.headers ?? []) : [];
    const columns = headers.flatMap((header, column) => (fault?.header.test(header) ? [column] : []));
    const column = columns[atColumn % Math.max(columns.length, 1)];
    // In a row with an id the names in the other sheets are not read, so a name that is too long is no error there.
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

/** Rows that name a new offer with a wrong row may be wrong too. The law is about workbooks without such rows. */
export function hangsOnBadRow({ tables }: EditedWorkbook, bad: readonly string[], format: BulkFormat): boolean {
  const ofertas = tables.find(({ name }) => name === 'ofertas');
  const id = ofertas?.headers.indexOf(format === 'own' ? 'offer_id' : 'catalog_offer_id') ?? -1;
  return (ofertas?.rows ?? []).some((row, index) => row[id] === null && bad.includes(`ofertas ${index + 2}`));
}
