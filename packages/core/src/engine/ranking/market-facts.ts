import type { Month } from '../calendar.ts';
import { energyPricesOf, fixedPricesOf, meanWindow } from '../cost/applied-price.ts';
import type { MonthlyPrice } from '../offers/offer.ts';
import { PERIOD_COUNT } from '../periods.ts';
import { ENERGY_BIT, FIXED_BIT, INCLUDES_SSAA, POWER_BIT, SOLAR } from './masks.ts';

/** Some offers: how many, and the first of them by id. */
export interface Named {
  readonly total: number;
  readonly offerIds: readonly number[];
}

/** Offers that a warning names at most. */
export const MAX_NAMED = 50;

/** The months that the mean of an indexed offer is made of. */
interface HistoryWindow {
  readonly fromMonth: Month;
  readonly toMonth: Month;
  /** The fewest that have one of the prices that the mean needs. */
  readonly monthCount: number;
}

/**
 * The window of a mean.
 *
 * @param months - Of an indexed offer, oldest first; `null` where there are none.
 * @param needed - The bits of the prices without which an offer is not ranked. Prices of power and the fixed term of gas
 *   do not count where no month has them: they are those of the offer.
 */
export function historyWindow(months: readonly MonthlyPrice[], needed: number): HistoryWindow | null {
  const window = meanWindow(months.map(({ month }) => month));
  if (!window) return null;
  const rows = months.slice(-window.monthCount);
  let { monthCount } = window;
  // By loops: thousands of indexed offers that are ranked once come here.
  for (let period = 0; period < PERIOD_COUNT; period++) {
    const needsFixed = (needed & (POWER_BIT << period)) !== 0 || (period === 0 && (needed & FIXED_BIT) !== 0);
    if ((needed & (ENERGY_BIT << period)) !== 0) monthCount = fewer(monthCount, countOf(rows, energyPricesOf, period));
    if (needsFixed) monthCount = fewer(monthCount, countOf(rows, fixedPricesOf, period));
  }
  return { ...window, monthCount };
}

/** Where no month has a price none counts. */
function fewer(count: number, other: number): number {
  return other > 0 && other < count ? other : count;
}

function countOf(rows: readonly MonthlyPrice[], pricesOf: typeof energyPricesOf, period: number): number {
  let count = 0;
  for (const row of rows) if ((pricesOf(row)[period] ?? null) !== null) count++;
  return count;
}

/** The facts that warnings need of one ranked offer, without its commission. */
export interface OfferFacts {
  readonly id: number;
  readonly tariffType: string;
  /** The bits of `flagsOf`. */
  readonly flags: number;
  readonly isIndexed: boolean;
  readonly feePowerEurPerMwh: number | null;
  readonly surplusEurPerKwh: number | null;
  /** Some price of power is below tolls and charges; `false` where the question names no day. */
  readonly isBelowLeastPower: boolean;
  readonly isPenaltyTooHigh: boolean;
  readonly isDiscounted: boolean;
  /** `null`: not indexed, or the request names a month. */
  readonly window: HistoryWindow | null;
}

/** The same facts of many offers. */
export interface MarketFacts {
  readonly byTariff: ReadonlyMap<string, Named>;
  /** By the text of `windowName`. */
  readonly byWindow: ReadonlyMap<string, Named>;
  /** The last month of these windows; `null` where there are none. */
  readonly newestMonth: Month | null;
  /** The flags that every offer has, and those that some offer has. */
  readonly flagsOfAll: number;
  readonly flagsOfAny: number;
  /** Without balancing services in the price, or not saying so. */
  readonly withoutSsaa: Named;
  readonly withPowerFee: Named;
  readonly indexed: Named;
  /** For customers with panels. */
  readonly withPanels: Named;
  readonly belowLeastPower: Named;
  readonly penaltyTooHigh: Named;
  readonly discounted: Named;
  /** Not ranked: they pass the filter but for a term that they do not say. */
  readonly unknownTerms: Named;
  /** Whether one with panels has a price of surplus above 0. */
  readonly paysForSurplus: boolean;
}

const ALL_BITS = -1;

/** Facts of ranked offers, in whatever order they come, and those that are not because of a term (`unknownIds`). */
export function collectFacts<T>(
  offers: Iterable<T>,
  unknownIds: readonly number[],
  factsOf: (offer: T) => OfferFacts,
): MarketFacts {
  const [byTariff, byWindow] = [new Map<string, number[]>(), new Map<string, number[]>()];
  const [withoutSsaa, withPowerFee]: [number[], number[]] = [[], []];
  const [indexed, withPanels, belowLeastPower]: [number[], number[], number[]] = [[], [], []];
  const [penaltyTooHigh, discounted]: [number[], number[]] = [[], []];
  let [flagsOfAll, flagsOfAny, paysForSurplus] = [ALL_BITS, 0, false];
  let newestMonth: Month | null = null;
  for (const offer of offers) {
    const facts = factsOf(offer);
    const { id, tariffType, flags, feePowerEurPerMwh, surplusEurPerKwh, window, isIndexed } = facts;
    addTo(byTariff, tariffType, id);
    if (window) {
      addTo(byWindow, windowName(window), id);
      if (newestMonth === null || window.toMonth > newestMonth) newestMonth = window.toMonth;
    }
    flagsOfAll &= flags;
    flagsOfAny |= flags;
    paysForSurplus ||= (flags & SOLAR) !== 0 && (surplusEurPerKwh ?? 0) > 0;
    if ((flags & INCLUDES_SSAA) === 0) withoutSsaa.push(id);
    if ((feePowerEurPerMwh ?? 0) > 0) withPowerFee.push(id);
    if (isIndexed) indexed.push(id);
    if ((flags & SOLAR) !== 0) withPanels.push(id);
    if (facts.isBelowLeastPower) belowLeastPower.push(id);
    if (facts.isPenaltyTooHigh) penaltyTooHigh.push(id);
    if (facts.isDiscounted) discounted.push(id);
  }
  const namedKinds = (kinds: ReadonlyMap<string, readonly number[]>) =>
    new Map([...kinds].map(([name, ids]) => [name, named(ids)]));
  return {
    byTariff: namedKinds(byTariff),
    byWindow: namedKinds(byWindow),
    newestMonth,
    flagsOfAll,
    flagsOfAny,
    withoutSsaa: named(withoutSsaa),
    withPowerFee: named(withPowerFee),
    indexed: named(indexed),
    withPanels: named(withPanels),
    belowLeastPower: named(belowLeastPower),
    penaltyTooHigh: named(penaltyTooHigh),
    discounted: named(discounted),
    unknownTerms: named(unknownIds),
    paysForSurplus,
  };
}

/** Its last month, its first one, and how many there are: two windows with one text are the same. */
function windowName({ fromMonth, toMonth, monthCount }: HistoryWindow): string {
  return `${toMonth} ${fromMonth} ${monthCount}`;
}

function addTo(kinds: Map<string, number[]>, name: string, id: number): void {
  const known = kinds.get(name);
  if (known) known.push(id);
  else kinds.set(name, [id]);
}

function named(ids: readonly number[]): Named {
  return { total: ids.length, offerIds: firstIds(ids) };
}

function firstIds(ids: readonly number[]): readonly number[] {
  return ids.toSorted((a, b) => a - b).slice(0, MAX_NAMED);
}

/** Offers of several kinds as one. No offer is of two of them. */
export function together(kinds: readonly Named[]): Named {
  return kinds.reduce(
    (some, others) => ({ total: some.total + others.total, offerIds: firstOfBoth(some.offerIds, others.offerIds) }),
    NONE,
  );
}

/** No offer. */
export const NONE: Named = { total: 0, offerIds: [] };

/** One of the lists where the other adds nothing: facts of a large market would hold thousands of copies of it. */
function firstOfBoth(some: readonly number[], others: readonly number[]): readonly number[] {
  const [first, last] = [others[0], some.at(-1)];
  if (first === undefined || (some.length === MAX_NAMED && last !== undefined && last < first)) return some;
  return last === undefined ? others : firstIds([...some, ...others]);
}

/** Facts of several lists as one. No offer is in two of them. */
export function mergeFacts(lists: readonly MarketFacts[]): MarketFacts {
  const [only] = lists;
  if (only && lists.length === 1) return only;
  return {
    byTariff: togetherBy(
      lists.flatMap(({ byTariff }) => [...byTariff]),
      (tariff) => tariff,
    ),
    byWindow: togetherBy(
      lists.flatMap(({ byWindow }) => [...byWindow]),
      (window) => window,
    ),
    newestMonth: lists.reduce<Month | null>((newest, { newestMonth: month }) => {
      return newest === null || (month !== null && month > newest) ? month : newest;
    }, null),
    flagsOfAll: lists.reduce((flags, { flagsOfAll }) => flags & flagsOfAll, ALL_BITS),
    flagsOfAny: lists.reduce((flags, { flagsOfAny }) => flags | flagsOfAny, 0),
    withoutSsaa: together(lists.map(({ withoutSsaa }) => withoutSsaa)),
    withPowerFee: together(lists.map(({ withPowerFee }) => withPowerFee)),
    indexed: together(lists.map(({ indexed }) => indexed)),
    withPanels: together(lists.map(({ withPanels }) => withPanels)),
    belowLeastPower: together(lists.map(({ belowLeastPower }) => belowLeastPower)),
    penaltyTooHigh: together(lists.map(({ penaltyTooHigh }) => penaltyTooHigh)),
    discounted: together(lists.map(({ discounted }) => discounted)),
    unknownTerms: together(lists.map(({ unknownTerms }) => unknownTerms)),
    paysForSurplus: lists.some(({ paysForSurplus }) => paysForSurplus),
  };
}

/** Merges kinds with the same name. */
export function togetherBy(
  kinds: Iterable<readonly [string, Named]>,
  nameOf: (kind: string) => string,
): ReadonlyMap<string, Named> {
  const byName = Map.groupBy(kinds, ([kind]) => nameOf(kind));
  return new Map([...byName].map(([name, same]) => [name, together(same.map(([, kind]) => kind))]));
}
