import {
  anyOffer,
  assert,
  billedRequest,
  type Company,
  type ConsumptionTier,
  type Customer,
  type ElectricityMonth,
  type ElectricityTerms,
  type GasMonth,
  type GasTerms,
  initialTerms,
  type MonthlyPrice,
  type OfferTerms,
  type OfferWithHistory,
  type PerPeriod,
  type PowerTier,
  perPeriod,
  type RankingRequest,
  type SupplyType,
} from '@tarifario/core/service';

/** Companies of the market: ids from 1. */
export const COMPANY_COUNT = 40;

/** The companies of the market, by id. */
export function companiesOfMarket(): ReadonlyMap<number, Company> {
  const stamps = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
  const company = (id: number): Company => {
    return {
      id,
      firmId: 1,
      name: `Energía ${id}`,
      logoUrl: `https://logo.example/${id}.png`,
      isActive: true,
      ...stamps,
    };
  };
  return new Map(Array.from({ length: COMPANY_COUNT }, (_, index) => [index + 1, company(index + 1)]));
}

/** Numbers from 0 (included) to 1 (excluded) that are the same in every run. */
export function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Chance = () => number;

function pick<T>(chance: Chance, values: readonly T[]): T {
  const value = values[Math.floor(chance() * values.length)];
  assert(value !== undefined, 'there is something to pick');
  return value;
}

function between(chance: Chance, low: number, high: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round((low + chance() * (high - low)) * scale) / scale;
}

const CONSUMPTION_BOUNDS = [0, 2, 5, 10, 20, 35, 50, 100, 250, 500] as const;
const POWER_BOUNDS = [0, 10, 15, 50, 100, 450] as const;

function bounds(chance: Chance, all: readonly number[], count: number): readonly number[] {
  const inner = all.slice(1).filter(() => chance() < (count - 1) / (all.length - 1));
  return [0, ...inner];
}

function consumptionTiers(chance: Chance): readonly ConsumptionTier[] {
  const from = bounds(chance, CONSUMPTION_BOUNDS, 4);
  return from.map((bound, index) => {
    const type = chance() < 0.5 ? 'fixed' : 'per_mwh';
    const value = type === 'fixed' ? between(chance, 10, 400, 2) : between(chance, 0.5, 12, 2);
    return { from: bound, to: from[index + 1] ?? null, value, type };
  });
}

function powerTiers(chance: Chance): readonly PowerTier[] {
  const from = bounds(chance, POWER_BOUNDS, 2);
  return from.map((bound, index) => {
    const type = chance() < 0.5 ? 'fixed' : 'per_kw';
    const value = type === 'fixed' ? between(chance, 0, 100, 2) : between(chance, 0, 2, 2);
    return { from: bound, to: from[index + 1] ?? null, value, type };
  });
}

/** About one offer in a hundred lacks a price. */
function prices(chance: Chance, low: number, high: number): PerPeriod<number | null> {
  return perPeriod(() => (chance() < 0.0008 ? null : between(chance, low, high, 6)));
}

function commonTerms(chance: Chance, number: number) {
  return {
    companyId: 1 + Math.floor(chance() * COMPANY_COUNT),
    offerName: `${pick(chance, ['Tarifa Única', 'Plan Ahorro', 'Óptima', 'Empresa "Plus"', 'Fija 24 h'])} ${number}`,
    isIndexed: chance() < 0.1,
    servicesEurPerMonth: chance() < 0.5 ? null : between(chance, 0, 9, 2),
    commissionValue: between(chance, 10, 300, 2),
    consumptionTiers: consumptionTiers(chance),
    accepts: { dni: chance() < 0.9, cif: true, cdad: chance() < 0.6 },
    territories: { peninsula: true, canarias: chance() < 0.4, baleares: chance() < 0.6, ceuta_melilla: chance() < 0.2 },
    isActive: chance() < 0.98,
  };
}

function electricityTerms(chance: Chance, number: number): ElectricityTerms {
  const hasSolarPanels = chance() < 0.3;
  return {
    ...initialTerms('LUZ'),
    ...commonTerms(chance, number),
    tariffType: chance() < 0.5 ? '2.0TD' : '3.0TD',
    energyEurPerKwh: prices(chance, 0.06, 0.28),
    powerEurPerKwDay: prices(chance, 0.005, 0.12),
    hasSolarPanels,
    surplusEurPerKwh: hasSolarPanels ? between(chance, 0.02, 0.09, 6) : null,
    ssaaIncluded: pick(chance, [true, false, null]),
    powerTiers: powerTiers(chance),
  };
}

function gasTerms(chance: Chance, number: number): GasTerms {
  return {
    ...initialTerms('GAS'),
    ...commonTerms(chance, number),
    tariffType: pick(chance, ['RL.1', 'RL.2', 'RL.3']),
    gasEnergyEurPerKwh: chance() < 0.006 ? null : between(chance, 0.03, 0.12, 6),
    gasFixedEurPerMonth: between(chance, 3, 20, 2),
  };
}

function monthsOf(chance: Chance, supplyType: SupplyType): readonly MonthlyPrice[] {
  return Array.from({ length: 12 }, (_, index): ElectricityMonth | GasMonth => {
    const month = `2026-${String(index + 1).padStart(2, '0')}-01`;
    if (supplyType === 'GAS') {
      return { supplyType, month, gasEnergyEurPerKwh: between(chance, 0.03, 0.12, 6), gasFixedEurPerMonth: null };
    }
    const energyEurPerKwh = perPeriod(() => between(chance, 0.05, 0.2, 6));
    return { supplyType, month, energyEurPerKwh, powerEurPerKwDay: perPeriod(() => null) };
  });
}

/** The terms of offers, the same in every run: about 4 tiers of consumption and 2 of power each, one in ten indexed. */
export function marketTerms(supplyType: SupplyType, count: number, seed = 1): readonly OfferTerms[] {
  const chance = chances(seed);
  return Array.from({ length: count }, (_, index) =>
    supplyType === 'LUZ' ? electricityTerms(chance, index + 1) : gasTerms(chance, index + 1),
  );
}

/** The same offers as a store hands them over, with a year of months for the indexed ones. */
export function market(supplyType: SupplyType, count: number, seed = 1): readonly OfferWithHistory[] {
  const chance = chances(seed + 1);
  const stamps = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-06-01T00:00:00.000Z' };
  return marketTerms(supplyType, count, seed).map((terms, index) => ({
    offer: { ...terms, id: index + 1, ...stamps },
    months: terms.isIndexed ? monthsOf(chance, supplyType) : [],
  }));
}

export function monthsOfIndexed(terms: OfferTerms, seed: number): readonly MonthlyPrice[] {
  return terms.isIndexed ? monthsOf(chances(seed), terms.supplyType) : [];
}

/** A firm with six periods of consumption and of power: every price column is used. */
export function customers(count: number, seed = 7): readonly Customer[] {
  const chance = chances(seed);
  return Array.from({ length: count }, () => {
    const annualKwh = between(chance, 3_000, 300_000, 1) + 0.123;
    const powerKw = between(chance, 3, 120, 1) + 0.05;
    return {
      supplyType: 'LUZ' as const,
      consumptionKwh: perPeriod((period) => Math.round((annualKwh * (period + 3)) / 33 + chance() * 7)),
      powerKw: perPeriod((period) => (period === 5 ? powerKw + 1 : powerKw)),
      exportedKwh: 500,
    };
  });
}

/** The question of one customer. */
export function questionFor(customer: Customer, weight = 0.5): RankingRequest {
  return {
    customer,
    period: { days: 365, months: 12 },
    fees: { energyEurPerMwh: 2, powerEurPerMwh: 0 },
    weight,
    month: null,
    filter: { ...anyOffer(customer.supplyType), territory: 'peninsula', customerType: 'cif' },
    company: { ownCompanyId: null, companyName: null },
    limit: 50,
    seesCommissions: true,
  };
}

/** The same question with bills. */
export function withBills(request: RankingRequest): RankingRequest {
  return billedRequest({}, { bill: { day: '2026-10-15', rental: 20 } }, request);
}
