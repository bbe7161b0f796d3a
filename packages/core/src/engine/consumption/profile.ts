import { MAX_KWH } from '../bounds.ts';
import { assert } from '../errors.ts';
import { isCount, isWithin } from '../numbers.ts';
import { perPeriod } from '../periods.ts';

// A constant, because building a message for each quantity would take longer than the check.
const OF_CONSUMPTION = `a consumption is 0 to ${MAX_KWH} kWh`;

/** @throws RangeError when a consumption or an export, kWh, is out of its bounds. */
export function checkKwh(quantities: readonly number[]): void {
  for (const kwh of quantities) assert(isWithin(kwh, MAX_KWH), OF_CONSUMPTION);
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
}

/** The maximum number of parts. */
export const MAX_PROFILE_ENTRIES = 36;
const MONTHS_OF_YEAR = 12;

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
  return definition.map(({ month = null, days, consumptionKwh, exportedKwh = 0 }) => {
    assert(month === null || isCount(month, MONTHS_OF_YEAR), 'the month of an entry is 1 to 12');
    assert(isCount(days, Number.POSITIVE_INFINITY), 'the days of an entry are whole, and at least one');
    assert(consumptionKwh.length <= periods, `an entry has up to ${periods} periods`);
    checkKwh([...consumptionKwh, exportedKwh]);
    return { month, days, consumptionKwh, exportedKwh };
  });
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
