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
  type SheetPart,
  type SheetRow,
  SUPPLY_TYPES,
  say,
  settleNumber,
  TARIFFS,
  TERRITORIES,
  withoutCups,
} from '@tarifario/core/service';
import { CONTRACT, CUSTOMER_COLUMNS, ENERGY, FLAGGED, POWER, TAX_RATES, TAXES, TEXTS } from './columns.ts';
import { columnNamed, headerForm } from './headers.ts';

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

/** What was said of the columns of a header, by their place; `null`: it is not read. */
export type ColumnChoice = Readonly<Record<number, string | null>>;

/** What was said of a header of this shape. */
type ChoiceFor = (shape: string) => ColumnChoice;

/** A header with columns that nobody has a name for, or that come twice: it can be said what they are. */
export class UnknownColumns extends CsvError {
  /** The names of all its columns: two files of one program have the same. */
  readonly shape: string;
  readonly unknown: readonly { readonly place: number; readonly name: string }[];
  /** The columns that it has. */
  readonly known: readonly string[];

  constructor(
    place: { readonly line: number; readonly column: number },
    fault: Message,
    header: Pick<UnknownColumns, 'shape' | 'unknown' | 'known'>,
  ) {
    super(place, fault);
    this.shape = header.shape;
    this.unknown = header.unknown;
    this.known = header.known;
  }
}

interface Table {
  /** By their place; none: a column without a name; `null`: it is not read. */
  readonly columns: readonly (Column | null | undefined)[];
  readonly marks: ReturnType<typeof createMarks>;
  /** The row of its header. */
  readonly row: number;
}

/**
 * The customers of a table, which may have titles above the names of its columns and a total below its rows.
 *
 * @param rows - The rows from the first one on. They are read twice, because all of them say how a number is meant.
 * @param choiceFor - What was said of columns that have none of their names.
 * @throws CsvError
 */
export async function* customersInTable(
  rows: () => AsyncIterable<TableRow>,
  choiceFor: ChoiceFor = () => ({}),
): AsyncGenerator<TableCustomer> {
  const table = await tableOf(rows(), choiceFor);
  for await (const row of rows()) {
    if (row.row > table.row && isCustomer(table, row)) yield customerOf(table, row);
  }
}

/** The first sheet of a workbook, which alone is read, and whether there is another. */
export async function firstSheet(parts: AsyncIterable<SheetPart>) {
  const rows: TableRow[] = [];
  let name = '';
  for await (const part of parts) {
    if (part.sheet > 0) return { name, rows, hasOthers: true };
    name = part.name;
    for (const row of part.rows) rows.push({ ...row, dates1904: part.dates1904 });
  }
  return { name, rows, hasOthers: false };
}

async function tableOf(rows: AsyncIterable<TableRow>, choiceFor: ChoiceFor): Promise<Table> {
  const finder = headerFinder(
    (row) => columnsIn(row, choiceFor),
    ({ cells }) => cells.filter((cell) => columnNamed(nameIn(cell))).length,
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
  const hasSupply = others.some((cell) => SUPPLY.includes(columns[cell.column]?.name ?? '') && !isTotal(nameIn(cell)));
  const isSum = first !== undefined && isTotal(nameIn(first)) && !hasSupply;
  return !isSum && !cells.every(({ isMerged }) => isMerged);
}

const nameIn = ({ value }: SheetCell): string => ('text' in value ? value.text.trim() : '');

/** The columns by the names of a header. @throws UnknownColumns where a row is none. */
function columnsIn({ row: line, cells }: SheetRow, choiceFor: ChoiceFor): Table['columns'] {
  const shape = cells.map((cell) => headerForm(withoutCups(nameIn(cell)))).join(' ');
  const choice = choiceFor(shape);
  const columns: Table['columns'][number][] = [];
  const unknown: { readonly place: number; readonly name: string }[] = [];
  const twice: typeof unknown = [];
  for (const cell of cells) {
    const { column: place } = cell;
    // A file without a header has values there.
    const name = withoutCups(nameIn(cell)).slice(0, 60);
    if (name === '' && cell.value.kind === 'text') continue;
    const chosen = choice[place];
    const named = chosen === undefined && name === nameIn(cell) ? columnNamed(name) : chosen;
    const column = named && COLUMNS.get(named);
    if (named === undefined || column === undefined) unknown.push({ place, name });
    else if (column && columns.includes(column)) twice.push({ place, name });
    else columns[place] = column || null;
  }
  const [first] = [...unknown, ...twice];
  if (!first) return columns;
  const known = columns.flatMap((column) => column?.name ?? []);
  const header = { shape, unknown: [...unknown, ...twice].toSorted((a, b) => a.place - b.place), known };
  // Where no name is known, the rest are values too.
  const said = known.length === 0 ? { unknown: [first], twice: [] } : { unknown, twice };
  throw new UnknownColumns({ line, column: first.place + 1 }, faultOf(said.unknown, said.twice), header);
}

type Named = UnknownColumns['unknown'];

function faultOf(unknown: Named, twice: Named): Message {
  const [first = { name: '' }] = unknown;
  const names = unknown.map(({ place, name }) => `"${name}" (${place + 1})`).join(', ');
  const none = say('there is no column "{name}"', { name: first.name });
  const faults = [
    ...(unknown.length === 0 ? [] : [unknown.length > 1 ? say('there are no columns {names}', { names }) : none]),
    ...twice.map(({ name }) => say('the column {name} comes twice', { name })),
  ];
  return faults.reduce((all, fault) => say('{=all}; {=fault}', { all, fault }));
}

/** The body from a row. */
function customerOf({ columns, marks }: Table, row: TableRow): TableCustomer {
  const parts: Partial<Record<Part, Record<string, unknown>>> = {};
  const faults: Issue[] = [];
  // A separator, or the end of the line, behind each.
  let length = columns.length;
  for (const cell of row.cells) {
    const column = columns[cell.column];
    if (column === null) continue;
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
  return { line: row.row, body: { ...supplyOf(body?.tariff_type), ...body, ...others, ...taxes }, faults, length };
}

/** An access tariff is of one supply, so a table with the one need not have the other. */
const SUPPLY: readonly string[] = ['supply_type', 'tariff_type'];
function supplyOf(tariff: unknown) {
  const supply_type = SUPPLY_TYPES.find((one) => TARIFFS[one].some((name) => name === tariff));
  return supply_type && { supply_type };
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
