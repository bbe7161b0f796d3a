import { describe, expect, it } from 'vitest';
import type { EfficientFixture, HouseholdFixture, OfferFixture, TierFixture } from './read-catalog.ts';
import { companies, firms, households, monthNumber, monthsOf, offers } from './read-catalog.ts';

// A second program on purpose: it shares no code with the engine, so that the story the demo tells does not depend on it.
// It covers what the demo customers need (one year, no fees) and nothing more.

type Ranked = { readonly name: string; readonly costEur: number; readonly commissionEur: number };
type Outcome = { readonly ranked: readonly Ranked[]; readonly excluded: ReadonlyMap<string, string> };

const DAYS = 365;
const MONTHS = 12;
const ALL_FIRMS = firms.map(({ name }) => name);
const CLIENT_FLAG = new Map([
  ['dni', 'acepta_dni'],
  ['cif', 'acepta_cif'],
  ['cdad', 'acepta_cdad_propietarios'],
]);

function label(offer: OfferFixture): string {
  return `${offer.company} / ${offer.offer_name}`;
}

/** The price that applies to an offer: the mean over the last twelve months for an indexed one. */
function price(offer: OfferFixture, field: string): number | null {
  const rows = monthsOf(offer);
  const last = monthNumber(rows.at(-1)?.reference_month);
  const window = rows.filter((row) => monthNumber(row.reference_month) > last - MONTHS);
  const values = window.map((row) => row[field]).filter((value) => typeof value === 'number');
  if (values.length > 0) return values.reduce((sum, value) => sum + value, 0) / values.length;
  const own = offer[field];
  const isEnergy = field.startsWith('e') || field === 'gas_energy';
  return typeof own === 'number' && !(offer.is_indexed && isEnergy) ? own : null;
}

function isOffered(offer: OfferFixture, customer: EfficientFixture, firmNames: readonly string[]): boolean {
  const seller = companies.find(({ name }) => name === offer.company);
  const { communities = [], is_active: isActive = true } = offer;
  const { community } = customer;
  return (
    isActive &&
    (seller?.catalog === true || firmNames.includes(seller?.firm ?? '')) &&
    offer.supply_type === customer.supply_type &&
    offer.tariff_type === customer.tariff_type &&
    offer[`territory_${customer.territory}`] === true &&
    offer[CLIENT_FLAG.get(customer.client_type) ?? ''] === true &&
    (community === undefined || communities.length === 0 || communities.includes(community))
  );
}

/** EUR a year before tax, or the reason why there is no figure. */
function yearlyCost(offer: OfferFixture, customer: EfficientFixture): number | string {
  if (offer.is_indexed && monthsOf(offer).length === 0) return 'sin_historico';
  const services = (offer.services_cost ?? 0) * MONTHS;
  if (customer.supply_type === 'GAS') {
    const [energy, fixed] = [price(offer, 'gas_energy'), price(offer, 'gas_fixed')];
    if (energy === null || fixed === null) return 'sin_precio_gas';
    return (customer.consumo_gas ?? 0) * energy + fixed * MONTHS + services;
  }
  const sum = (quantities: Readonly<Record<string, number>>): number | null => {
    const parts = Object.entries(quantities).map(([field, quantity]) => {
      const unitPrice = price(offer, field);
      return quantity === 0 ? 0 : unitPrice === null ? null : quantity * unitPrice;
    });
    return parts.reduce((total, part) => (total === null || part === null ? null : total + part), 0);
  };
  const energyEur = sum(customer.energia ?? {});
  const powerEurPerDay = sum(customer.potencia ?? {});
  if (energyEur === null) return 'sin_precio_energia';
  if (powerEurPerDay === null) return 'sin_precio_potencia';
  const surplusPrice = offer.placas_solares === true ? (price(offer, 'precio_excedentes') ?? 0) : 0;
  const creditEur = Math.min((customer.excedentes ?? 0) * surplusPrice, energyEur);
  return energyEur + powerEurPerDay * DAYS - creditEur + services;
}

/** The first tier whose end reaches the quantity, unless the quantity lies in a gap wider than one unit below it. */
function tierFor(tiers: readonly TierFixture[], kind: 'consumption' | 'power', quantity: number): TierFixture | null {
  let previousEnd = Number.NaN;
  for (const tier of tiers) {
    const from = Number(tier[`${kind}_from`]);
    const end = tier[`${kind}_to`] ?? Number.POSITIVE_INFINITY;
    const start = from - previousEnd <= 1 ? previousEnd : from;
    if (quantity >= start && quantity <= Number(end)) return tier;
    previousEnd = Number(end);
  }
  return null;
}

function yearlyCommission(offer: OfferFixture, customer: EfficientFixture): number {
  const kwh = Object.values(customer.energia ?? {}).reduce((total, part) => total + part, customer.consumo_gas ?? 0);
  const powerKw = Math.max(0, ...Object.values(customer.potencia ?? {}));
  const byEnergy = tierFor(offer.commission_tiers ?? [], 'consumption', kwh / 1000) ?? offer;
  const byPower = tierFor(offer.commission_power_tiers ?? [], 'power', powerKw);
  const energyEur = byEnergy.commission * (byEnergy.commission_type === 'per_mwh' ? kwh / 1000 : 1);
  const powerEur = byPower === null ? 0 : byPower.commission * (byPower.commission_type === 'per_kw' ? powerKw : 1);
  return energyEur + powerEur;
}

function rank(customer: EfficientFixture, firmNames: readonly string[]): Outcome {
  const ranked: Ranked[] = [];
  const excluded = new Map<string, string>();
  for (const offer of offers.filter((candidate) => isOffered(candidate, customer, firmNames))) {
    const costEur = yearlyCost(offer, customer);
    if (typeof costEur === 'string') excluded.set(label(offer), costEur);
    else ranked.push({ name: label(offer), costEur, commissionEur: yearlyCommission(offer, customer) });
  }
  return { ranked, excluded };
}

/** Who wins as the weight of savings goes from 0 to 1 in steps of a thousandth, each change once. */
function winners(ranked: readonly Ranked[]): string[] {
  const costs = ranked.map(({ costEur }) => costEur);
  const commissions = ranked.map(({ commissionEur }) => commissionEur);
  const [costMin, costMax] = [Math.min(...costs), Math.max(...costs)];
  const [commissionMin, commissionMax] = [Math.min(...commissions), Math.max(...commissions)];
  const score = (entry: Ranked, w: number) =>
    w * ((costMax - entry.costEur) / (costMax - costMin)) +
    (1 - w) * ((entry.commissionEur - commissionMin) / (commissionMax - commissionMin));
  const names: string[] = [];
  for (let step = 0; step <= 1000; step++) {
    const best = ranked.reduce((top, entry) => (score(entry, step / 1000) > score(top, step / 1000) ? entry : top));
    if (names.at(-1) !== best.name) names.push(best.name);
  }
  return names;
}

function customerCalled(name: string): HouseholdFixture {
  const found = households.find((household) => household.name === name);
  if (found === undefined) throw new Error(`no customer called ${name}`);
  return found;
}

describe('the demo household', () => {
  const { efficient } = customerCalled('hogar-2.0TD');

  it.each([
    { who: 'the catalog alone', firmNames: [] },
    { who: 'both firms', firmNames: ALL_FIRMS },
    ...ALL_FIRMS.map((name) => ({ who: name, firmNames: [name] })),
  ])('changes its winner at least three times, as $who sees it', ({ firmNames }) => {
    const names = winners(rank(efficient, firmNames).ranked);
    expect(names.length - 1).toBeGreaterThanOrEqual(3);
    expect(new Set(names).size).toBe(names.length);
  });

  it('is ranked over at least twenty offers that pay 0 to 90 EUR', () => {
    const { ranked } = rank(efficient, ALL_FIRMS);
    expect(ranked.length).toBeGreaterThanOrEqual(20);
    expect(ranked.filter(({ commissionEur }) => commissionEur > 90)).toEqual([]);
  });

  it('never wins with an offer for one region, for panels, or with balancing services billed apart', () => {
    const special = offers.filter(
      (offer) => offer.communities !== undefined || offer.placas_solares === true || offer.ssaa_included === false,
    );
    const names = winners(rank(efficient, ALL_FIRMS).ranked);
    expect(special.map(label).filter((name) => names.includes(name))).toEqual([]);
  });

  it('would find a cheaper offer only among the retired ones, so ranking those shows at once', () => {
    const retired = offers.filter(({ is_active, tariff_type }) => is_active === false && tariff_type === '2.0TD');
    const costs = retired.map((offer) => yearlyCost(offer, efficient));
    const cheapest = Math.min(...rank(efficient, ALL_FIRMS).ranked.map(({ costEur }) => costEur));
    expect(costs.filter((cost) => typeof cost === 'number' && cost < cheapest)).toHaveLength(1);
  });
});

describe('every customer', () => {
  it.each(households)('$name has a real choice: no offer is both the cheapest and the best paid', ({ efficient }) => {
    const { ranked } = rank(efficient, ALL_FIRMS);
    expect(ranked.length).toBeGreaterThanOrEqual(5);
    expect(winners(ranked).length).toBeGreaterThanOrEqual(2);
  });

  it('meets each reason for which an offer cannot be priced', () => {
    const reasons = households.flatMap(({ efficient }) => [...rank(efficient, ALL_FIRMS).excluded.values()]);
    expect([...new Set(reasons)].sort()).toEqual([
      'sin_historico',
      'sin_precio_energia',
      'sin_precio_gas',
      'sin_precio_potencia',
    ]);
  });

  it('exports so much, in the solar home, that the law caps the credit of one offer', () => {
    const { efficient } = customerCalled('hogar-solar-2.0TD');
    const exportedKwh = efficient.excedentes ?? 0;
    const capped = offers.filter((offer) => {
      if (!isOffered(offer, efficient, ALL_FIRMS) || offer.placas_solares !== true) return false;
      const withoutCap = yearlyCost(offer, { ...efficient, excedentes: 0 });
      const credit = exportedKwh * (price(offer, 'precio_excedentes') ?? 0);
      return Number(yearlyCost(offer, efficient)) > Number(withoutCap) - credit + 0.01;
    });
    expect(capped.map(label)).toEqual(['Eléctrica del Unicornio / Unicornio Solar Plus']);
  });
});
