/**
 * Where each figure of an offer stands in its row of `PriceRows.terms`: prices of P1 to P6 (EUR/kWh; gas has one),
 * of power (EUR/kW·day; none for gas), then the four below. A missing price is 0 and has no bit in the mask.
 */
export const TERM = {
  energy: 0,
  power: 6,
  fixedPerMonth: 12,
  servicesPerMonth: 13,
  surplusPerKwh: 14,
  id: 15,
} as const;
/** Figures of a row. */
export const TERMS_PER_ROW = 16;

/** A block's offers as rows of numbers, with the prices that apply in one month or on average. */
export interface PriceRows {
  /** Not kept once they were read: ask for them once. */
  readonly terms: Float64Array;
  /** All that `masks.ts` says about each offer, the prices that exist among it. */
  readonly mask: Int32Array;
}
