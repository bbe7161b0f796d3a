import { CsvError, say, withoutCups } from '@tarifario/core/service';
import { CONTRACT, CUSTOMER_COLUMNS, ENERGY, FLAGGED, NUMBERS, POWER, TAXES } from './columns.ts';

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
  const body: Record<string, unknown> = {};
  const energia: Record<string, unknown> = {};
  const potencia: Record<string, unknown> = {};
  const contrato_actual: Record<string, unknown> = {};
  const impuestos: Record<string, unknown> = {};
  header.forEach((name, index) => {
    const text = (row.cells[index] ?? '').trim();
    if (text === '') return;
    if (ENERGY.includes(name)) energia[name] = numberIn(text, row);
    else if (POWER.includes(name)) potencia[name] = numberIn(text, row);
    else if (CONTRACT.includes(name)) contrato_actual[name.slice('actual_'.length)] = valueIn(name, text, row);
    else if (NUMBERS.includes(name)) body[name] = numberIn(text, row);
    else if (TAXES[name] !== undefined) impuestos[TAXES[name]] = numberIn(text, row);
    else if (FLAGGED.includes(name)) body[name] = valueIn(name, text, row);
    else body[name] = text;
  });
  return {
    ...body,
    ...(Object.keys(energia).length > 0 ? { energia } : {}),
    ...(Object.keys(potencia).length > 0 ? { potencia } : {}),
    ...(Object.keys(contrato_actual).length > 0 ? { contrato_actual } : {}),
    ...(Object.keys(impuestos).length > 0 ? { impuestos } : {}),
  };
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
