import {
  bodyIn,
  type ColumnChoice,
  CsvError,
  CUSTOMER_COLUMNS,
  type CustomerRecord,
  columnText,
  customersInTable,
  recordColumns,
  recordHeader,
  recordRows,
  UnknownColumns,
} from '@tarifario/api/customer-table';
import { csvRows, decoderOf } from '@tarifario/sheets/csv';
import type { Language } from '../texts/common.ts';

// Reads and writes tables of customers, as the command line does. The module is loaded with the first file.

export interface Customer {
  readonly line: number;
  /** The customer as the API takes it. */
  readonly body: Readonly<Record<string, unknown>>;
  /** What is wrong with cells, by their place in the body. */
  readonly faults: readonly { readonly path: string; readonly error: InBoth }[];
}

type InBoth = Readonly<Record<Language, string>>;

/** Why a table cannot be read. */
export type TableFault = 'notUtf8' | { readonly line: number; readonly column: number; readonly fault: InBoth };

/** Columns of a header that have none of the names that are read. */
export interface UnknownHeader extends Pick<UnknownColumns, 'shape' | 'unknown'> {
  /** What they may be. */
  readonly free: readonly { readonly column: string; readonly text: InBoth }[];
}

/** What was said of headers, by their shape: only their names are kept. */
export type ColumnChoices = Readonly<Record<string, ColumnChoice>>;

interface ReadTable {
  readonly customers: readonly Customer[];
  /** The shape of a header of which it was said what its columns are. */
  readonly saidOf: string | null;
}

interface UnreadTable {
  readonly tableFault: TableFault;
  readonly header: UnknownHeader | null;
}

export async function readCustomers(bytes: ArrayBuffer, choices: ColumnChoices): Promise<ReadTable | UnreadTable> {
  const decoder = await decoderOf([new Uint8Array(bytes)]);
  if (decoder === null) return { tableFault: 'notUtf8', header: null };
  const text = decoder.decode(bytes);
  let saidOf: string | null = null;
  const choiceFor = (shape: string) => {
    const choice = choices[shape];
    if (choice) saidOf = shape;
    return choice ?? {};
  };
  try {
    const customers: Customer[] = [];
    for await (const { line, body, faults } of customersInTable(() => csvRows(inOnePiece(text)), choiceFor)) {
      customers.push({ line, body, faults: faults.map(({ path, message }) => ({ path, error: inBoth(message) })) });
    }
    return { customers, saidOf };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { line, column, fault } = error;
    return { tableFault: { line, column, fault: inBoth(fault) }, header: headerOf(error) };
  }
}

/** What can be said of a header. A line of which no name is known is most likely none, and has values. */
function headerOf(error: CsvError): UnknownHeader | null {
  if (!(error instanceof UnknownColumns) || error.known.length === 0) return null;
  const { shape, unknown, known } = error;
  const free = CUSTOMER_COLUMNS.filter((column) => !known.includes(column));
  return { shape, unknown, free: free.map((column) => ({ column, text: namesOf(column) })) };
}

const namesOf = (column: string): InBoth => ({ es: columnText(column, 'es'), en: columnText(column, 'en') });

function inBoth(message: CsvError['fault']): InBoth {
  const wordsIn = (language: Language) => bodyIn({ error: message }, language).error;
  return { es: wordsIn('es'), en: wordsIn('en') };
}

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield text;
}

const EXAMPLE_COLUMNS =
  'ref,supply_type,tariff_type,territory,client_type,e1,e2,e3,p1,p2,consumo_gas,actual_coste_total'.split(',');

export const exampleIn = (language: Language): readonly (readonly (string | number | null)[])[] => [
  EXAMPLE_COLUMNS.map((column) => columnText(column, language)),
  ['Ana', 'Luz', '2.0TD', 'Península', 'Particular', 1200, 900, 1400, 4.6, 4.6, null, 980],
  [
    'Comunidad Sol',
    'Gas',
    'RL.2',
    'Península',
    'Comunidad de propietarios',
    ...[null, null, null, null, null],
    9000,
    720,
  ],
];

/** Columns about commissions. */
const OF_COMMISSIONS = /^(commission_|comision_|nota_comision|coste_extra)/;

const hasDiscount = (offer: { readonly coste_sin_descuento?: number | null | undefined }) =>
  (offer.coste_sin_descuento ?? null) !== null;

/** A table as the command line writes it, without the columns of commissions for those who may not see any. */
export function recordTable(records: readonly CustomerRecord[], seesCommissions: boolean, language: Language) {
  const form = {
    isSpanish: language === 'es',
    hasBills: records.some((record) => 'impuestos' in record),
    hasDiscounts: records.some((record) => 'best' in record && record.best.some(hasDiscount)),
  };
  const isShown = recordColumns(form).map((name) => seesCommissions || !OF_COMMISSIONS.test(name));
  const all = [recordHeader(form), ...records.flatMap((record) => recordRows(record, form))];
  return all.map((row) => row.filter((_, at) => isShown[at]));
}
