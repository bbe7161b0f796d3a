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

/**
 * The rows that are undecided on a day or later, and those that end within `DUE_DAYS` from it, or have ended, and are
 * followed by none.
 */
export function dueRows({ rates, regulatedPrices }: Tables, at: Parameters<typeof ratesInForce>[1]): DueRows {
  const { day } = at;
  const last = dayOf((dayNumber(day) ?? 0) + DUE_DAYS);
  /** @param isKnown - Whether a row holds on a day in the place of the one that ends. */
  const endsOpen = ({ to }: { readonly to: Day | null }, isKnown: (next: Day) => boolean) =>
    to !== null && to <= last && ![dayAfter(to), day].some((next) => next > to && isKnown(next));
  const lastDays = new Set(rates.flatMap(({ to }) => (to !== null && to <= last ? [to] : [])));
  const ending = [...lastDays]
    .flatMap((to) => ratesInForce(rates, { ...at, day: to }).filter((row) => row.to === to))
    .filter((row) => endsOpen(row, (next) => ratesOn(rates, { ...row, day: next }).length > 0));
  const nameOf = (row: PlacedRate) => [row.concept, row.kind, row.supplyType, row.territory, row.from].join();
  const open = [...undecidedFrom(rates, at), ...ending];
  return {
    rates: [...new Map(open.map((row) => [nameOf(row), row])).values()],
    prices: regulatedPrices.filter((row) =>
      endsOpen(row, (next) =>
        regulatedPrices.some(
          (other) => other.concept === row.concept && other.tariff === row.tariff && holdsOn(other, next),
        ),
      ),
    ),
  };
}

/** The first day from a day on of which something is not known; `null`: none within `DUE_DAYS`. */
export function firstOpenDay(tables: Tables, day: Day): Day | null {
  const { rates, prices } = dueRows(tables, { day, supplyType: null, territory: null });
  const days = [
    ...rates.map((row) => ('value' in row ? dayAfter(row.to ?? day) : row.from)),
    ...prices.map(({ to }) => dayAfter(to ?? day)),
  ];
  return days.map((open) => (open > day ? open : day)).toSorted()[0] ?? null;
}
