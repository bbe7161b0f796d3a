import type { InvoiceReading } from '@tarifario/client';
import { periodNames, periodsOf } from '../customer/draft.ts';
import { readNumber } from '../customer/numbers.ts';
import type { Language } from '../texts/common.ts';

/** The name of the typed maxima among the values of the form. */
export const MAXIMA = 'maximos';
/** The tariffs whose contracted power is advised. */
const TARIFFS: readonly string[] = ['2.0TD', '3.0TD', '6.1TD'];
const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export interface MaximaEntry {
  readonly mes?: number;
  readonly dias: number;
  readonly maximos: Readonly<Record<string, number>>;
}

export function hasPowerAdvice(tariff: string): boolean {
  return TARIFFS.includes(tariff);
}

/**
 * Maxima as they are typed, or pasted from a spreadsheet: a line for each month with its number, or the days of another
 * time as `365d`, then the kW of P1 and on. `-` or an empty cell is a period that the month does not have.
 *
 * @returns The number of the first line that cannot be read, from 1, in place of entries.
 */
export function readMaxima(text: string, tariff: string, language: Language): readonly MaximaEntry[] | number {
  const names = periodNames('p', periodsOf(tariff).power);
  const entries: MaximaEntry[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [time = '', ...cells] = /[\t;]/.test(line) ? line.split(/[\t;]/) : line.trim().split(/\s+/);
    const maximos: Record<string, number> = {};
    for (const [period, cell] of cells.entries()) {
      if (/^-?$/.test(cell.trim())) continue;
      const [name, value] = [names[period], readNumber(cell, language)];
      if (name === undefined || typeof value === 'string') return index + 1;
      maximos[name] = value;
    }
    const mes = Number(/^(\d{1,2})[:.]?$/.exec(time.trim())?.[1] ?? 0);
    const dias = mes > 0 ? DAYS_OF_MONTHS[mes - 1] : Number(/^(\d{1,4})d$/.exec(time.trim())?.[1] ?? 0);
    if (!dias) return index + 1;
    entries.push({ ...(mes > 0 ? { mes } : {}), dias, maximos });
  }
  return entries;
}

/** The maxima of the last year that an invoice has, as they are typed. */
export function maximaOf({ factura, efficient }: InvoiceReading, language: Language): Readonly<Record<string, string>> {
  const { p1, p2 } = factura.potencia_maxima;
  if (p1 === null || p2 === null || efficient.tariff_type !== '2.0TD') return {};
  const text = `365d ${p1} ${p2}`;
  return { [MAXIMA]: language === 'es' ? text.replaceAll('.', ',') : text };
}
