import { electricityOffer, gasOffer } from '@tarifario/testkit/core/simple-offers';
import { expect, test } from 'vitest';
import type { ElectricityMonth, MonthlyPrice, Offer } from '../offers/offer.ts';
import { NO_PRICES, type PerPeriod } from '../periods.ts';
import { choosePrices } from './prices.ts';

type Prices = PerPeriod<number | null>;

function p1(price: number | null): Prices {
  return [price, null, null, null, null, null];
}

function row(month: string, energy: Prices, power: Prices = NO_PRICES): ElectricityMonth {
  return { supplyType: 'LUZ', month, energyEurPerKwh: energy, powerEurPerKwDay: power };
}

const INDEXED = electricityOffer({
  id: 1,
  isIndexed: true,
  energyEurPerKwh: [9, 9, 9, 9, 9, 9],
  powerEurPerKwDay: [0.5, 0.25, null, null, null, null],
});

/** The months that are averaged, as `from..to/count`. */
function windowOf(months: readonly string[]): string | null {
  const choice = choosePrices({ offer: INDEXED, months: months.map((month) => row(month, p1(1))) }, null);
  if (!choice.found || choice.origin?.mode !== 'media') return null;
  return `${choice.origin.fromMonth}..${choice.origin.toMonth}/${choice.origin.monthCount}`;
}

function pricesOf(offer: Offer, months: readonly MonthlyPrice[], month: string | null = null) {
  const choice = choosePrices({ offer, months }, month);
  return choice.found ? choice.prices : choice.reason;
}

test('an offer that is not indexed has its own prices, whatever the month', () => {
  const offer = electricityOffer({ id: 1, energyEurPerKwh: p1(0.2), powerEurPerKwDay: p1(0.1) });
  const own = { supplyType: 'LUZ', energyEurPerKwh: p1(0.2), powerEurPerKwDay: p1(0.1) };
  expect(choosePrices({ offer, months: [] }, '2026-01-01')).toEqual({ found: true, prices: own, origin: null });
  // A history may be left over from a time when the offer was indexed.
  expect(pricesOf(offer, [row('2026-01-01', p1(9))])).toEqual(own);
  const gas = gasOffer({ id: 1, gasEnergyEurPerKwh: 0.05, gasFixedEurPerMonth: 4 });
  expect(pricesOf(gas, [])).toEqual({ supplyType: 'GAS', gasEnergyEurPerKwh: 0.05, gasFixedEurPerMonth: 4 });
});

test('A-10: an indexed offer without any month is excluded as sin_historico, without the requested month as sin_mes', () => {
  expect(pricesOf(INDEXED, [])).toBe('sin_historico');
  expect(pricesOf(INDEXED, [], '2026-01-01')).toBe('sin_historico');
  expect(pricesOf(INDEXED, [row('2026-01-01', p1(1))], '2026-02-01')).toBe('sin_mes');
});

test('A-11: the mean covers the 12 calendar months that end at the latest one, over gaps and year ends', () => {
  expect(windowOf(['2026-03-01'])).toBe('2026-03-01..2026-03-01/1');
  expect(windowOf(['2025-03-01', '2025-04-01', '2026-03-01'])).toBe('2025-04-01..2026-03-01/2');
  expect(windowOf(['2025-01-01', '2025-12-01'])).toBe('2025-01-01..2025-12-01/2');
  expect(windowOf(['2024-12-01', '2025-12-01'])).toBe('2025-12-01..2025-12-01/1');
  expect(windowOf(['2025-01-01', '2025-02-01', '2026-01-01'])).toBe('2025-02-01..2026-01-01/2');
  const years = ['2024', '2025'].flatMap((year) =>
    Array.from({ length: 12 }, (_, index) => `${year}-${String(index + 1).padStart(2, '0')}-01`),
  );
  expect(windowOf(years)).toBe('2025-01-01..2025-12-01/12');
  expect(windowOf([...years, '2026-01-01'])).toBe('2025-02-01..2026-01-01/12');
});
