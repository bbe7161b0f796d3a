import {
  type Customer,
  type ElectricityOffer,
  type OfferWithHistory,
  type PerPeriod,
  perPeriod,
  type RankingRequest,
} from '@tarifario/core';
import { electricityOffer, requestOf } from '../simple-offers.ts';

/** The same numbers every time, from 0 (included) to 1. */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const round = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals;

/** One offer of a busy market: two in three are 3.0TD, one price in 170 is missing, four and two tiers. */
function offerOf(id: number, next: () => number): ElectricityOffer {
  const level = 0.08 + 0.08 * next();
  const price = (base: number, decimals: number) =>
    next() < 0.006 ? null : round(base * (0.7 + 0.6 * next()), decimals);
  const generous = (level - 0.08) / 0.08; // dearer offers tend to pay more
  const pay = (most: number) => round(most * (0.3 * next() + 0.7 * generous), 2);
  const bounds = [5, 10, 25, 100].map((bound) => bound + (next() < 0.3 ? Math.floor(3 * next()) : 0));
  return electricityOffer({
    id,
    companyId: 1 + Math.floor(40 * next()),
    tariffType: next() < 0.75 ? '3.0TD' : '2.0TD',
    energyEurPerKwh: perPeriod(() => price(level, 6)),
    powerEurPerKwDay: perPeriod(() => price(0.05, 6)),
    servicesEurPerMonth: next() < 0.2 ? round(6 * next(), 2) : null,
    hasSolarPanels: next() < 0.3,
    surplusEurPerKwh: next() < 0.5 ? 0.06 : null,
    commissionValue: pay(200),
    commissionType: next() < 0.5 ? 'fixed' : 'per_mwh',
    consumptionTiers: bounds.map((to, i) => ({
      from: i === 0 ? 0 : (bounds[i - 1] ?? 0),
      to,
      value: pay(100 * (i + 1)),
      type: next() < 0.7 ? ('fixed' as const) : ('per_mwh' as const),
    })),
    powerTiers: [
      { from: 0, to: 15, value: pay(20), type: 'fixed' },
      { from: 15, to: null, value: pay(3), type: 'per_kw' },
    ],
  });
}

/** A market of electricity offers by ascending id. */
export function speedUniverse(count: number, seed = 7): readonly OfferWithHistory[] {
  const next = chance(seed);
  return Array.from({ length: count }, (_, index) => ({ offer: offerOf(index + 1, next), months: [] }));
}

function six(value: (index: number) => number): PerPeriod<number> {
  return perPeriod(value);
}

/** Firms with six periods, each another one: consumption, power and so tiers differ. */
export function speedCustomer(next: () => number): Customer {
  const kw = 15 + Math.floor(60 * next());
  return {
    supplyType: 'LUZ',
    consumptionKwh: six(() => Math.floor(1000 + 9000 * next())),
    powerKw: six(() => kw),
    exportedKwh: 0,
  };
}

/** The request of such a firm: its tariff, half savings and half commission, 50 results. */
export function speedRequest(customer: Customer): RankingRequest {
  const base = requestOf({ customer, limit: 50 });
  return { ...base, filter: { ...base.filter, tariffType: '3.0TD' } };
}
