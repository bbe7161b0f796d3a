import { type Day, dayAfter, dayNumber, dayOf } from '../calendar.ts';
import type { RegulatedPrice } from '../power/regulated-prices.ts';
import { holdsOn } from '../rows-by-day.ts';
import { type PlacedRate, type Rate, ratesInForce, ratesOn, undecidedFrom } from './rates.ts';

/** How many days ahead an operator is told of what ends. */
export const DUE_DAYS = 90;

/** What an operator has to settle: rates and regulated prices that are undecided, or end soon with nothing after them. */
export interface DueRows {
  readonly rates: readonly PlacedRate[];
  readonly prices: readonly RegulatedPrice[];
}

/** The tables of rates and of regulated prices, with those of an operator. */
export interface Tables {
  readonly rates: readonly Rate[];
  readonly regulatedPrices: readonly RegulatedPrice[];
}

/** The rows that are undecided on a day or later, and those that end within `DUE_DAYS` from it and are followed by none. */
export function dueRows({ rates, regulatedPrices }: Tables, at: Parameters<typeof ratesInForce>[1]): DueRows {
  const { day } = at;
  const last = dayOf((dayNumber(day) ?? 0) + DUE_DAYS);
  const isLast = ({ to }: { readonly to: Day | null }) => to !== null && to >= day && to <= last;
  // Rows that begin later may end within the time too.
  const days = [day, ...new Set(rates.map(({ from }) => from).filter((from) => from > day && from <= last))];
  const ending = days
    .flatMap((inForce) => ratesInForce(rates, { ...at, day: inForce }))
    .filter(
      (row) => 'value' in row && isLast(row) && ratesOn(rates, { ...row, day: dayAfter(row.to ?? day) }).length === 0,
    );
  const nameOf = (row: PlacedRate) => [row.concept, row.kind, row.supplyType, row.territory, row.from].join();
  const open = [...undecidedFrom(rates, at), ...ending];
  const isFollowed = (row: RegulatedPrice) =>
    regulatedPrices.some(
      (other) =>
        other.concept === row.concept && other.tariff === row.tariff && holdsOn(other, dayAfter(row.to ?? day)),
    );
  return {
    rates: [...new Map(open.map((row) => [nameOf(row), row])).values()],
    prices: regulatedPrices.filter((row) => isLast(row) && !isFollowed(row)),
  };
}

/** The first day from a day on of which something is not known; `null`: none within `DUE_DAYS`. */
export function firstOpenDay(tables: Tables, day: Day): Day | null {
  const { rates, prices } = dueRows(tables, { day, supplyType: null, territory: null });
  const days = [
    ...rates.map((row) => ('value' in row ? dayAfter(row.to ?? day) : row.from > day ? row.from : day)),
    ...prices.map(({ to }) => dayAfter(to ?? day)),
  ];
  return days.toSorted()[0] ?? null;
}
