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

/** The day after a real day. */
export function dayAfter(day: Day): Day {
  return secondsAfter(`${day}T00:00:00`, MS_PER_DAY / 1000).slice(0, 10);
}

/**
 * The instant some days of 24 hours earlier, at the same time of day. Not before the year 0.
 *
 * @param instant - UTC, `YYYY-MM-DDTHH:mm:ss.sssZ`; so is the result.
 * @param days - A whole number, >= 0.
 */
export function daysBefore(instant: string, days: number): string {
  let [year, month, day] = [Number(instant.slice(0, 4)), Number(instant.slice(5, 7)), Number(instant.slice(8, 10))];
  day -= days;
  while (day < 1 && year >= 0) {
    [year, month] = month === 1 ? [year - 1, 12] : [year, month - 1];
    day += daysIn(year, month);
  }
  if (year < 0) return `0000-01-01${instant.slice(10)}`;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}${instant.slice(10)}`;
}

/**
 * The instant some seconds later, with the same milliseconds.
 *
 * @param instant - UTC, `YYYY-MM-DDTHH:mm:ss.sssZ`; so is the result. Before the year 9999 ends.
 * @param seconds - A whole number, >= 0.
 */
export function secondsAfter(instant: string, seconds: number): string {
  const at = (start: number, length: number) => Number(instant.slice(start, start + length));
  const total = at(11, 2) * 3600 + at(14, 2) * 60 + at(17, 2) + seconds;
  const ofDay = total % 86_400;
  let [year, month, day] = [at(0, 4), at(5, 2), at(8, 2) + Math.floor(total / 86_400)];
  while (day > daysIn(year, month)) {
    day -= daysIn(year, month);
    [year, month] = month === 12 ? [year + 1, 1] : [year, month + 1];
  }
  const two = (value: number) => String(value).padStart(2, '0');
  const time = `${two(Math.floor(ofDay / 3600))}:${two(Math.floor(ofDay / 60) % 60)}:${two(ofDay % 60)}`;
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${time}${instant.slice(19)}`;
}

/** Months counted from year 0, so that months can be subtracted. */
export function monthNumber(month: Month): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;
}
