// What warnings ask of all ranked offers: counted by kinds, with the first ids of each group that a warning may name.
import { type Month, monthNumber } from '../calendar.ts';
import { datedParts, lacksHours } from '../consumption/hourly-prices.ts';
import type { ProfileEntry } from '../consumption/profile.ts';
import { PERIOD_COUNT } from '../periods.ts';
import type { LeastPowerPrices } from '../power/least-prices.ts';
import { DISCOUNTED, INCLUDES_SSAA, INDEXED, type Kind, SOLAR } from '../price/conditions.ts';
import { ENERGY_BIT, FIXED_BIT, type HistoryWindow, MEAN_WINDOW_MONTHS, POWER_BIT } from '../price/prices.ts';
import { monthAt, type Stretch } from '../price/rule.ts';
import { belowLeastIn, monthlyIn, type Table } from '../price/table.ts';

/** Some offers: how many, and the first of them by id. */
export interface Named {
  /** How many offers it is about. */
  readonly total: number;
  /** The ids of the first of them. */
  readonly offerIds: readonly number[];
}

/** Offers that a warning names at most. */
export const MAX_NAMED = 50;

/** No offer. */
export const NONE: Named = { total: 0, offerIds: [] };

/** The facts that warnings need of all ranked offers, without their commissions. */
export interface RankedFacts {
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
  /** Priced by means, where hours say something else. */
  readonly withoutHours: Named;
  /** Priced by hours of another year than its monthly prices. */
  readonly hoursOfOtherYear: Named;
  /** Not ranked: they pass the filter but for a term that they do not say. */
  readonly unknownTerms: Named;
}

/** The part of a question that facts depend on. */
export interface FactsQuestion {
  /** With which prices of power are compared; left out: no day is named. */
  readonly leastPowerPrices?: LeastPowerPrices | undefined;
  readonly month: Month | null;
  /** The bits of the prices without which an offer is not ranked. */
  readonly needed: number;
  /** The parts of the period; left out: they do not matter. */
  readonly parts?: readonly ProfileEntry[];
}

interface TableQuestion extends FactsQuestion {
  readonly unknownTerms: readonly number[];
}

/** The groups of offers that a warning may name, besides those of tariffs and windows. */
const GROUPS = {
  withoutSsaa: ({ flags }: Kind) => (flags & INCLUDES_SSAA) === 0,
  withPowerFee: ({ hasPowerFee }: Kind) => hasPowerFee,
  indexed: ({ flags }: Kind) => (flags & INDEXED) !== 0,
  withPanels: ({ flags }: Kind) => (flags & SOLAR) !== 0,
  penaltyTooHigh: (kind: Kind) => kind.isPenaltyTooHigh,
  discounted: ({ flags }: Kind) => (flags & DISCOUNTED) !== 0,
} as const;

type GroupName = keyof typeof GROUPS;
const GROUP_NAMES = Object.keys(GROUPS) as GroupName[];

/** Offers of a group, while they are counted. */
interface Counted {
  total: number;
  readonly offerIds: number[];
}

/** Collects the facts of ranked rows, table by table. */
export interface FactsCollector {
  /** @param unknownTerms - Rows that are not ranked because they do not say a term. */
  readonly add: (stretch: Stretch<Table>, rows: Int32Array, unknownTerms: readonly number[]) => void;
  readonly facts: () => RankedFacts;
}

/** A collector for one question. Tables come in any order. */
export function collectFacts(question: FactsQuestion): FactsCollector {
  const runs: Run[] = [];
  return {
    add(stretch, rows, unknownTerms) {
      const { ids, rowCount } = stretch.table;
      if (rowCount === 0) return;
      const last = runs.at(-1);
      const run = last && last.lastId < (ids[0] as number) ? last : newRun();
      if (run !== last) runs.push(run);
      run.lastId = ids[rowCount - 1] as number;
      addTable(run, stretch, rows, { ...question, unknownTerms });
    },
    facts: () => mergeFacts(runs.map(({ lastId: _lastId, ...facts }) => facts)),
  };
}

/** The facts of tables whose ids ascend from one to the next, so that the first of a group are the first that come. */
interface Run extends RankedFacts {
  lastId: number;
  readonly byTariff: Map<string, Counted>;
  readonly byWindow: Map<string, Counted>;
  newestMonth: Month | null;
  flagsOfAll: number;
  flagsOfAny: number;
  readonly withoutSsaa: Counted;
  readonly withPowerFee: Counted;
  readonly indexed: Counted;
  readonly withPanels: Counted;
  readonly penaltyTooHigh: Counted;
  readonly discounted: Counted;
  readonly belowLeastPower: Counted;
  readonly withoutHours: Counted;
  readonly hoursOfOtherYear: Counted;
  readonly unknownTerms: Counted;
}

function newRun(): Run {
  return {
    ...{ lastId: 0, byTariff: new Map(), byWindow: new Map(), newestMonth: null },
    ...{ flagsOfAll: ALL_BITS, flagsOfAny: 0, withoutSsaa: newGroup(), withPowerFee: newGroup(), indexed: newGroup() },
    ...{ withPanels: newGroup(), penaltyTooHigh: newGroup(), discounted: newGroup() },
    ...{ belowLeastPower: newGroup(), unknownTerms: newGroup() },
    ...{ withoutHours: newGroup(), hoursOfOtherYear: newGroup() },
  };
}

const ALL_BITS = -1;

function addTable(run: Run, { table, from, end }: Stretch<Table>, rows: Int32Array, question: TableQuestion): void {
  const { kinds, ids } = table;
  const { counts, flagsOfAll, flagsOfAny } = countRows(table, rows, from, end);
  const open = kinds.map((kind, slot): Counted[] => {
    const total = counts[slot] ?? 0;
    if (total === 0) return [];
    const window = question.month === null ? kind.window : null;
    if (window && (run.newestMonth === null || window.toMonth > run.newestMonth)) run.newestMonth = window.toMonth;
    const all = [groupAt(run.byTariff, kind.tariffType)];
    for (const name of GROUP_NAMES) if (GROUPS[name](kind)) all.push(run[name]);
    if (question.parts && lacksHours(kind, GROUPS.indexed(kind), question.parts)) all.push(run.withoutHours);
    if (window) all.push(groupAt(run.byWindow, windowName(window, question.needed)));
    for (const group of all) group.total += total;
    return all.filter(({ offerIds }) => offerIds.length < MAX_NAMED);
  });
  if (open.some((groups) => groups.length > 0)) nameFirst(table, rows, from, end, open);
  run.flagsOfAll &= flagsOfAll;
  run.flagsOfAny |= flagsOfAny;
  addTo(run.hoursOfOtherYear, ofOtherYear({ table, from, end }, rows, question));
  addTo(run.belowLeastPower, belowLeast({ table, from, end }, rows, question));
  addTo(
    run.unknownTerms,
    question.unknownTerms.map((row) => ids[row] as number),
  );
}

function addTo(group: Counted, ids: readonly number[]): void {
  group.total += ids.length;
  for (const id of ids) if (group.offerIds.length < MAX_NAMED) group.offerIds.push(id);
}

/** How many rows are of each kind, and the flags that all of them have, and some. */
function countRows({ flags, kindSlots, kinds }: Table, rows: Int32Array, from: number, end: number) {
  const counts = new Int32Array(kinds.length);
  let [flagsOfAll, flagsOfAny] = [ALL_BITS, 0];
  for (let at = from; at < end; at++) {
    const row = rows[at] as number;
    const own = flags[row] as number;
    flagsOfAll &= own;
    flagsOfAny |= own;
    const slot = kindSlots[row] as number;
    counts[slot] = (counts[slot] as number) + 1;
  }
  return { counts, flagsOfAll, flagsOfAny };
}

/** Adds the first ids of each group that is not full. @param open - The groups of each kind. */
function nameFirst(
  { kindSlots, ids }: Table,
  rows: Int32Array,
  from: number,
  end: number,
  open: readonly Counted[][],
): void {
  for (let at = from; at < end; at++) {
    const row = rows[at] as number;
    const groups = open[kindSlots[row] as number];
    if (groups === undefined) continue;
    for (let index = groups.length - 1; index >= 0; index--) {
      const { offerIds } = groups[index] as Counted;
      // A group that is full is left out from then on.
      if (offerIds.length === MAX_NAMED) groups.splice(index, 1);
      else offerIds.push(ids[row] as number);
    }
  }
}

/** Offers with a part that is priced by hours of a month which is not the one whose prices apply. */
function ofOtherYear(
  { table, from, end }: Stretch<Table>,
  rows: Int32Array,
  { parts = [], month }: FactsQuestion,
): readonly number[] {
  const { kinds, kindSlots, ids } = table;
  if (month !== null || !parts.some(({ year, indices }) => year !== undefined && indices !== undefined)) return [];
  const ofKinds = kinds.map((kind) => {
    const dated = datedParts(kind, parts);
    const isOther = dated.some((part) => kind.window && !appliesIn(kind.window, part));
    // A window of twelve months has them all.
    const isOpen = (kind.window?.monthCount ?? 0) < MEAN_WINDOW_MONTHS;
    const months = isOpen ? dated.map((part) => part.month ?? 0) : [];
    return isOther || months.length > 0 ? { isOther, months } : null;
  });
  if (ofKinds.every((own) => own === null)) return [];
  const monthly = monthlyIn(table);
  const found: number[] = [];
  for (let at = from; at < end; at++) {
    const row = rows[at] as number;
    const own = ofKinds[kindSlots[row] as number];
    // Most offers follow no index.
    if (own && (own.isOther || own.months.some((one) => monthAt(monthly, row, one) < 0)))
      found.push(ids[row] as number);
  }
  return found;
}

/** Whether the month of a part is the one of its name within a window. */
function appliesIn({ toMonth }: HistoryWindow, { year = 0, month }: ProfileEntry): boolean {
  const behind = monthNumber(toMonth) - (12 * year + (month ?? 0) - 1);
  return behind >= 0 && behind < MEAN_WINDOW_MONTHS;
}

function belowLeast(
  { table, from, end }: Stretch<Table>,
  rows: Int32Array,
  { leastPowerPrices }: FactsQuestion,
): readonly number[] {
  if (leastPowerPrices === undefined) return [];
  const isBelow = belowLeastIn(table, leastPowerPrices);
  const found: number[] = [];
  for (let at = from; at < end; at++) {
    const row = rows[at] as number;
    if (isBelow[row] === 1) found.push(table.ids[row] as number);
  }
  return found;
}

/**
 * Its last month, its first one, and how many months have each price that the mean needs, the fewest: two windows with one
 * text are the same. Prices of power and the fixed term of gas do not count where no month has them: they are those of
 * the offer.
 */
function windowName({ fromMonth, toMonth, monthCount, counts }: HistoryWindow, needed: number): string {
  let fewest = monthCount;
  for (let period = 0; period < PERIOD_COUNT; period++) {
    const needsFixed = (needed & (POWER_BIT << period)) !== 0 || (period === 0 && (needed & FIXED_BIT) !== 0);
    if ((needed & (ENERGY_BIT << period)) !== 0) fewest = fewer(fewest, counts[period] ?? 0);
    if (needsFixed) fewest = fewer(fewest, counts[PERIOD_COUNT + period] ?? 0);
  }
  return `${toMonth} ${fromMonth} ${fewest}`;
}

/** Where no month has a price none counts. */
function fewer(count: number, other: number): number {
  return other > 0 && other < count ? other : count;
}

function newGroup(): Counted {
  return { total: 0, offerIds: [] };
}

function groupAt(groups: Map<string, Counted>, name: string): Counted {
  const known = groups.get(name) ?? newGroup();
  groups.set(name, known);
  return known;
}

function firstIds(ids: readonly number[]): readonly number[] {
  return ids.toSorted((a, b) => a - b).slice(0, MAX_NAMED);
}

/** Offers of several kinds as one. No offer is of two of them. */
export function together(kinds: readonly Named[]): Named {
  return kinds.reduce((some, others) => {
    if (some.total === 0 || others.total === 0) return some.total === 0 ? others : some;
    return { total: some.total + others.total, offerIds: firstOfBoth(some.offerIds, others.offerIds) };
  }, NONE);
}

/** Mostly the tables, and so the ids, ascend. */
function firstOfBoth(some: readonly number[], others: readonly number[]): readonly number[] {
  const isFull = some.length === MAX_NAMED && (some.at(-1) ?? 0) < (others[0] ?? 0);
  return isFull ? some : firstIds([...some, ...others]);
}

/** Facts of several tables as one. No offer is in two of them. */
function mergeFacts(lists: readonly RankedFacts[]): RankedFacts {
  const [only] = lists;
  if (only && lists.length === 1) return only;
  const all = (name: GroupName | 'belowLeastPower' | 'unknownTerms' | 'withoutHours' | 'hoursOfOtherYear') =>
    together(lists.map((facts) => facts[name]));
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
    withoutSsaa: all('withoutSsaa'),
    withPowerFee: all('withPowerFee'),
    indexed: all('indexed'),
    withPanels: all('withPanels'),
    belowLeastPower: all('belowLeastPower'),
    penaltyTooHigh: all('penaltyTooHigh'),
    discounted: all('discounted'),
    withoutHours: all('withoutHours'),
    hoursOfOtherYear: all('hoursOfOtherYear'),
    unknownTerms: all('unknownTerms'),
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
