// What the hours of a customer, read beside indices, make of the prices of offers that follow these indices.
import type { HourlyPrices, ProfileEntry } from './profile.ts';

/** The indices whose hours the energy and the surplus of an offer follow; `null`: none. */
export interface Followed {
  readonly index: string | null;
  readonly surplusIndex: string | null;
}

/** What an entry says of an index; `null`: nothing. */
function saidOf({ indices }: ProfileEntry, index: string | null): HourlyPrices | null {
  return index !== null && indices && Object.hasOwn(indices, index) ? (indices[index] ?? null) : null;
}

/** The same where it has a number for each period in which the entry consumes; otherwise its energy has the mean. */
export function hoursIn(part: ProfileEntry, index: string | null): HourlyPrices | null {
  const own = saidOf(part, index);
  const isWhole = own && part.consumptionKwh.every((kwh, at) => kwh === 0 || (own.differences[at] ?? null) !== null);
  return isWhole ? own : null;
}

/** The price of surplus by the hours of an entry, EUR/kWh: below 0 it credits nothing; `null`: as the offer says. */
export function surplusPriceIn(part: ProfileEntry, index: string | null): number | null {
  const price = saidOf(part, index)?.surplus ?? null;
  return price === null ? null : Math.max(0, price);
}

/** What an index makes of the parts of a period. */
interface PartsByIndex {
  /** EUR of each part for one EUR of the index, 0 where its energy is not priced by hours; `null`: in none. */
  readonly addedEur: Float64Array | null;
  /** What the surplus of each part is worth, EUR, NaN where it has the price of the offer; `null`: in all. */
  readonly worthEur: Float64Array | null;
  /** Those with consumption that is priced by hours. */
  readonly consuming: readonly ProfileEntry[];
  /** How many with surplus that is. */
  readonly surplusCount: number;
}

/** Each table of a question asks for the same, and each kind of its offers: it is made once. */
const KNOWN = /* @__PURE__ */ new WeakMap<readonly ProfileEntry[], Map<string, PartsByIndex>>();

function partsByIndex(index: string, parts: readonly ProfileEntry[]): PartsByIndex {
  const known = KNOWN.get(parts) ?? new Map<string, PartsByIndex>();
  const own = known.get(index);
  if (own) return own;
  const made = pricedBy(index, parts);
  KNOWN.set(parts, known.set(index, made));
  return made;
}

function pricedBy(index: string, parts: readonly ProfileEntry[]): PartsByIndex {
  const energy = parts.map((part) => hoursIn(part, index));
  const surplus = parts.map((part) => surplusPriceIn(part, index));
  return {
    addedEur: ofParts(energy, (own, at) => addedBy(own, parts[at]?.consumptionKwh ?? []), 0),
    worthEur: ofParts(surplus, (price, at) => (parts[at]?.exportedKwh ?? 0) * price, Number.NaN),
    consuming: parts.filter((part, at) => consumes(part) && energy[at] !== null),
    surplusCount: parts.filter(({ exportedKwh }, at) => exportedKwh > 0 && surplus[at] !== null).length,
  };
}

function ofParts<Said>(some: readonly (Said | null)[], eurOf: (said: Said, at: number) => number, none: number) {
  if (some.every((said) => said === null)) return null;
  const eurs = new Float64Array(some.length).fill(none);
  some.forEach((said, at) => {
    if (said !== null) eurs[at] = eurOf(said, at);
  });
  return eurs;
}

function addedBy(hours: HourlyPrices, consumptionKwh: readonly number[]): number {
  return consumptionKwh.reduce((sum, kwh, period) => sum + kwh * (hours.differences[period] ?? 0), 0);
}

const consumes = ({ consumptionKwh }: ProfileEntry) => consumptionKwh.some((kwh) => kwh > 0);

/** What hours make of the energy and the surplus of each kind of offers. */
export type HourlyTerms = readonly Pick<PartsByIndex, 'addedEur' | 'worthEur'>[];

/** Of a kind that follows no index. */
export const NO_HOURS: HourlyTerms[number] = { addedEur: null, worthEur: null };

/** `null`: no curve was read beside an index. */
export function hourlyTerms(kinds: readonly Followed[], parts: readonly ProfileEntry[]): HourlyTerms | null {
  if (!readsHours(parts)) return null;
  return kinds.map(({ index, surplusIndex }) => {
    if (index === null && surplusIndex === null) return NO_HOURS;
    const { addedEur } = index === null ? NO_HOURS : partsByIndex(index, parts);
    const { worthEur } = surplusIndex === null ? NO_HOURS : partsByIndex(surplusIndex, parts);
    return { addedEur, worthEur };
  });
}

/** Whether a curve was read beside indices. */
export function readsHours(parts: readonly ProfileEntry[]): boolean {
  return parts.some(({ indices }) => indices !== undefined);
}

/** The entries of a profile that are priced by hours. */
export interface HourlyEntries {
  /** How many entries with consumption. */
  readonly energyCount: number;
  /** How many entries with surplus. */
  readonly surplusCount: number;
}

//
/** The same of a kind of offers. */
export function entriesByHours({ index, surplusIndex }: Followed, parts: readonly ProfileEntry[]): HourlyEntries {
  return {
    energyCount: index === null ? 0 : partsByIndex(index, parts).consuming.length,
    surplusCount: surplusIndex === null ? 0 : partsByIndex(surplusIndex, parts).surplusCount,
  };
}

//
/** Whether offers of a kind are priced by means, where hours say something else. */
export function lacksHours(kind: Followed, isIndexed: boolean, parts: readonly ProfileEntry[]): boolean {
  if (!isIndexed && kind.surplusIndex === null) return false;
  const exporting = kind.surplusIndex === null ? 0 : parts.filter(({ exportedKwh }) => exportedKwh > 0).length;
  if (!readsHours(parts)) return isIndexed || exporting > 0;
  const { energyCount, surplusCount } = entriesByHours(kind, parts);
  return (isIndexed && energyCount < parts.filter(consumes).length) || surplusCount < exporting;
}

/** The parts with a year whose energy is priced by the hours of a kind. */
export function datedParts({ index }: Followed, parts: readonly ProfileEntry[]): readonly ProfileEntry[] {
  return index === null ? [] : partsByIndex(index, parts).consuming.filter(({ year }) => year !== undefined);
}
