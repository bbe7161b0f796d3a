import { type Day, dayNumber } from './calendar.ts';
import { assert } from './errors.ts';

/**
 * A row of a table by law and date. Rows are appended: one that has ended never changes, so that what was computed with
 * it can be computed again.
 */
export interface RowByDay {
  /** First and last day, both included; `null`: it holds until another row is appended. */
  readonly from: Day;
  readonly to: Day | null;
  readonly law: string;
  /** Its text; `null`: its number in the gazette is not known here. */
  readonly url: string | null;
  /** The text in the gazette was read. */
  readonly isCertain: boolean;
}

/** A law whose text was read, by its number in the gazette. */
export function certain(law: string, gazette: string) {
  return { law, url: `https://www.boe.es/buscar/act.php?id=BOE-A-${gazette}`, isCertain: true };
}

/** One whose text was read in part, or which is known by another source. */
export function uncertain(law: string, gazette: string) {
  return { ...certain(law, gazette), isCertain: false };
}

/** Whether a row holds on a day. */
export function holdsOn({ from, to }: Pick<RowByDay, 'from' | 'to'>, day: Day): boolean {
  return from <= day && (to === null || to >= day);
}

/**
 * Checks a row of an operator, who settles days that are not known here.
 *
 * @param name - Of the row, for the message.
 * @param settled - The rows of the table for what it is about.
 * @throws RangeError for days that are none, and for a day that is settled already.
 */
export function checkOperatorRow({ from, to }: RowByDay, name: string, settled: readonly RowByDay[]): void {
  const isTime = dayNumber(from) !== null && (to === null || (dayNumber(to) !== null && to >= from));
  assert(isTime, `${name} has no days: desde and hasta are YYYY-MM-DD, and hasta may be null`);
  const other = settled.find((row) => holdsOn(row, from) || (row.from >= from && (to === null || row.from <= to)));
  assert(!other, `${name} is settled already: ${other?.law}, from ${other?.from} to ${other?.to ?? 'now on'}`);
}
