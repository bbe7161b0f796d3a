import {
  COMMUNITIES,
  CsvError,
  CUSTOMER_TYPES,
  createMarks,
  headerFinder,
  type Issue,
  isPercentage,
  isTotal,
  type Message,
  readCell,
  type SheetCell,
  type SheetColumn,
  type SheetRow,
  SUPPLY_TYPES,
  say,
  settleNumber,
  TERRITORIES,
  withoutCups,
} from '@tarifario/core/service';
import { CONTRACT, CUSTOMER_COLUMNS, ENERGY, FLAGGED, POWER, TAX_RATES, TAXES, TEXTS } from './columns.ts';

export interface TableRow extends SheetRow {
  /** A file with commas between its cells has no decimal commas, unless it shows them. */
  readonly hasCommas?: boolean;
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

interface Table {
  /** By their place; none: a column without a name. */
  readonly columns: readonly (Column | undefined)[];
  readonly marks: ReturnType<typeof createMarks>;
  /** The row of its header. */
  readonly row: number;
}

/**
 * The customers of a table, which may have titles above the names of its columns and a total below its rows.
 *
 * @param rows - The rows from the first one on. They are read twice, because all of them say how a number is meant.
 * @throws CsvError
 */
export async function* customersInTable(rows: () => AsyncIterable<TableRow>): AsyncGenerator<TableCustomer> {
  const table = await tableOf(rows());
  for await (const row of rows()) {
    if (row.row > table.row && isCustomer(table, row)) yield customerOf(table, row);
  }
}

async function tableOf(rows: AsyncIterable<TableRow>): Promise<Table> {
  const finder = headerFinder(
    columnsIn,
    ({ cells }) => cells.filter((cell) => COLUMNS.has(nameIn(cell).toLowerCase())).length,
  );
  const marks = createMarks();
  let table: Table | null = null;
  for await (const row of rows) {
    if (row.hasCommas) marks.separatedByCommas();
    if (table === null) {
      const columns = finder.take(row);
      table = columns && { columns, marks, row: row.row };
      continue;
    }
    for (const cell of row.cells) {
      const column = table.columns[cell.column];
      if (column?.kind === 'number') contentOf(cell, column, { ...row, marks });
    }
  }
  if (table !== null) return table;
  finder.give();
  throw new CsvError({ line: 1, column: 1 }, 'a header is missing');
}

/** A total, and a row that is merged with others as a whole, are none. */
function isCustomer({ columns }: Table, { cells }: TableRow): boolean {
  const [first, ...others] = cells;
  const hasSupply = others.some((cell) => columns[cell.column]?.name === 'supply_type' && !isTotal(nameIn(cell)));
  const isSum = first !== undefined && isTotal(nameIn(first)) && !hasSupply;
  return !isSum && !cells.every(({ isMerged }) => isMerged);
}

const nameIn = ({ value }: SheetCell): string => ('text' in value ? value.text.trim() : '');

/** The columns by the names of a header. @throws CsvError where a row is none. */
function columnsIn({ row: line, cells }: SheetRow): Table['columns'] {
  const columns: Column[] = [];
  for (const cell of cells) {
    const name = nameIn(cell);
    if (name === '' && cell.value.kind === 'text') continue;
    const place = { line, column: cell.column + 1 };
    const column = COLUMNS.get(name.toLowerCase());
    // A file without a header has values there.
    if (!column)
      throw new CsvError(place, say('there is no column "{name}"', { name: withoutCups(name).slice(0, 60) }));
    if (columns.includes(column)) throw new CsvError(place, say('the column {name} comes twice', { name }));
    columns[cell.column] = column;
  }
  return columns;
}

/** The body from a row. */
function customerOf({ columns, marks }: Table, row: TableRow): TableCustomer {
  const parts: Partial<Record<Part, Record<string, unknown>>> = {};
  const faults: Issue[] = [];
  // A separator, or the end of the line, behind each.
  let length = columns.length;
  for (const cell of row.cells) {
    const column = columns[cell.column];
    if (!column) throw new CsvError({ line: row.row, column: cell.column + 1 }, 'a cell beyond the header');
    const read = contentOf(cell, column, { ...row, marks });
    const settled = 'open' in read ? settleNumber(read.open, column, { place: cell.column, marks }) : read;
    const { part, field } = column;
    const fault = 'fault' in settled ? settled.fault : shareFault(column, settled.content, cell);
    if (fault) faults.push({ path: `${PATHS[part]}${field}`, message: fault });
    else if ('content' in settled && settled.content !== null) {
      const { content } = settled;
      const members = parts[part] ?? {};
      members[field] = typeof content === 'string' ? content.trim() : content;
      parts[part] = members;
    }
    length += nameIn(cell).length;
  }
  const { body, tipos, impuestos, ...others } = parts;
  const taxes = (impuestos || tipos) && { impuestos: { ...impuestos, ...(tipos && { tipos }) } };
  return { line: row.row, body: { ...body, ...others, ...taxes }, faults, length };
}

/** Electricity tax and VAT are 0 or at least 0.5 %: less may be a share of 1, unless the cell has its sign. */
function shareFault({ unit }: Column, rate: unknown, { value }: SheetCell): Message | null {
  if (unit !== '%' || typeof rate !== 'number' || rate <= 0 || rate >= 0.5 || isPercentage(value)) return null;
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

function contentOf(
  { value, isMerged, column: place }: SheetCell,
  column: Column,
  { dates1904 = false, marks }: Pick<TableRow, 'dates1904'> & Pick<Table, 'marks'>,
): ReturnType<typeof readCell> {
  if (isMerged && OWN.includes(column.name)) return { fault: 'is merged with another cell, and each needs its own' };
  const isWord = column.name === RENTAL && value.kind === 'text' && /\p{L}{4}/u.test(value.text);
  return readCell(value, isWord ? { ...column, kind: 'text' } : column, { dates1904, place, marks });
}

/** Columns of which each cell has its own: a consumption that is merged may be a sum. */
const OWN: readonly string[] = [
  'ref',
  ...ENERGY,
  'consumo_gas',
  'excedentes',
  'actual_coste_total',
  'actual_factura_total',
];
/** A number, or the name of a meter. */
const RENTAL = 'impuestos_alquiler';
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  supply_type: SUPPLY_TYPES,
  territory: TERRITORIES,
  community: COMMUNITIES,
  client_type: CUSTOMER_TYPES,
};
const DATED: Readonly<Record<string, SheetColumn['kind']>> = { impuestos_fecha: 'day', mes: 'month' };

/** Columns with percentages; the other rates are EUR. */
const PERCENTAGES: readonly string[] = ['impuestos_iee', 'impuestos_indirecto', 'impuestos_indirecto_servicios'];

interface Column extends Pick<SheetColumn, 'kind' | 'choices' | 'max' | 'unit'> {
  readonly name: string;
  /** The part of a body that it is in, and its name there. */
  readonly part: Part;
  readonly field: string;
}
const COLUMNS = new Map(
  CUSTOMER_COLUMNS.map((name): [string, Column] => {
    const kind = FLAGGED.includes(name) ? 'boolean' : TEXTS.includes(name) ? 'text' : 'number';
    const [part, field] = placeOf(name);
    const choices = CHOICES[name];
    const unit = PERCENTAGES.includes(name) ? '%' : null;
    const own = choices ? 'choice' : (DATED[name] ?? kind);
    return [name, { name, part, field, kind: own, choices: choices ?? [], max: null, unit }];
  }),
);
