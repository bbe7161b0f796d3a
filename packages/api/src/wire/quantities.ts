import { numberBetween } from '../fields.ts';

/** Largest annual consumption, in MWh: no ranking can have a greater annual figure. */
export const MAX_CONSUMPTION_MWH = 1e10;
/** Largest power, in kW. */
export const MAX_POWER_KW = 1e6;

/** A quantity from 0 to a bound, both included. */
export function quantity(max: number) {
  return numberBetween(0, max);
}
