import { type Day, dayNumber, dayOf } from '../calendar.ts';
import type { Territory } from '../offers/offer.ts';
import { hoursIn } from './tariff-periods.ts';

/** How a file names its hours. */
export interface HourNames {
  /** Minutes from one row to the next. */
  readonly span: 15 | 60;
  readonly named: 'beginning' | 'end';
  /** Nothing in the file shows which of the two it is. */
  readonly isOpen: boolean;
  /** A text alone shows an end, such as 24:00 or an hour 24. */
  readonly hasEnds: boolean;
}

/** What a row says of its hour. */
export interface HourName {
  readonly day: Day;
  /** Minutes of the day, as the file names the hour. */
  readonly minute: number;
  /** `HH:MM` and not a number. */
  readonly isClock: boolean;
  /** Its text alone shows that the minute is the end of an hour: 24:00, 00:59, or a range from one time to another. */
  readonly isEnd: boolean;
}

export const HOUR = 60;
export const DAY = 24 * HOUR;

/**
 * What all rows together show: 24:00 and ranges are ends. Otherwise it is the reading in which fewer days are incomplete or
 * have an hour twice; of equal ones a number is an end, and `HH:MM` a beginning.
 */
export function hourNamesOf(rows: readonly HourName[], territory: Territory): HourNames {
  const span = rows.some(({ minute }) => minute % HOUR !== 0) ? 15 : HOUR;
  const hasClock = rows.some(({ isClock }) => isClock);
  const hasEnds = rows.some(({ isEnd }) => isEnd);
  if (hasEnds) return { span, named: 'end', isOpen: false, hasEnds };
  const [begin, end] = (['beginning', 'end'] as const).map((named) => faultsOf(rows, { span, named }, territory));
  if (begin === end) return { span, named: hasClock ? 'beginning' : 'end', isOpen: hasClock, hasEnds };
  return { span, named: Number(begin) < Number(end) ? 'beginning' : 'end', isOpen: false, hasEnds };
}

/** The rows, 24:00 in place of 00:00 where most of these stand beside the last hour of their own day. */
export function withEndsOfDays<Row extends HourName>(rows: readonly Row[]): readonly Row[] {
  const late = new Set(
    rows.filter(
      ({ day, minute }, at) =>
        minute === 0 &&
        [rows[at - 1], rows[at + 1]].some((beside) => beside?.day === day && beside.minute >= DAY - HOUR),
    ),
  );
  const isUsual = 2 * late.size > rows.filter(({ minute }) => minute === 0).length;
  return isUsual ? rows.map((row) => (late.has(row) ? { ...row, minute: DAY, isEnd: true } : row)) : rows;
}

/** The day of a row and the minute at which it begins: 00:00 is the end of the day before where ends are named. */
export function beginningOf(
  { day, minute }: Pick<HourName, 'day' | 'minute'>,
  { span, named }: Pick<HourNames, 'span' | 'named'>,
) {
  if (named === 'beginning') return { day, start: minute };
  return minute > 0 ? { day, start: minute - span } : { day: dayBefore(day), start: DAY - span };
}

const dayBefore = (day: Day): Day => dayOf((dayNumber(day) ?? 0) - 1);

/**
 * How often an hour may occur: when the clock goes back one occurs twice, unless the file numbers the hours of that day to
 * 25. By its end that hour may have the name of the one before it.
 */
export function timesOf(
  { day, start }: { readonly day: Day; readonly start: number },
  named: HourNames['named'],
  territory: Territory,
): 1 | 2 {
  const repeated = territory === 'canarias' ? 1 : 2;
  const hour = Math.floor(start / HOUR);
  const isRepeated = hour === repeated || (named === 'end' && hour === repeated - 1);
  return isRepeated && hoursIn(day) === 25 ? 2 : 1;
}

/** Days that are incomplete by a reading, and hours that come too often. */
function faultsOf(rows: readonly HourName[], names: Pick<HourNames, 'span' | 'named'>, territory: Territory): number {
  const days = new Map<Day, Map<number, number>>();
  let faults = 0;
  for (const row of rows) {
    const { day, start } = beginningOf(row, names);
    const starts = days.get(day) ?? new Map<number, number>();
    days.set(day, starts);
    const times = (starts.get(start) ?? 0) + 1;
    starts.set(start, times);
    if (times > timesOf({ day, start }, names.named, territory)) faults += 1;
  }
  for (const [day, starts] of days) {
    const count = [...starts.values()].reduce((sum, times) => sum + times, 0);
    if (count * names.span < hoursIn(day) * HOUR) faults += 1;
  }
  return faults;
}
