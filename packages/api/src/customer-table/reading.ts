import {
  COMMUNITIES,
  CsvError,
  CUSTOMER_TYPES,
  createMarks,
  type Issue,
  isPercentage,
  type Message,
  readCell,
  type SheetCell,
  type SheetColumn,
  SUPPLY_TYPES,
  say,
  settleNumber,
  TERRITORIES,
  withoutCups,
} from '@tarifario/core/service';
import { CONTRACT, CUSTOMER_COLUMNS, ENERGY, FLAGGED, POWER, TAX_RATES, TAXES, TEXTS } from './columns.ts';

export interface TableRow {
  /** The line of the file; the first is 1. */
  readonly line: number;
  /** A text is that of a cell of text; the empty one is no cell. */
  readonly cells: readonly (string | Pick<SheetCell, 'value' | 'isMerged'>)[];
  /** A file with commas between its cells has no decimal commas, unless it shows them. */
  readonly separator: string;
  /** Whether the days of the file are counted from 1904. */
  readonly dates1904?: boolean;
}

/** A customer as in a table, not yet parsed. */
interface TableCustomer {
  readonly line: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** What is wrong with cells, by their place in the body, which does not have them. */
  readonly faults: readonly Issue[];
  /** Approximate number of characters in the file. */
  readonly length: number;
}

type Marks = ReturnType<typeof createMarks>;

interface Table {
  readonly header: readonly string[];
  readonly marks: Marks;
}

/**
 * The customers of a table, whose first row names its columns.
 *
 * @param rows - The rows from the first one on. They are read twice, because all of them say how a number is meant.
 * @throws CsvError
 */
export async function* customersInTable(rows: () => AsyncIterable<TableRow>): AsyncGenerator<TableCustomer> {
  let table: Table | null = null;
  for await (const row of rows()) {
    table ??= { header: headerOf(row), marks: createMarks() };
    const { header, marks } = table;
    if (row.separator === ',') marks.separatedByCommas();
    for (const [place, name] of header.entries())
      if (columnOf(name).kind === 'number') cellOf(row, { name, place, marks });
  }
  if (table === null) throw new CsvError({ line: 1, column: 1 }, 'a header is missing');
  let isHeader = true;
  for await (const row of rows()) {
    if (!isHeader) yield customerOf(table, row);
    isHeader = false;
  }
}

function customerOf(table: Table, row: TableRow): TableCustomer {
  const { line, cells } = row;
  const { length: columns } = table.header;
  const extra = cells.slice(columns).findIndex((cell) => cell !== '');
  if (extra >= 0) throw new CsvError({ line, column: columns + extra + 1 }, 'a cell beyond the header');
  const length = cells.reduce((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0) + 1, 0);
  return { line, ...bodyOf(table, row), length };
}

function headerOf({ cells, line }: TableRow): readonly string[] {
  const names = cells.map((cell) => {
    const text = typeof cell === 'string' ? cell : 'text' in cell.value ? cell.value.text : '';
    return text.trim();
  });
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

/** The body from a row. */
function bodyOf({ header, marks }: Table, row: TableRow): Pick<TableCustomer, 'body' | 'faults'> {
  const parts: Partial<Record<Part, Record<string, unknown>>> = {};
  const faults: Issue[] = [];
  for (const [place, name] of header.entries()) {
    const read = cellOf(row, { name, place, marks });
    const cell = 'open' in read ? settleNumber(read.open, columnOf(name), { place, marks }) : read;
    const [part, field] = placeOf(name);
    const share = 'fault' in cell ? null : shareFault(name, cell.content, row.cells[place] ?? '');
    if (share) faults.push({ path: `${PATHS[part]}${field}`, message: share });
    else if ('fault' in cell) faults.push({ path: `${PATHS[part]}${field}`, message: cell.fault });
    else if (cell.content !== null) {
      const members = parts[part] ?? {};
      members[field] = typeof cell.content === 'string' ? cell.content.trim() : cell.content;
      parts[part] = members;
    }
  }
  const { body, tipos, impuestos, ...others } = parts;
  const taxes = (impuestos || tipos) && { impuestos: { ...impuestos, ...(tipos && { tipos }) } };
  return { body: { ...body, ...others, ...taxes }, faults };
}

/** Electricity tax and VAT, which are 0 or at least 0.5 %: less may be a share of 1, unless the cell has its sign. */
const RATES_OF_LAW: readonly string[] = ['impuestos_iee', 'impuestos_indirecto', 'impuestos_indirecto_servicios'];

function shareFault(name: string, rate: unknown, cell: TableRow['cells'][number]): Message | null {
  if (!RATES_OF_LAW.includes(name) || typeof rate !== 'number' || rate <= 0 || rate >= 0.5) return null;
  const value = typeof cell === 'string' ? ({ kind: 'text', text: cell } as const) : cell.value;
  if (isPercentage(value)) return null;
  const meant = Number((rate * 100).toPrecision(15));
  return say('{rate} is {rate} %, or was {meant} % meant? Write it with its sign', { rate, meant });
}

const PATHS = {
  body: '',
  energia: 'energia.',
  potencia: 'potencia.',
  contrato_actual: 'contrato_actual.',
  impuestos: 'impuestos.',
  tipos: 'impuestos.tipos.',
} as const;
type Part = keyof typeof PATHS;

/** The part of a body that a column is in, and its name there. */
function placeOf(column: string): readonly [Part, string] {
  const bare = column.slice(column.indexOf('_') + 1);
  if (ENERGY.includes(column)) return ['energia', column];
  if (POWER.includes(column)) return ['potencia', column];
  if (CONTRACT.includes(column)) return ['contrato_actual', bare];
  if (TAX_RATES.includes(column)) return ['tipos', bare];
  return TAXES.includes(column) ? ['impuestos', bare] : ['body', column];
}

function cellOf(
  { cells, dates1904 = false }: TableRow,
  { name, place, marks }: { readonly name: string; readonly place: number; readonly marks: Marks },
): ReturnType<typeof readCell> {
  const cell = cells[place] ?? '';
  if (cell === '') return { content: null };
  const { value, isMerged = false } =
    typeof cell === 'string' ? { value: { kind: 'text', text: cell } as const } : cell;
  if (isMerged && name === 'ref') return { fault: 'is merged with another row, and each needs its own' };
  const isWord = name === RENTAL && value.kind === 'text' && /\p{L}{4}/u.test(value.text);
  return readCell(value, isWord ? WORD : columnOf(name), { dates1904, place, marks });
}

/** A number, or the name of a meter. */
const RENTAL = 'impuestos_alquiler';
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  supply_type: SUPPLY_TYPES,
  territory: TERRITORIES,
  community: COMMUNITIES,
  client_type: CUSTOMER_TYPES,
};
const DATED: Readonly<Record<string, SheetColumn['kind']>> = { impuestos_fecha: 'day', mes: 'month' };

type Column = Pick<SheetColumn, 'kind' | 'choices' | 'max' | 'unit'>;
const WORD: Column = { kind: 'text', choices: [], max: null, unit: null };
const COLUMNS = new Map(
  CUSTOMER_COLUMNS.map((name): [string, Column] => {
    const kind = FLAGGED.includes(name) ? 'boolean' : TEXTS.includes(name) ? 'text' : 'number';
    const unit = TAX_RATES.includes(name) ? '%' : null;
    const choices = CHOICES[name];
    return [name, choices ? { ...WORD, kind: 'choice', choices } : { ...WORD, kind: DATED[name] ?? kind, unit }];
  }),
);
const columnOf = (name: string): Column => COLUMNS.get(name) ?? WORD;
