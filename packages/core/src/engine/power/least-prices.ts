import type { PerPeriod } from '../periods.ts';

/** EUR/kW·day by tariff and period, below which no retailer can sell power; `null`: the tariff has no such period. */
export type LeastPowerPrices = Readonly<Partial<Record<string, PerPeriod<number | null>>>>;

/** Whether some price of power is below the least one of its tariff. */
export function isBelowLeast(
  {
    tariffType,
    powerEurPerKwDay,
  }: { readonly tariffType: string; readonly powerEurPerKwDay: PerPeriod<number | null> },
  least: LeastPowerPrices,
): boolean {
  const bounds = least[tariffType];
  return (
    bounds !== undefined && powerEurPerKwDay.some((price, period) => price !== null && price < (bounds[period] ?? 0))
  );
}
