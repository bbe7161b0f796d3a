import { CsvError, say, withoutCups } from '@tarifario/core/service';
import { CONTRACT, CUSTOMER_COLUMNS, ENERGY, FLAGGED, POWER, TAX_RATES, TAXES, TEXTS } from './columns.ts';

export interface TableRow {
  /** The line of the file; the first is 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** With a semicolon a number may have a decimal comma. */
  readonly separator: string;
}

/** A customer as in a table, not yet parsed. */
export interface TableCustomer {
  readonly line: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** Approximate number of characters in the file. */
  readonly length: number;
}

const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false, sí: true, si: true, no: false };

/**
 * The customers of a table, whose first row names its columns.
 *
 * @throws CsvError
 */
export async function* customersInTable(rows: AsyncIterable<TableRow>): AsyncGenerator<TableCustomer> {
  let header: readonly string[] | null = null;
  for await (const row of rows) {
    if (header === null) header = headerOf(row);
    else yield customerOf(header, row);
  }
  if (header === null) throw new CsvError({ line: 1, column: 1 }, 'a header is missing');
}

function customerOf(header: readonly string[], row: TableRow): TableCustomer {
  const { line, cells } = row;
  const extra = cells.slice(header.length).findIndex((text) => text !== '');
  const length = cells.reduce((sum, text) => sum + text.length + 1, 0);
  if (extra < 0) return { line, body: bodyOf(header, row), length };
  throw new CsvError({ line, column: header.length + extra + 1 }, 'a cell beyond the header');
}

function headerOf({ cells, line }: TableRow): readonly string[] {
  const names = cells.map((text) => text.trim());
  names.forEach((name, index) => {
    const place = { line, column: index + 1 };
    // A file without a header has values there.
    const shown = withoutCups(name).slice(0, 60);
    if (!CUSTOMER_COLUMNS.includes(name))
      throw new CsvError(place, say('there is no column "{name}"', { name: shown }));
    if (names.indexOf(name) !== index) throw new CsvError(place, say('the column {name} comes twice', { name }));
  });
  return names;
}

/** The body from a row. Cells without a valid value stay text, which is refused later. */
function bodyOf(header: readonly string[], row: TableRow): Readonly<Record<string, unknown>> {
  const parts: Partial<Record<Part, Record<string, unknown>>> = {};
  header.forEach((name, index) => {
    const text = (row.cells[index] ?? '').trim();
    if (text === '') return;
    const [part, field] = placeOf(name);
    const members = parts[part] ?? {};
    members[field] = TEXTS.includes(name) ? text : valueIn(name, text, row);
    parts[part] = members;
  });
  const { body, tipos, impuestos, ...others } = parts;
  return { ...body, ...others, ...((impuestos || tipos) && { impuestos: { ...impuestos, ...(tipos && { tipos }) } }) };
}

type Part = 'body' | 'energia' | 'potencia' | 'contrato_actual' | 'impuestos' | 'tipos';

/** The part of a body that a column is in, and its name there. */
function placeOf(column: string): readonly [Part, string] {
  const bare = column.slice(column.indexOf('_') + 1);
  if (ENERGY.includes(column)) return ['energia', column];
  if (POWER.includes(column)) return ['potencia', column];
  if (CONTRACT.includes(column)) return ['contrato_actual', bare];
  if (TAX_RATES.includes(column)) return ['tipos', bare];
  return TAXES.includes(column) ? ['impuestos', bare] : ['body', column];
}

function valueIn(name: string, text: string, row: TableRow): boolean | number | string {
  return FLAGGED.includes(name) ? (FLAGS[text.toLowerCase()] ?? text) : numberIn(text, row);
}

const DECIMAL_COMMA = /^\s*-?\d+,\d+\s*$/;

function numberIn(text: string, { cells, separator }: TableRow): number | string {
  const isSpanish = separator === ';';
  // Beside a decimal comma a point may be meant as thousands: a guess would be wrong by a factor of 1000.
  if (isSpanish && text.includes('.') && cells.some((cell) => DECIMAL_COMMA.test(cell))) return text;
  const decimal = isSpanish ? text.replace(',', '.') : text;
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(decimal) ? Number(decimal) : text;
}
