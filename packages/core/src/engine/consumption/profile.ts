import { INDEX_NAME, MAX_INDEX_PRICE, MAX_KWH } from '../bounds.ts';
import { assert } from '../errors.ts';
import { isCount, isWithin } from '../numbers.ts';
import { PERIOD_COUNT, perPeriod } from '../periods.ts';

// A constant, because building a message for each quantity would take longer than the check.
const OF_CONSUMPTION = `a consumption is 0 to ${MAX_KWH} kWh`;

/** @throws RangeError when a consumption or an export, kWh, is out of its bounds. */
export function checkKwh(quantities: readonly number[]): void {
  for (const kwh of quantities) assert(isWithin(kwh, MAX_KWH), OF_CONSUMPTION);
}

/** How far the hours of a customer lie from the plain mean of an index, in an entry of his profile. */
export interface HourlyPrices {
  /** EUR/kWh beside the mean of the month, P1 first, up to six, each -10 to 10; `null`: nothing was bought in the period. */
  readonly differences: readonly (number | null)[];
  /** The price of surplus, EUR/kWh, -10 to 10; `null`: nothing was exported. */
  readonly surplus: number | null;
}

/** Consumption and surplus of a part of the calculation period, such as a month of a meter's curve. */
export interface ProfileEntry {
  /** The month of the year, 1 to 12: indexed offers apply its prices; `null`: their mean. */
  readonly month: number | null;
  /** Whole days, >= 1. */
  readonly days: number;
  /** kWh per period, P1 first; one figure for gas. */
  readonly consumptionKwh: readonly number[];
  /** kWh; 0 for gas. */
  readonly exportedKwh: number;
  /** The year of `month`, 2000 to 2099; left out: not said. */
  readonly year?: number;
  //
  /** By the name of an index, five at most, what the hours of the entry cost beside it; left out: no curve says it. */
  readonly indices?: Readonly<Record<string, HourlyPrices>>;
}

/** The maximum number of parts. */
export const MAX_PROFILE_ENTRIES = 36;
const MONTHS_OF_YEAR = 12;
/** The most indices of an entry. */
export const MAX_INDICES = 5;
/** The first and the last year of an entry, included. */
export const YEARS = { min: 2000, max: 2099 } as const;

/** 1 to `MAX_PROFILE_ENTRIES` entries. */
export type ProfileDefinition = readonly (Pick<ProfileEntry, 'days' | 'consumptionKwh'> & Partial<ProfileEntry>)[];

/**
 * Completes the definition of a profile.
 *
 * @param periods - How many periods an entry has at most.
 * @throws RangeError for a profile that is none.
 */
export function defineProfile(definition: ProfileDefinition, periods: number): readonly ProfileEntry[] {
  const { length } = definition;
  assert(length >= 1 && length <= MAX_PROFILE_ENTRIES, `a profile has 1 to ${MAX_PROFILE_ENTRIES} entries`);
  return definition.map(({ month = null, days, consumptionKwh, exportedKwh = 0, year, indices }) => {
    assert(month === null || isCount(month, MONTHS_OF_YEAR), 'the month of an entry is 1 to 12');
    assert(isCount(days, Number.POSITIVE_INFINITY), 'the days of an entry are whole, and at least one');
    assert(consumptionKwh.length <= periods, `an entry has up to ${periods} periods`);
    checkKwh([...consumptionKwh, exportedKwh]);
    const isYear = year === undefined || (month !== null && isCount(year, YEARS.max) && year >= YEARS.min);
    assert(isYear, `the year of an entry with a month is ${YEARS.min} to ${YEARS.max}`);
    if (indices) checkIndices(indices, periods);
    return { month, days, consumptionKwh, exportedKwh, ...(year && { year }), ...(indices && { indices }) };
  });
}

/** @throws RangeError for more indices than may be, a name that is none, and a number that is out of its bounds. */
function checkIndices(indices: Readonly<Record<string, HourlyPrices>>, periods: number): void {
  assert(periods === PERIOD_COUNT, 'indices are of electricity');
  const named = Object.entries(indices);
  assert(named.length <= MAX_INDICES, `an entry has at most ${MAX_INDICES} indices`);
  for (const [name, { differences, surplus }] of named) {
    assert(INDEX_NAME.test(name), `${name} is no name of an index`);
    assert(Array.isArray(differences) && differences.length <= periods, `an index has up to ${periods} differences`);
    const areNumbers = [...differences, surplus].every(
      (price) => price === null || (Number.isFinite(price) && Math.abs(price) <= MAX_INDEX_PRICE),
    );
    assert(areNumbers, `the prices of an index are -${MAX_INDEX_PRICE} to ${MAX_INDEX_PRICE} EUR/kWh`);
  }
}

/** The sums of the parts of a period. */
export function profileTotals(
  profile: readonly ProfileEntry[],
): Pick<ProfileEntry, 'days' | 'consumptionKwh' | 'exportedKwh'> {
  const sumOf = (pick: (entry: ProfileEntry) => number) => profile.reduce((sum, entry) => sum + pick(entry), 0);
  return {
    days: sumOf(({ days }) => days),
    consumptionKwh: perPeriod((period) => sumOf(({ consumptionKwh }) => consumptionKwh[period] ?? 0)),
    exportedKwh: sumOf(({ exportedKwh }) => exportedKwh),
  };
}
