// What the hours of a customer, read beside indices, make of the prices of offers that follow these indices.
import type { HourlyPrices, ProfileEntry } from '../consumption/profile.ts';
import { INDEXED, type Kind, SOLAR } from './conditions.ts';

/** What an entry says of an index; `null`: nothing. */
function saidOf({ indices }: ProfileEntry, index: string | null): HourlyPrices | null {
  return index !== null && indices && Object.hasOwn(indices, index) ? (indices[index] ?? null) : null;
}

/** The same where it has a number for each period in which the entry consumes; otherwise its energy has the mean. */
export function hoursIn(part: ProfileEntry, index: string | null): HourlyPrices | null {
  const own = saidOf(part, index);
  const isWhole = part.consumptionKwh.every((kwh, period) => kwh === 0 || (own?.differences[period] ?? null) !== null);
  return isWhole ? own : null;
}

/** The price of surplus by the hours of an entry, EUR/kWh: below 0 it credits nothing; `null`: as the offer says. */
export function surplusPriceIn(part: ProfileEntry, index: string | null): number | null {
  const price = saidOf(part, index)?.surplus ?? null;
  return price === null ? null : Math.max(0, price);
}

/** What hours add to prices, by the kind of an offer and the part of the period. */
export interface HourlyTerms {
  /** Where the parts of a kind begin; -1: no part of it is priced by hours. */
  readonly at: Int32Array;
  /** EUR of a part for one EUR of the index; 0 where its energy is not priced by hours. */
  readonly addedEur: Float64Array;
  /** EUR/kWh; NaN where its surplus has the price of the offer. */
  readonly surplusEur: Float64Array;
}

/** Which index the energy and the surplus of a kind follow. */
type Followed = Pick<Kind, 'flags' | 'index' | 'surplusIndex'>;

const energyIndex = ({ flags, index }: Followed) => ((flags & INDEXED) === 0 ? null : index);
const surplusIndexOf = ({ flags, surplusIndex }: Followed) => ((flags & SOLAR) === 0 ? null : surplusIndex);

/** `null`: no curve was read beside an index, or no kind follows one. */
export function hourlyTerms(kinds: readonly Followed[], parts: readonly ProfileEntry[]): HourlyTerms | null {
  if (!readsHours(parts)) return null;
  const at = new Int32Array(kinds.length).fill(-1);
  const [added, surplus]: [number[], number[]] = [[], []];
  kinds.forEach((kind, slot) => {
    const energy = parts.map((part) => hoursIn(part, energyIndex(kind)));
    const prices = parts.map((part) => surplusPriceIn(part, surplusIndexOf(kind)));
    if (energy.every((one) => one === null) && prices.every((one) => one === null)) return;
    at[slot] = added.length;
    for (const [part, own] of energy.entries()) {
      added.push(addedBy(own, parts[part]?.consumptionKwh ?? []));
      surplus.push(prices[part] ?? Number.NaN);
    }
  });
  return added.length === 0 ? null : { at, addedEur: Float64Array.from(added), surplusEur: Float64Array.from(surplus) };
}

function addedBy(hours: HourlyPrices | null, consumptionKwh: readonly number[]): number {
  if (hours === null) return 0;
  return consumptionKwh.reduce((sum, kwh, period) => sum + kwh * (hours.differences[period] ?? 0), 0);
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

const consumes = ({ consumptionKwh }: ProfileEntry) => consumptionKwh.some((kwh) => kwh > 0);

//
/** The same of a kind of offers. */
export function entriesByHours(kind: Followed, parts: readonly ProfileEntry[]): HourlyEntries {
  return {
    energyCount: parts.filter((part) => consumes(part) && hoursIn(part, energyIndex(kind)) !== null).length,
    surplusCount: parts.filter((part) => part.exportedKwh > 0 && surplusPriceIn(part, surplusIndexOf(kind)) !== null)
      .length,
  };
}

//
/** Whether offers of a kind are priced by means, where hours say something else. */
export function lacksHours(kind: Followed, parts: readonly ProfileEntry[]): boolean {
  const isIndexed = (kind.flags & INDEXED) !== 0;
  const paysHours = surplusIndexOf(kind) !== null && parts.some(({ exportedKwh }) => exportedKwh > 0);
  if (!readsHours(parts)) return isIndexed || paysHours;
  const { energyCount, surplusCount } = entriesByHours(kind, parts);
  return (
    (isIndexed && energyCount < parts.filter(consumes).length) ||
    (paysHours && surplusCount < parts.filter(({ exportedKwh }) => exportedKwh > 0).length)
  );
}

/** The parts with a year whose energy is priced by the hours of a kind. */
export function datedParts(kind: Followed, parts: readonly ProfileEntry[]): readonly ProfileEntry[] {
  return parts.filter((part) => part.year !== undefined && consumes(part) && hoursIn(part, energyIndex(kind)) !== null);
}
