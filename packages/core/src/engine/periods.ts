/** Energy and power periods of Spanish access tariffs: P1 to P6. */
export const PERIOD_COUNT = 6;

/** One value for each of the six periods, P1 first. */
export type PerPeriod<T> = readonly [T, T, T, T, T, T];

/** Six values made by a function of the period's index, 0 for P1 to 5 for P6. */
export function perPeriod<T>(make: (index: number) => T): PerPeriod<T> {
  return [make(0), make(1), make(2), make(3), make(4), make(5)];
}

/** No price in any period. */
export const NO_PRICES: PerPeriod<number | null> = perPeriod(() => null);

/** Nothing consumed and nothing contracted in any period. */
export const NO_QUANTITIES: PerPeriod<number> = perPeriod(() => 0);
