import type { Month } from '../calendar.ts';
import { INCLUDES_SSAA } from '../ranking/masks.ts';

/** Some offers: how many, and the first of them by id. */
export interface Named {
  readonly total: number;
  readonly offerIds: readonly number[];
}

/** Offers that a warning names at most. */
export const MAX_NAMED = 50;

/** The months that the mean of an indexed offer is made of. */
export interface HistoryWindow {
  readonly fromMonth: Month;
  readonly toMonth: Month;
  readonly monthCount: number;
}

/** What the warnings of a ranking ask of one ranked offer: nothing of its commission. */
export interface OfferFacts {
  readonly id: number;
  readonly tariffType: string;
  /** As `flagsOf` tells them. */
  readonly flags: number;
  readonly feePowerEurPerMwh: number | null;
  /** `null`: not indexed, or a month was asked for. */
  readonly window: HistoryWindow | null;
}

/** The same of many offers. Never changed. */
export interface MarketFacts {
  readonly byTariff: ReadonlyMap<string, Named>;
  readonly byWindow: ReadonlyMap<HistoryWindow, Named>;
  /** The flags that every offer has, and those that some offer has. */
  readonly flagsOfAll: number;
  readonly flagsOfAny: number;
  /** Without balancing services in the price, or not saying so. */
  readonly withoutSsaa: Named;
  readonly withPowerFee: Named;
}

/** What warnings ask of all offers that are ranked, priced or not; worked out only where it is asked. */
export interface RankedFacts {
  readonly facts: () => MarketFacts;
  /** Whether some offer pays for surplus. */
  readonly creditsSurplus: () => boolean;
}

/** Facts of offers, in whatever order they come. */
export function collectFacts(offers: Iterable<OfferFacts>): MarketFacts {
  const byTariff = new Map<string, number[]>();
  const windows = new Map<string, HistoryWindow>();
  const byWindow = new Map<HistoryWindow, number[]>();
  const withoutSsaa: number[] = [];
  const withPowerFee: number[] = [];
  let [flagsOfAll, flagsOfAny] = [ALL_BITS, 0];
  for (const { id, tariffType, flags, feePowerEurPerMwh, window } of offers) {
    kindIn(byTariff, tariffType, () => []).push(id);
    flagsOfAll &= flags;
    flagsOfAny |= flags;
    if ((flags & INCLUDES_SSAA) === 0) withoutSsaa.push(id);
    if ((feePowerEurPerMwh ?? 0) > 0) withPowerFee.push(id);
    if (!window) continue;
    const same = kindIn(windows, nameOf(window), () => window);
    kindIn(byWindow, same, () => []).push(id);
  }
  return {
    byTariff: namedKinds(byTariff),
    byWindow: namedKinds(byWindow),
    flagsOfAll,
    flagsOfAny,
    withoutSsaa: named(withoutSsaa),
    withPowerFee: named(withPowerFee),
  };
}

const ALL_BITS = -1;

function nameOf({ fromMonth, toMonth, monthCount }: HistoryWindow): string {
  return `${fromMonth} ${toMonth} ${monthCount}`;
}

function named(ids: readonly number[], total = ids.length): Named {
  return { total, offerIds: ids.toSorted((a, b) => a - b).slice(0, MAX_NAMED) };
}

function namedKinds<K>(kinds: ReadonlyMap<K, readonly number[]>): ReadonlyMap<K, Named> {
  return new Map([...kinds].map(([key, ids]) => [key, named(ids)]));
}

function kindIn<K, T>(kinds: Map<K, T>, key: K, make: () => T): T {
  const known = kinds.get(key);
  if (known !== undefined) return known;
  const made = make();
  kinds.set(key, made);
  return made;
}

/** Offers of several kinds as one. No offer is of two of them. */
export function together(kinds: readonly Named[]): Named {
  const total = kinds.reduce((sum, kind) => sum + kind.total, 0);
  return named(
    kinds.flatMap(({ offerIds }) => offerIds),
    total,
  );
}

/** Facts of several lists as one. No offer is in two of them. */
export function mergeFacts(parts: readonly MarketFacts[]): MarketFacts {
  const windows = new Map<string, HistoryWindow>();
  const byWindow = parts.flatMap((part) =>
    [...part.byWindow].map(([window, kind]) => [kindIn(windows, nameOf(window), () => window), kind] as const),
  );
  return {
    byTariff: mergeKinds(parts.flatMap(({ byTariff }) => [...byTariff])),
    byWindow: mergeKinds(byWindow),
    flagsOfAll: parts.reduce((bits, part) => bits & part.flagsOfAll, ALL_BITS),
    flagsOfAny: parts.reduce((bits, part) => bits | part.flagsOfAny, 0),
    withoutSsaa: together(parts.map(({ withoutSsaa }) => withoutSsaa)),
    withPowerFee: together(parts.map(({ withPowerFee }) => withPowerFee)),
  };
}

function mergeKinds<K>(kinds: readonly (readonly [K, Named])[]): ReadonlyMap<K, Named> {
  const byKey = Map.groupBy(kinds, ([key]) => key);
  return new Map([...byKey].map(([key, same]) => [key, together(same.map(([, kind]) => kind))]));
}
