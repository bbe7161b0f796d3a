/** A calendar month as its first day, `YYYY-MM-01`. A label, never an instant in some time zone. */
export type Month = string;

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

/** Months counted from year 0, so that months can be subtracted. */
export function monthNumber(month: Month): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;
}
