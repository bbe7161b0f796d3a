import { MAX_INDEX_PRICE } from '../bounds.ts';
import type { Day, Month } from '../calendar.ts';
import type { Curve, CurveHour } from '../consumption/curve.ts';
import type { HourlyPrices } from '../consumption/profile.ts';
import { type CalendarTerms, hoursIn, startOfDay } from '../consumption/tariff-periods.ts';
import { createMonthMeans, hoursOfMonth, type IndexDay, indexPrices, QUARTER_MS, roundedAway } from './index-days.ts';

/** What an index says of a curve. */
export interface IndexReading {
  readonly index: string;
  /** By month of the curve; `null`: too many of its prices are not known. */
  readonly months: readonly (HourlyPrices | null)[];
  /** Hours of the curve that have no price. */
  readonly unpricedHours: number;
  /** How much more the consumption costs by hours than by plain means, EUR with 6 decimals. */
  readonly effectEur: number;
}

/** How much of a month must have prices. */
const LEAST_COVERAGE = 0.95;

/** Sums of an entry by period. */
interface Bought {
  readonly kwh: number[];
  readonly eur: number[];
}

/**
 * Compares the hours of a curve with the prices of an index.
 *
 * @param hours - Those of the curve, in the order of the file.
 * @param days - Of the index: all of each month of the curve, and the day before.
 */
export function readIndex(
  curve: Pick<Curve, 'months'>,
  {
    hours,
    days,
    index,
    ...terms
  }: CalendarTerms & {
    readonly hours: readonly CurveHour[];
    readonly days: readonly IndexDay[];
    readonly index: string;
  },
): IndexReading {
  const prices = indexPrices(days);
  const means = createMonthMeans(terms);
  for (const day of days) means.add(day);
  const covered = new Map(means.months().map((one) => [one.month, one.hours]));
  const [bought, sold] = [new Map<Month, Bought>(), new Map<Month, { kwh: number; eur: number }>()];
  let unpriced = 0;
  for (const [day, own] of Map.groupBy(hours, (one) => one.day)) {
    const month = `${day.slice(0, 7)}-01`;
    const of = bought.get(month) ?? { kwh: [], eur: [] };
    const surplus = sold.get(month) ?? { kwh: 0, eur: 0 };
    bought.set(month, of);
    sold.set(month, surplus);
    for (const [at, hour] of beginningsOf(day, own, terms.territory).entries()) {
      const { span, period, consumedKwh, exportedKwh } = own[at] as CurveHour;
      const price = meanPrice(prices, hour, span);
      if (price === null) {
        unpriced += span / HOUR;
        continue;
      }
      of.kwh[period] = (of.kwh[period] ?? 0) + consumedKwh;
      of.eur[period] = (of.eur[period] ?? 0) + consumedKwh * price;
      surplus.kwh += exportedKwh;
      surplus.eur += exportedKwh * price;
    }
  }
  const months = curve.months.map(({ month, year, consumptionKwh, exportedKwh }): HourlyPrices | null => {
    const first = `${year}-${String(month).padStart(2, '0')}-01`;
    if ((covered.get(first) ?? 0) < LEAST_COVERAGE * hoursOfMonth(first)) return null;
    const [of, surplus] = [bought.get(first), sold.get(first)];
    const differences = consumptionKwh.map((kwh, period) => {
      const [priced, mean] = [of?.kwh[period] ?? 0, means.mean(first, period)];
      if (kwh === 0) return null;
      return priced === 0 || mean === null ? Number.NaN : roundedAway((of?.eur[period] ?? 0) / priced - mean, 9);
    });
    const isSold = exportedKwh > 0;
    // A question takes none beyond the bound, which prices at both ends of it may differ by.
    const isOpen = differences.some((one) => !(Math.abs(one ?? 0) <= MAX_INDEX_PRICE)) || (isSold && !surplus?.kwh);
    if (isOpen) return null;
    return { differences, surplus: isSold && surplus ? roundedAway(surplus.eur / surplus.kwh, 9) : null };
  });
  const effect = months.reduce(
    (sum, one, at) =>
      sum +
      (one?.differences ?? []).reduce<number>(
        (eur, difference, period) => eur + (difference ?? 0) * (curve.months[at]?.consumptionKwh[period] ?? 0),
        0,
      ),
    0,
  );
  return { index, months, unpricedHours: unpriced, effectEur: roundedAway(effect, 6) };
}

const HOUR = 60;
const MINUTE_MS = QUARTER_MS / 15;

function meanPrice(prices: ReturnType<typeof indexPrices>, time: number, span: number): number | null {
  if (span < HOUR) return prices.atQuarter(time);
  let sum = 0;
  for (let quarter = 0; quarter < 4; quarter++) {
    const price = prices.atQuarter(time + quarter * QUARTER_MS);
    if (price === null) return null;
    sum += price;
  }
  return sum / 4;
}

/**
 * When each hour of a day begins, in milliseconds. Of a day of 25 hours that the file numbers to 25 the n-th is the n-th; by
 * the clock the second hour of one name comes after the first. Of a day of 23 hours a file without a 24th label numbers
 * them; otherwise the labels after the change are one less.
 */
function beginningsOf(day: Day, hours: readonly CurveHour[], territory: CalendarTerms['territory']): readonly number[] {
  const dayStart = startOfDay(day, territory);
  const length = hoursIn(day);
  const changed = territory === 'canarias' ? 1 : 2;
  const last = Math.max(...hours.map(({ start }) => start));
  const isNumbered = length === 25 ? last >= 24 * HOUR : last < 23 * HOUR;
  const repeated = hours.find(({ isSecond }) => isSecond);
  const twice = repeated ? Math.floor(repeated.start / HOUR) : changed;
  return hours.map(({ start, isSecond }) => {
    const hour = Math.floor(start / HOUR);
    let shift = 0;
    if (length === 25 && !isNumbered && (isSecond || hour > twice)) shift = HOUR;
    if (length === 23 && !isNumbered && hour >= changed) shift = -HOUR;
    return dayStart + (start + shift) * MINUTE_MS;
  });
}
