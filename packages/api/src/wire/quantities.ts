import { MAX_KW } from '@tarifario/core/service';
import { numberBetween } from '../fields.ts';
import { WORDS } from './words.ts';

/** Largest annual consumption, in MWh: no ranking can have a greater annual figure. */
const MAX_CONSUMPTION_MWH = 1e10;

/** The quantities of a year, for which a commission is expected. */
export const YEAR_QUERY = {
  consumption_mwh: numberBetween(0, MAX_CONSUMPTION_MWH).describe(WORDS.consumption_mwh),
  power_kw: numberBetween(0, MAX_KW).describe(WORDS.power_kw).optional(),
};
