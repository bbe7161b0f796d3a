// Which access tariffs a customer can have.
import { MAX_KW_OF_2_0TD } from '../bounds.ts';
import type { Demand } from '../cost/customer.ts';
import { ENERGY_BIT, POWER_BIT } from '../cost/flags.ts';
import { roundHalfUp } from '../numbers.ts';
import type { SupplyType } from '../offers/offer.ts';

/** MWh a year up to which each gas tariff goes, its bound included: RL.1 to RL.10 (Circular CNMC 6/2020). */
const GAS_BANDS_MWH = [5, 15, 50, 300, 1500, 5000, 15_000, 50_000, 150_000, 500_000];
/** The nearest to a bound that a band is certain: consumption of another year may lie beyond it. */
const BOUND_SHARE = 0.05;
/** Fewer days say nothing about a year. */
export const DAYS_OF_A_YEAR = 350;

/** The bits of `neededPrices` of some energy, and of what only six periods have. */
const ENERGY = ENERGY_BIT * 0b111111;
const MORE_THAN_THREE = ENERGY_BIT * 0b111000 + POWER_BIT * 0b111100;

/** What access tariffs depend on. */
export interface TariffUse {
  /** Whether some contracted power is above 15 kW; `null`: no power is known. */
  readonly isLarge: boolean | null;
  /** Three periods of energy and two of power, or more; `null`: no energy is known. */
  readonly periods: 3 | 6 | null;
  /** The numbers of the gas tariffs that the annual consumption may have, two near a bound; none where that is not known. */
  readonly gasBands: readonly number[];
}

/** `days`: of which the use is known. */
export type AnnualUse = Pick<Demand, 'annualMwh' | 'highestPowerKw'> & { readonly days: number };

/** @param needed - As `neededPrices` has it; 0: the periods are not known. */
export function tariffUseOf(supplyType: SupplyType, use: AnnualUse, needed: number): TariffUse {
  if (supplyType === 'GAS') return { isLarge: null, periods: null, gasBands: gasBandsOf(use) };
  const powerKw = use.highestPowerKw ?? 0;
  return {
    isLarge: powerKw > 0 ? powerKw > MAX_KW_OF_2_0TD : null,
    periods: (needed & MORE_THAN_THREE) !== 0 ? 6 : (needed & ENERGY) !== 0 ? 3 : null,
    gasBands: [],
  };
}

function gasBandsOf({ annualMwh, days }: AnnualUse): readonly number[] {
  if (days < DAYS_OF_A_YEAR) return [];
  const isNear = (bound: number) => roundHalfUp(Math.abs(annualMwh - bound), 6) <= bound * BOUND_SHARE;
  const nearest = GAS_BANDS_MWH.findIndex(isNear);
  if (nearest >= 0) return [nearest + 1, nearest + 2];
  return [GAS_BANDS_MWH.filter((most) => annualMwh > most).length + 1];
}

/** Whether a customer cannot have a tariff, as far as is known. Tariffs with other names than the law's are possible. */
export function isImpossible(tariff: string, { isLarge, periods, gasBands }: TariffUse): boolean {
  const band = gasBandOf(tariff);
  if (band !== null) return gasBands.length > 0 && !gasBands.includes(band);
  if (hasSixPeriods(tariff) && periods === 3) return true;
  return tariff === '2.0TD' ? isLarge === true : isOf3_0TD(tariff) && isLarge === false;
}

/** The tariffs to ask with: those of the ranked offers that the customer can have, else those of the law. */
export function tariffsToAsk(ranked: Iterable<string>, use: TariffUse): readonly string[] {
  const { isLarge, periods, gasBands } = use;
  const isMeant = (tariff: string) => TARIFF.test(tariff) && !isImpossible(tariff, use);
  const possible = [...ranked].filter((tariff) => isMeant(tariff) && !(tariff === '2.0TD' && periods === 6)).sort();
  if (possible.length > 0) return possible;
  if (gasBands.length > 0) return gasBands.map((band) => `RL.${band}`);
  return [isLarge === true ? '3.0TD' : '2.0TD'];
}

/** A tariff of the law: an account may have invented one for each of its offers. */
const TARIFF = /^(2\.0TD|3\.0TD(VE)?|6\.[1-4]TD(VE)?|RL\.([1-9]|1[01]))$/;

function isOf3_0TD(tariff: string): boolean {
  return tariff === '3.0TD' || tariff === '3.0TDVE';
}

/** Of the tariffs of the law: 3.0TD and those above it. */
export function hasSixPeriods(tariff: string): boolean {
  return isOf3_0TD(tariff) || tariff.startsWith('6.');
}

/** The number of a gas tariff: 1 for RL.1 to 11; `null` for other names. */
export function gasBandOf(tariff: string): number | null {
  return /^RL\.([1-9]|1[01])$/.test(tariff) ? Number(tariff.slice(3)) : null;
}
