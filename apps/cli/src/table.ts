import type { Cell } from '@tarifario/core/service';
import Table from 'cli-table3';

/** A column of a table for people. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row, index: number) => string;
  readonly align?: 'left' | 'right';
  /** Longer cells are truncated with an ellipsis. */
  readonly maxWidth?: number;
}

/** A column of text is not made narrower than this. */
const MIN_WIDTH = 10;
const NO_FRAME = Object.fromEntries(
  ['top', 'bottom', 'left', 'right'].flatMap((side) =>
    ['', '-mid', '-left', '-right'].map((corner) => [`${side}${corner}`, '']),
  ),
);

/**
 * A table of text: a line of titles, one of dashes, one for each row; columns one space apart.
 *
 * @param width - The width of the table; columns of text are narrowed to it, the widest first. By default that of the
 *   terminal.
 */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width = process.stdout.columns ?? Number.POSITIVE_INFINITY,
): string[] {
  const cells = rows.map((row, index) => columns.map(({ cell }) => cell(row, index)));
  const table = new Table({
    head: columns.map(({ title }) => title),
    colAligns: columns.map(({ align = 'left' }) => align),
    colWidths: widthsOf(columns, cells, width),
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    chars: { ...NO_FRAME, mid: '─', 'mid-mid': ' ', middle: ' ' },
  });
  table.push(...cells);
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

/** The widths of truncated columns; `null` for columns as wide as their text. */
function widthsOf<Row>(
  columns: readonly Column<Row>[],
  cells: readonly (readonly string[])[],
  width: number,
): (number | null)[] {
  const natural = columns.map(({ title }, at) =>
    Math.max(...[title, ...cells.map((row) => row[at] ?? '')].map(widthOf)),
  );
  const widths = natural.map((wide, at) => Math.min(wide, columns[at]?.maxWidth ?? wide));
  const isText = (at: number) => columns[at]?.align !== 'right' && (widths[at] ?? 0) > MIN_WIDTH;
  for (let excess = sum(widths) + widths.length - 1 - width; excess > 0; excess--) {
    const widest = widths.reduce((best, wide, at) => (isText(at) && wide > (widths[best] ?? 0) ? at : best), -1);
    if (widest < 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths.map((wide, at) => (wide < (natural[at] ?? 0) ? wide : null));
}

function widthOf(text: string): number {
  return [...text].length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Records of one kind as a table with a column for each field; one record as a line for each field. */
export function formatRecords(json: unknown): string[] {
  if (!Array.isArray(json)) {
    return formatTable([column('field', 0), column('value', 1)], flatten(json));
  }
  if (json.length === 0) return ['(none)'];
  const [names = [], ...rows] = cellsOf(json);
  const columns = names.map((name, at) => column(String(name), at));
  return formatTable(columns, rows);
}

/** Records as rows of cells, the first of which has the names of their fields. */
export function cellsOf(records: readonly unknown[]): Cell[][] {
  const rows = records.map((record) => new Map(flatten(record)));
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  return [names, ...rows.map((row) => names.map((name) => row.get(name) ?? null))];
}

function column(title: string, at: number): Column<readonly Cell[]> {
  return { title, cell: (row) => String(row[at] ?? '-') };
}

/** The fields of a record, those inside another record with both names. */
function flatten(record: unknown, prefix = ''): [string, Cell][] {
  if (Array.isArray(record)) return [[prefix, record.map(textOf).join(', ') || null]];
  if (typeof record === 'object' && record !== null) {
    return Object.entries(record).flatMap(([name, value]) =>
      flatten(value, prefix === '' ? name : `${prefix}.${name}`),
    );
  }
  return [
    [
      prefix || 'value',
      record === null || typeof record === 'number' || typeof record === 'boolean' ? record : String(record),
    ],
  ];
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
