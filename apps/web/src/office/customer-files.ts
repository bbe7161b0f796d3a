import {
  bodyIn,
  CsvError,
  type CustomerRecord,
  customersInTable,
  recordColumns,
  recordRows,
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

export async function readCustomers(
  bytes: ArrayBuffer,
): Promise<{ readonly customers: readonly Customer[] } | { readonly tableFault: TableFault }> {
  const decoder = await decoderOf([new Uint8Array(bytes)]);
  if (decoder === null) return { tableFault: 'notUtf8' };
  const text = decoder.decode(bytes);
  try {
    const customers: Customer[] = [];
    for await (const { line, body, faults } of customersInTable(() => csvRows(inOnePiece(text)))) {
      customers.push({ line, body, faults: faults.map(({ path, message }) => ({ path, error: inBoth(message) })) });
    }
    return { customers };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { line, column, fault } = error;
    return { tableFault: { line, column, fault: inBoth(fault) } };
  }
}

function inBoth(message: CsvError['fault']): InBoth {
  const wordsIn = (language: Language) => bodyIn({ error: message }, language).error;
  return { es: wordsIn('es'), en: wordsIn('en') };
}

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield text;
}

export const EXAMPLE: readonly (readonly (string | number | null)[])[] = [
  'ref,supply_type,tariff_type,territory,client_type,e1,e2,e3,p1,p2,consumo_gas,actual_coste_total'.split(','),
  ['Ana', 'LUZ', '2.0TD', 'peninsula', 'dni', 1200, 900, 1400, 4.6, 4.6, null, 980],
  ['Comunidad Sol', 'GAS', 'RL.2', 'peninsula', 'cdad', null, null, null, null, null, 9000, 720],
];

/** Columns about commissions. */
const OF_COMMISSIONS = /^(commission_|comision_|nota_comision|coste_extra)/;

const hasDiscount = (offer: { readonly coste_sin_descuento?: number | null | undefined }) =>
  (offer.coste_sin_descuento ?? null) !== null;

/** A table as the command line writes it, without the columns of commissions for those who may not see any. */
export function recordTable(records: readonly CustomerRecord[], seesCommissions: boolean) {
  const more = {
    hasBills: records.some((record) => 'impuestos' in record),
    hasDiscounts: records.some((record) => 'best' in record && record.best.some(hasDiscount)),
  };
  const columns = recordColumns(more);
  const isShown = columns.map((name) => seesCommissions || !OF_COMMISSIONS.test(name));
  const all = [columns, ...records.flatMap((record) => recordRows(record, more))];
  return all.map((row) => row.filter((_, at) => isShown[at]));
}
