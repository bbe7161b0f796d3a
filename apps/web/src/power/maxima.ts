import type { InvoiceReading } from '@tarifario/client';
import { periodNames, periodsOf } from '../customer/draft.ts';
import { type Fault, numberFault } from '../customer/number-fault.ts';
import { readNumber, typedNumber } from '../customer/numbers.ts';
import { faultsOf } from '../shell/faults.ts';
import type { Language } from '../texts/common.ts';
import type { Translation } from '../texts/texts.ts';

/** The tariffs whose contracted power is advised. */
const TARIFFS: readonly string[] = ['2.0TD', '3.0TD', '6.1TD'];
const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const YEAR_DAYS = 365;

/** The rows of the table: the months, and 0, the highest of a year whose months are not known. */
export const MAXIMA_ROWS = [0, ...DAYS_OF_MONTHS.map((_, at) => at + 1)];

/** Under which name a cell of the table is among the values of the form. */
export const maximumName = (row: number, period: string): string => `maximos.${row}.${period}`;

export interface MaximaEntry {
  readonly mes?: number;
  readonly dias: number;
  readonly maximos: Readonly<Record<string, number>>;
}

type Values = Readonly<Record<string, string>>;

export function hasPowerAdvice(tariff: string): boolean {
  return TARIFFS.includes(tariff);
}

export const powerPeriods = (tariff: string): readonly string[] => periodNames('p', periodsOf(tariff).power);

/** The typed maxima, a row that has any each. Those of months go before that of a year, and cells with a fault are named. */
export function maximaIn(
  values: Values,
  tariff: string,
  language: Language,
): { readonly entries: readonly MaximaEntry[]; readonly faults: Readonly<Record<string, Fault>> } {
  const faults: Record<string, Fault> = {};
  const rows = MAXIMA_ROWS.flatMap((row): MaximaEntry[] => {
    const cells = powerPeriods(tariff).flatMap((period): [string, number][] => {
      const name = maximumName(row, period);
      const text = values[name] ?? '';
      const kw = text.trim() === '' ? null : readNumber(text, language);
      if (typeof kw === 'string') faults[name] = numberFault(kw, text);
      return typeof kw === 'number' ? [[period, kw]] : [];
    });
    if (cells.length === 0) return [];
    const maximos = Object.fromEntries(cells);
    return [row === 0 ? { dias: YEAR_DAYS, maximos } : { mes: row, dias: DAYS_OF_MONTHS[row - 1] ?? 0, maximos }];
  });
  const months = rows.filter(({ mes }) => mes !== undefined);
  return { entries: months.length > 0 ? months : rows, faults };
}

/** What the service refuses of cells, with the month and the period. */
export function refusedMaxima(error: unknown, entries: readonly MaximaEntry[]): Readonly<Record<string, Fault>> {
  const all = Object.entries(faultsOf(error)).flatMap(([path, fault]): [string, Fault][] => {
    const [, at, period = ''] = /^periodos\.(\d+)\.maximos\.(p\d)$/.exec(path) ?? [];
    const { mes: row = 0 } = entries[Number(at)] ?? {};
    const said: Fault = (translation) => `${rowTitle(row, translation)} ${period.toUpperCase()}: ${fault}`;
    return at === undefined ? [] : [[maximumName(row, period), said]];
  });
  return Object.fromEntries(all);
}

/** A month by its name, or the year. */
export const rowTitle = (row: number, { say, monthName }: Translation): string =>
  row === 0 ? say('maximaYear') : monthName(row);

/** Cells of a spreadsheet, pasted from one on; `null`: it is one text, which goes where it is pasted. */
export function pastedMaxima(text: string, tariff: string, from: { row: number; period: string }): Values | null {
  if (!/[\t\n]/.test(text.trim())) return null;
  const periods = powerPeriods(tariff);
  const first = periods.indexOf(from.period);
  const lines = text
    .trimEnd()
    .split(/\r?\n/)
    .slice(0, MAXIMA_ROWS.length - from.row);
  return Object.fromEntries(
    lines.flatMap((line, down) =>
      line.split('\t').flatMap((cell, right) => {
        const period = periods[first + right];
        return period === undefined ? [] : [[maximumName(from.row + down, period), cell.trim().replace(/^-$/, '')]];
      }),
    ),
  );
}

/** The maxima of the last year that an invoice has, as they are typed. */
export function maximaOf({ factura, efficient }: InvoiceReading, language: Language): Values {
  const { p1, p2 } = factura.potencia_maxima;
  if (p1 === null || p2 === null || efficient.tariff_type !== '2.0TD') return {};
  return { [maximumName(0, 'p1')]: typedNumber(p1, language), [maximumName(0, 'p2')]: typedNumber(p2, language) };
}
