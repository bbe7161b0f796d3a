import {
  asRefusal,
  bodyIn,
  type ColumnChoice,
  CsvError,
  CUSTOMER_COLUMNS,
  type CustomerRecord,
  columnText,
  customersInTable,
  DomainError,
  firstSheet,
  recordColumns,
  recordHeader,
  recordRows,
  type TableRow,
  UnknownColumns,
  UnreadableFile,
} from '@tarifario/api/customer-table';
import { FILE_CAPS } from '@tarifario/core';
import { csvRows, decoderOf } from '@tarifario/sheets/csv';
import { partsOf } from '@tarifario/sheets/sheet-parts';
import { askBeside } from '../shell/beside.ts';
import type { Language } from '../texts/common.ts';
import { TRANSLATIONS, type Translation } from '../texts/texts.ts';
import type { WorkbookQuestion } from './workbook-reader.ts';

// Reads and writes tables of customers, as the command line does. The module is loaded with the first file.

export interface Customer {
  readonly line: number;
  /** The customer as the API takes it. */
  readonly body: Readonly<Record<string, unknown>>;
  /** What is wrong with cells, by their place in the body. */
  readonly faults: readonly { readonly path: string; readonly error: InBoth }[];
}

type InBoth = Readonly<Record<Language, string>>;

/** Columns of a header that have none of the names that are read. */
export interface UnknownHeader extends Pick<UnknownColumns, 'shape' | 'unknown'> {
  /** What they may be. */
  readonly free: readonly { readonly column: string; readonly text: InBoth }[];
}

/** What was said of headers, by their shape: only their names are kept. */
export type ColumnChoices = Readonly<Record<string, ColumnChoice>>;

export interface ReadTable {
  readonly customers: readonly Customer[];
  /** The shape of a header of which it was said what its columns are. */
  readonly saidOf: string | null;
  /** The sheet that was read of a workbook with others; `null`: all was read. */
  readonly sheet: string | null;
}

export interface UnreadTable {
  /** Why it cannot be read. */
  readonly tableFault: InBoth;
  readonly header: UnknownHeader | null;
}

/** @throws The reason of `signal` where it is aborted. */
export async function readCustomers(
  bytes: Uint8Array,
  choices: ColumnChoices,
  signal: AbortSignal,
): Promise<ReadTable | UnreadTable> {
  let saidOf: string | null = null;
  const choiceFor = (shape: string) => {
    const choice = choices[shape];
    if (choice) saidOf = shape;
    return choice ?? {};
  };
  try {
    const { rows, sheet } = isBook(bytes) ? await bookIn(bytes, signal) : await csvIn(bytes);
    const customers: Customer[] = [];
    for await (const { line, body, faults } of customersInTable(rows, choiceFor)) {
      customers.push({ line, body, faults: faults.map(({ path, message }) => ({ path, error: inBoth(message) })) });
    }
    return { customers, saidOf, sheet };
  } catch (thrown) {
    const error = asRefusal(thrown);
    if (error instanceof CsvError) return { tableFault: placed(error), header: headerOf(error) };
    if (!(error instanceof DomainError) || !error.details.message) throw thrown;
    const why = inBoth(error.details.message);
    return { tableFault: inEach(({ language }) => sentence(why[language])), header: null };
  }
}

interface Rows {
  readonly rows: () => AsyncIterable<TableRow>;
  readonly sheet: string | null;
}

async function csvIn(bytes: Uint8Array): Promise<Rows> {
  const decoder = await decoderOf([bytes]);
  if (decoder === null) throw new UnreadableFile('not_a_text');
  const text = decoder.decode(bytes);
  return { rows: () => csvRows(each([text])), sheet: null };
}

/** Whether a file begins as a zip, or as one of the old office programs. */
const isBook = (bytes: Uint8Array): boolean =>
  BOOK_BEGINNINGS.some((beginning) => beginning.every((byte, at) => bytes[at] === byte));

const BOOK_BEGINNINGS = [
  [0x50, 0x4b, 3, 4],
  // A zip without anything.
  [0x50, 0x4b, 5, 6],
  [0xd0, 0xcf, 0x11, 0xe0],
];

const MAX_MS = 30_000;

/** Names and numbers of supplies stay in the browser, so a workbook is read there. */
async function bookIn(bytes: Uint8Array, signal: AbortSignal): Promise<Rows> {
  const question: WorkbookQuestion = { bytes, caps: FILE_CAPS };
  const lines = await askBeside<readonly string[]>('./workbook-reader.js', question, { maxMs: MAX_MS, signal });
  if (lines === 'noServer') throw new TypeError('the module that reads workbooks was not loaded');
  if (lines === 'tooSlow') throw new UnreadableFile('too_costly');
  const { name, rows, hasOthers } = await firstSheet(partsOf(each(lines)));
  return { rows: () => each(rows), sheet: hasOthers ? name : null };
}

const inEach = (words: (translation: Translation) => string): InBoth => ({
  es: words(TRANSLATIONS.es),
  en: words(TRANSLATIONS.en),
});

function placed({ line, column, fault }: CsvError): InBoth {
  const why = inBoth(fault);
  return inEach(({ say, language }) => say('tableFault', { line, column, fault: why[language] }));
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** What can be said of a header. A line of which no name is known is most likely none, and has values. */
function headerOf(error: CsvError): UnknownHeader | null {
  if (!(error instanceof UnknownColumns) || error.known.length === 0) return null;
  const { shape, unknown, known } = error;
  const free = CUSTOMER_COLUMNS.filter((column) => !known.includes(column));
  return { shape, unknown, free: free.map((column) => ({ column, text: namesOf(column) })) };
}

const namesOf = (column: string): InBoth => inEach(({ language }) => columnText(column, language));

const inBoth = (message: CsvError['fault']): InBoth =>
  inEach(({ language }) => bodyIn({ error: message }, language).error);

async function* each<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

const EXAMPLE_COLUMNS =
  'ref,supply_type,tariff_type,territory,client_type,e1,e2,e3,p1,p2,consumo_gas,actual_coste_total'.split(',');

const NO_PERIODS = [null, null, null, null, null];

export const exampleIn = (language: Language): readonly (readonly (string | number | null)[])[] => [
  EXAMPLE_COLUMNS.map((column) => columnText(column, language)),
  ['Ana', 'Luz', '2.0TD', 'Península', 'Particular', 1200, 900, 1400, 4.6, 4.6, null, 980],
  ['Comunidad Sol', 'Gas', 'RL.2', 'Península', 'Comunidad de propietarios', ...NO_PERIODS, 9000, 720],
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
