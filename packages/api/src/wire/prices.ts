import type { AppliedPrices, MonthlyPrice, Offer, PerPeriod, SparsePrices } from '@tarifario/core/service';
import { perPeriod } from '@tarifario/core/service';

export const ENERGY_KEYS = ['e1', 'e2', 'e3', 'e4', 'e5', 'e6'] as const;
export const POWER_KEYS = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'] as const;
export type PeriodKey = (typeof ENERGY_KEYS)[number] | (typeof POWER_KEYS)[number];

type SixKeys = typeof ENERGY_KEYS | typeof POWER_KEYS;

function toWirePeriods(keys: SixKeys, prices: PerPeriod<number | null>): Record<string, number | null> {
  return Object.fromEntries(keys.map((key, index) => [key, prices[index] ?? null]));
}

/** Prices of one supply type, by period or for gas: the keys of the other supply type are absent. */
export function toWirePrices(prices: AppliedPrices | MonthlyPrice | Offer): Record<string, number | null> {
  if (prices.supplyType === 'GAS') {
    return { gas_energy: prices.gasEnergyEurPerKwh, gas_fixed: prices.gasFixedEurPerMonth };
  }
  return {
    ...toWirePeriods(ENERGY_KEYS, prices.energyEurPerKwh),
    ...toWirePeriods(POWER_KEYS, prices.powerEurPerKwDay),
  };
}

/** One month of an indexed offer. */
export function toWireMonth(price: MonthlyPrice): Record<string, string | number | null> {
  return { reference_month: price.month, ...toWirePrices(price) };
}

/** Values sent by period, in order; what was not sent is `undefined`. */
export function fromWirePeriods<T>(keys: SixKeys, sent: { readonly [Key in PeriodKey]?: T | undefined }) {
  return perPeriod<T | undefined>((index) => {
    const key = keys[index];
    return key === undefined ? undefined : sent[key];
  });
}

/** The prices of an offer or a month, as core takes them. */
export function fromWirePrices(
  sent: {
    readonly [Key in PeriodKey | 'gas_energy' | 'gas_fixed']?: number | null | undefined;
  },
): {
  readonly energyEurPerKwh: SparsePrices;
  readonly powerEurPerKwDay: SparsePrices;
  readonly gasEnergyEurPerKwh: number | null | undefined;
  readonly gasFixedEurPerMonth: number | null | undefined;
} {
  return {
    energyEurPerKwh: fromWirePeriods(ENERGY_KEYS, sent),
    powerEurPerKwDay: fromWirePeriods(POWER_KEYS, sent),
    gasEnergyEurPerKwh: sent.gas_energy,
    gasFixedEurPerMonth: sent.gas_fixed,
  };
}
