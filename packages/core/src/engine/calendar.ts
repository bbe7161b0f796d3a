import { assert } from './errors.ts';

/** A calendar month as its first day, `YYYY-MM-01`. A label, never an instant in some time zone. */
export type Month = string;

/**
 * The months for which prices are stored, both included: from before the market existed to the end of the next century.
 */
export const FIRST_MONTH: Month = '1990-01-01';
export const LAST_MONTH: Month = '2199-12-01';

/** Whether prices may be stored for a month. @see docs/assumptions.md, A-64 */
export function isPricedMonth(month: Month): boolean {
  return month >= FIRST_MONTH && month <= LAST_MONTH;
}

/** Monthly rows, the oldest first, each month once. */
export function byMonth(a: { readonly month: Month }, b: { readonly month: Month }): number {
  return a.month < b.month ? -1 : 1;
}

/** The stamp of offers that are in no database. */
export const NEVER = '1970-01-01T00:00:00.000Z';

const DATE = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/;

/** Days of a month of the proleptic Gregorian calendar; `month` is 1 to 12. */
function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/**
 * The month that a text names: `YYYY-MM` or any real day `YYYY-MM-DD` of it; `null` when it names none
 * (2025-02-30 is not a day).
 *
 * @see docs/assumptions.md, A-12
 */
export function monthFor(text: string): Month | null {
  const match = DATE.exec(text);
  if (!match) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), match[3] === undefined ? 1 : Number(match[3])];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  return `${match[1]}-${match[2]}-01`;
}

/** The same of a question of an embedder; `null` names none. @throws RangeError for a text that is no month. */
export function namedMonth(text: string | null): Month | null {
  const month = text === null ? null : monthFor(text);
  assert(text === null || month !== null, `${text} is no month: YYYY-MM, or a day of it`);
  return month;
}

/** A day, `YYYY-MM-DD`. A label, never an instant in some time zone. */
export type Day = string;

const MS_PER_DAY = 86_400_000;

/**
 * Days from 1970-01-01, a Thursday, to a real day `YYYY-MM-DD` of the years 1000 to 9999; `null` for any other text
 * (2025-02-30 is not a day).
 */
export function dayNumber(text: string): number | null {
  if (text.length !== 10 || text < '1000' || monthFor(text) === null) return null;
  return Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)) - 1, Number(text.slice(8))) / MS_PER_DAY;
}

const DAY_FIRST = /^(\d{1,2})[/.-](\d{1,2})[/.-]((?:20)?\d{2})$/;
/** What spreadsheets write behind a day. */
const MIDNIGHT = /[T ]0?0:00(:00(\.0+)?)?$/;

/** The real day that a text of a file names, year or day first, as in Spain; `null`: none. */
export function dayIn(text: string): Day | null {
  const bare = text.trim().replace(MIDNIGHT, '');
  const [, day = '', month = '', year = ''] = DAY_FIRST.exec(bare) ?? [];
  const named = [year.padStart(4, '20'), month.padStart(2, '0'), day.padStart(2, '0')].join('-');
  const date = year === '' ? bare.replaceAll('/', '-') : named;
  return dayNumber(date) === null ? null : date;
}

/** The month that a text of a file names without a day: `2026-01`, `2026/01` or `01/2026`; `null`: none. */
export function monthIn(text: string): Month | null {
  const [, month, year] = /^(\d{1,2})[/-](\d{4})$/.exec(text.trim()) ?? [];
  const named = month && year ? `${year}-${month.padStart(2, '0')}` : text.trim().replace('/', '-');
  return named.length === 7 ? monthFor(named) : null;
}

/** The day after a real day. */
export function dayAfter(day: Day): Day {
  return new Date(Date.parse(day) + MS_PER_DAY).toISOString().slice(0, 10);
}

/**
 * The instant some days of 24 hours earlier, at the same time of day. Not before the year 0.
 *
 * @param instant - UTC, `YYYY-MM-DDTHH:mm:ss.sssZ`; so is the result.
 * @param days - A whole number, >= 0.
 */
export function daysBefore(instant: string, days: number): string {
  const earliest = Date.parse(`0000-01-01${instant.slice(10)}`);
  return new Date(Math.max(earliest, Date.parse(instant) - days * MS_PER_DAY)).toISOString();
}

/**
 * The instant some seconds later, with the same milliseconds.
 *
 * @param instant - UTC, `YYYY-MM-DDTHH:mm:ss.sssZ`; so is the result. Before the year 9999 ends.
 * @param seconds - A whole number, >= 0.
 */
export function secondsAfter(instant: string, seconds: number): string {
  return new Date(Date.parse(instant) + seconds * 1000).toISOString();
}

/** The day that is counted from 1970-01-01, in the years 1000 to 9999. */
export function dayOf(dayNumber: number): Day {
  return new Date(dayNumber * MS_PER_DAY).toISOString().slice(0, 10);
}

/** Months counted from year 0, so that months can be subtracted. */
export function monthNumber(month: Month): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;
}
