// Why an offer is not ranked for a customer.
import type { Day } from '../calendar.ts';
import type { Offer } from './offer.ts';

/** Why an offer is not for a customer: its days, or the first of its limits that is broken. */
export type LimitExclusion =
  | { readonly code: 'fuera_de_vigencia'; readonly from: Day | null; readonly to: Day | null }
  | {
      readonly code: 'fuera_de_limites';
      readonly limit: 'minPowerKw' | 'maxPowerKw' | 'minAnnualKwh' | 'maxAnnualKwh';
      /** In the unit of the limit: kW, or kWh a year. */
      readonly bound: number;
    };

/** Why an offer is not ranked. The codes are wire values. */
export type Exclusion =
  | LimitExclusion
  | { readonly code: 'sin_historico' | 'sin_mes' }
  | {
      readonly code: 'sin_precio_energia' | 'sin_precio_potencia';
      /** The number of the first period concerned, 1 to 6. */
      readonly period: number;
    }
  | { readonly code: 'sin_precio_gas' };

/** An offer that passed the filter, and is not for the customer or cannot be priced. */
export interface ExcludedOffer {
  readonly offer: Offer;
  readonly exclusion: Exclusion;
}
