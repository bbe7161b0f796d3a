import { type Day, dayNumber, dayOf, type Month } from '../calendar.ts';
import {
  type CalendarTerms,
  hoursAhead,
  hoursFrom,
  hoursIn,
  localTime,
  startOfDay,
  tariffCalendar,
} from '../consumption/tariff-periods.ts';
import { roundHalfUp } from '../numbers.ts';

/** Prices of an index in a day of UTC, EUR/kWh: 24 by the hour or 96 by the quarter-hour. `null`: not known. */
export interface IndexDay {
  readonly index: string;
  readonly day: Day;
  readonly prices: readonly (number | null)[];
}

/** What is stored of an index. */
export interface IndexSummary {
  readonly index: string;
  /** The first day with a price, by the clock of the mainland. */
  readonly from: Day;
  /** The last one. */
  readonly to: Day;
  /** How many hours have prices; a quarter-hour is a quarter of one. */
  readonly hours: number;
}

/** Quarter-hours of a day of UTC. */
export const QUARTERS_OF_DAY = 96;
/** A quarter-hour, in milliseconds. */
export const QUARTER_MS = 900_000;
const DAY_MS = QUARTER_MS * QUARTERS_OF_DAY;
/** Whose clock says on which day a price is, where no customer does. */
const MAINLAND = 'peninsula';

/** How many hours of a day have prices. */
export function pricedHours({ prices }: Pick<IndexDay, 'prices'>): number {
  return prices.filter((price) => price !== null).length * (24 / prices.length);
}

/** The first and the last local day that have a price of some stored days, the oldest first; `null`: none has. */
export function spanOf(days: readonly Omit<IndexDay, 'index'>[]): Pick<IndexSummary, 'from' | 'to'> | null {
  const instants = (one: Omit<IndexDay, 'index'> | undefined) =>
    (one?.prices ?? []).flatMap((price, at, { length }) =>
      price === null ? [] : [Date.parse(one?.day ?? '') + at * (DAY_MS / length)],
    );
  const [first, last] = [instants(days[0]).at(0), instants(days.at(-1)).at(-1)];
  const local = (time: number | undefined) => localTime(time ?? Number.NaN, MAINLAND)?.[0];
  const [from, to] = [local(first), local(last)];
  return from === undefined || to === undefined ? null : { from, to };
}

/** What an import changes. */
export interface IndexChange {
  /** The whole days to store. */
  readonly days: readonly IndexDay[];
  readonly newHours: number;
  readonly changedHours: number;
}

/** Prices that replace those of the same quarters of an hour; the other ones stay. Hours become quarters where a day has both. */
export function mergedDays(stored: readonly IndexDay[], put: readonly IndexDay[]): IndexChange {
  const storedDays = new Map(stored.map((one) => [one.day, one]));
  let [newHours, changedHours] = [0, 0];
  const days = put.map(({ index, day, prices }) => {
    const before = storedDays.get(day)?.prices ?? prices.map(() => null);
    const length = Math.max(before.length, prices.length);
    const old = inParts(before, length);
    const merged = inParts(prices, length).map((price, at) => {
      const known = old[at] ?? null;
      if (price !== null && known === null) newHours += 24 / length;
      if (price !== null && known !== null && price !== known) changedHours += 24 / length;
      return price ?? known;
    });
    return { index, day, prices: merged };
  });
  return { days, newHours, changedHours };
}

/** The prices of hours as those of their parts. */
function inParts(prices: readonly (number | null)[], length: number): readonly (number | null)[] {
  return prices.length === length ? prices : prices.flatMap((price) => new Array(length / prices.length).fill(price));
}

/** Prices by instant. */
export interface IndexPrices {
  /** That of the quarter-hour that begins at a time in milliseconds; `null`: not known. */
  atQuarter(time: number): number | null;
}

/** @param days - Each once, or the later one counts. */
export function indexPrices(days: Iterable<Omit<IndexDay, 'index'>>): IndexPrices {
  const byDay = new Map<number, readonly (number | null)[]>();
  for (const { day, prices } of days) byDay.set(dayNumber(day) ?? Number.NaN, prices);
  return {
    atQuarter(time) {
      const day = Math.floor(time / DAY_MS);
      const prices = byDay.get(day);
      return prices?.[Math.floor((time - day * DAY_MS) / (DAY_MS / prices.length))] ?? null;
    },
  };
}

/** The days of a span, both included, that lack an hour, by the clock of the mainland. */
export function incompleteDays({ from, to }: Pick<IndexSummary, 'from' | 'to'>, prices: IndexPrices): readonly Day[] {
  const days: Day[] = [];
  for (let number = dayNumber(from) ?? 0; number <= (dayNumber(to) ?? 0); number++) {
    const day = dayOf(number);
    const start = startOfDay(day, MAINLAND);
    const quarters = Array.from({ length: hoursIn(day) * 4 }, (_, at) => prices.atQuarter(start + at * QUARTER_MS));
    if (quarters.includes(null)) days.push(day);
  }
  return days;
}

/** The plain means of a month, EUR/kWh with 6 decimals, P1 first: three or six. `null`: no hour of the period has a price. */
export interface IndexMonth {
  readonly month: Month;
  readonly means: readonly (number | null)[];
  readonly hours: number;
  /** All of the month. */
  readonly expectedHours: number;
}

/** Sums of prices by period. */
interface Sums {
  readonly eur: number[];
  readonly quarters: number[];
}

/**
 * The plain means of each month that has a price, by the hours of a tariff in a territory, which are those of its clock.
 *
 * @throws DomainError `business_rule` as `tariffCalendar`.
 */
export function createMonthMeans({ tariff, territory, community }: CalendarTerms) {
  const { energyPeriods, periodsOf } = tariffCalendar(tariff, territory, community);
  const months = new Map<Month, Sums>();
  const periods = new Map<number, { readonly of: readonly number[]; readonly sums: Sums }>();
  const localDay = (number: number) => {
    const known = periods.get(number);
    if (known) return known;
    const day = dayOf(number);
    const month = `${day.slice(0, 7)}-01`;
    const zeros = () => new Array<number>(energyPeriods).fill(0);
    const sums = months.get(month) ?? { eur: zeros(), quarters: zeros() };
    const made = { of: periodsOf(day).energy, sums };
    months.set(month, sums);
    periods.set(number, made);
    return made;
  };
  return {
    add({ day, prices }: Omit<IndexDay, 'index'>): void {
      const number = dayNumber(day) ?? 0;
      const [before, after] = [0, 1].map((hour) => hoursAhead(number * DAY_MS + hour * 4 * QUARTER_MS, territory));
      for (const [at, price] of prices.entries()) {
        if (price === null) continue;
        const utc = Math.floor((at * 24) / prices.length);
        const hour = utc + ((utc === 0 ? before : after) ?? 0);
        const { of, sums } = localDay(number + Math.floor(hour / 24));
        const period = of[hour % 24] ?? 0;
        const weight = QUARTERS_OF_DAY / prices.length;
        sums.eur[period] = (sums.eur[period] ?? 0) + price * weight;
        sums.quarters[period] = (sums.quarters[period] ?? 0) + weight;
      }
    },
    /** With all decimals. */
    mean(month: Month, period: number): number | null {
      const { eur, quarters } = months.get(month) ?? { eur: [], quarters: [] };
      return quarters[period] ? (eur[period] ?? 0) / quarters[period] : null;
    },
    months(): readonly IndexMonth[] {
      return [...months.keys()].toSorted().map((month) => {
        const means = Array.from({ length: energyPeriods }, (_, period) => this.mean(month, period));
        return {
          month,
          means: means.map((mean) => mean && roundedAway(mean, 6)),
          hours: (months.get(month)?.quarters ?? []).reduce((sum, count) => sum + count, 0) / 4,
          expectedHours: hoursOfMonth(month),
        };
      });
    },
  };
}

/** Hours of a month by the local clock. */
export function hoursOfMonth(month: Month): number {
  const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).toISOString().slice(0, 10);
  return hoursFrom(month, last);
}

/** Rounded half away from zero, so that a change of sign changes the sign alone. */
export function roundedAway(value: number, decimals: 6 | 9): number {
  return value < 0 ? -roundHalfUp(-value, decimals) : roundHalfUp(value, decimals);
}
