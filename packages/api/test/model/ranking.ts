import {
  annualQuantities,
  CUSTOMER_TYPES,
  calculationPeriod,
  expectedCommission,
  type PresentContract,
  perPeriod,
  rankOffers,
  roundHalfUp,
  TERRITORIES,
} from '@tarifario/core/service';
import { expect } from 'vitest';
import { fromWireOffers, toWireRanking } from '../../src/index.ts';
import { type ModelRequest, named, numberIn, paged, textIn } from './firms.ts';
import {
  catalogOffers,
  companyBehind,
  filtersIn,
  matches,
  matchesName,
  type OfferFilters,
  ownOffers,
  showDetail,
  showOffer,
  visibleOffer,
} from './offers.ts';
import { monthOf } from './reading.ts';
import {
  type ExpectedAnswer,
  isRecord,
  type Json,
  type ModelOffer,
  narrow,
  pageOf,
  Refusal,
  refuseRules,
} from './state.ts';
import { verdictOf } from './systems.ts';

// Who takes part and who sees what is the model's own. What an offer costs and pays is core's, and the form of the
// answer, which vectors and examples state, that of the api.

/** Offers as core takes them, with no more of them than the caller sees. */
const toCore = (request: ModelRequest, offers: readonly ModelOffer[]) =>
  fromWireOffers(offers.map((offer) => showDetail(request, offer))).offers;

/** Offers that take part in a ranking or a recommendation. */
function universe(request: ModelRequest, only: number | null, filters: OfferFilters): readonly ModelOffer[] {
  const { state } = request;
  const own = ownOffers(request, only).filter((offer) => {
    const company = companyBehind(state, offer);
    const client = state.clients.get(company.clientId ?? 0);
    return offer.fields.is_active === true && company.isActive && client?.isActive === true;
  });
  return [...own, ...catalogOffers(request, only)].filter((offer) => matches(offer, filters));
}

const euros = (amount: number) => roundHalfUp(amount, 6) + 0;

function showPayment(
  request: ModelRequest,
  shown: ModelOffer,
  { mwh, kw }: { readonly mwh: number; readonly kw: number | null },
) {
  const [{ offer } = expect.fail()] = toCore(request, [shown]);
  const { consumption, power, totalEur } = expectedCommission(offer, annualQuantities(mwh, kw));
  const tier = consumption.matchedTier;
  const powerTier = power.matchedTier;
  return {
    consumption_commission: {
      value: euros(consumption.valueEur),
      commission_type: consumption.type,
      matched_tier: tier && { consumption_from: tier.from, consumption_to: tier.to },
    },
    power_commission: {
      value: euros(power.valueEur),
      commission_type: power.type,
      matched_tier: powerTier && { power_from: powerTier.from, power_to: powerTier.to },
    },
    total_commission: euros(totalEur),
  };
}

export function calculateCommission(request: ModelRequest): ExpectedAnswer {
  const offer = visibleOffer(request);
  const mwh = numberIn(request.query, 'consumption_mwh') ?? 0;
  const kw = offer.supply === 'GAS' ? null : (numberIn(request.query, 'power_kw') ?? null);
  const { total_commission: _total, ...payment } = showPayment(request, offer, { mwh, kw });
  return { status: 200, body: { offer_id: offer.id, consumption_mwh: mwh, power_kw: kw, ...payment } };
}

export function recommendOffers(request: ModelRequest): ExpectedAnswer {
  const { query } = request;
  const only = narrow(request.state, request.caller, named(request));
  const filters = filtersIn(query);
  refuseRules(filters.supply === 'GAS' && query.power_kw !== undefined ? ['power_kw'] : []);
  const quantities = { mwh: numberIn(query, 'consumption_mwh') ?? 0, kw: numberIn(query, 'power_kw') ?? null };
  const paid = universe(request, only, filters).map((offer) => ({
    offer,
    payment: showPayment(request, offer, quantities),
  }));
  paid.sort((a, b) => b.payment.total_commission - a.payment.total_commission || a.offer.id - b.offer.id);
  const page = pageOf(paid, paged(request), ({ offer, payment }) => ({ offer: showOffer(request, offer), ...payment }));
  const ofOthers = paid.length === 0 && universe(request, only, { ...filters, tariff: undefined }).length > 0;
  const near = { codigo: 'peaje_sin_ofertas', total: 0, offer_ids: [] };
  const ranked = paid.map(({ offer }) => offer);
  const use = { ...quantities, isGas: filters.supply === 'GAS' };
  const avisos = [...tariffWarnings(ranked, use), ...(ofOthers ? [near] : [])];
  return page.status === 200 && isRecord(page.body) ? { ...page, body: { ...page.body, avisos } } : page;
}

/** Access tariffs that cannot stand beside each other, or that this consumption and power cannot have. */
function tariffWarnings(
  offers: readonly ModelOffer[],
  { mwh, kw, isGas }: { readonly mwh: number; readonly kw: number | null; readonly isGas: boolean },
) {
  const tariffs = offers.map(({ fields }) => String(fields.tariff_type));
  const times = (tariff: string) => tariffs.filter((other) => other === tariff).length;
  const most = [...new Set(tariffs)].sort((a, b) => times(b) - times(a) || (a < b ? -1 : 1))[0];
  const band = [5, 15, 50, 300, 1500, 5000, 15_000, 50_000, 150_000, 500_000].filter((up) => mwh > up).length + 1;
  const cannotBe = (tariff: string) => {
    if (/^RL\.([1-9]|1[01])$/.test(tariff)) return !isGas || tariff !== `RL.${band}`;
    if (kw === null) return false;
    return tariff === '2.0TD' ? kw > 15 : /^3\.0TD(VE)?$/.test(tariff) && kw <= 15;
  };
  const about = (codigo: string, holds: (tariff: string) => boolean) => {
    const ids = offers.filter(({ fields }) => holds(String(fields.tariff_type))).map(({ id }) => id);
    const sorted = ids.sort((a, b) => a - b);
    return sorted.length === 0 ? [] : [{ codigo, total: sorted.length, offer_ids: sorted.slice(0, 50) }];
  };
  return [...about('peajes_mezclados', (tariff) => tariff !== most), ...about('peaje_imposible', cannotBe)];
}

/** The prices of a present contract that have no meaning, and those that it lacks. */
function wrongIn(
  contract: Readonly<Record<string, Json>>,
  { isGas, kwh, kw }: { isGas: boolean; kwh: readonly number[]; kw: readonly number[] },
): string[] {
  if (contract.coste_total !== undefined) return [];
  const has = (name: string) => contract[name] !== undefined;
  const [electric, gas] = [
    [...NAMES_OF_PERIODS, 'precio_excedentes'],
    ['gas_energy', 'gas_fixed'],
  ];
  const needed = isGas
    ? gas
    : [
        ...kwh.flatMap((amount, period) => (amount > 0 ? [`e${period + 1}`] : [])),
        ...kw.flatMap((amount, period) => (amount > 0 ? [`p${period + 1}`] : [])),
      ];
  const wrong = [...(isGas ? electric : gas).filter(has), ...needed.filter((name) => !has(name))];
  return wrong.map((name) => `contrato_actual.${name}`);
}

const NAMES_OF_PERIODS = ['e', 'p'].flatMap((letter) => [1, 2, 3, 4, 5, 6].map((period) => `${letter}${period}`));

function presentContract(contract: Readonly<Record<string, Json>>, isGas: boolean): PresentContract {
  const price = (name: string) => numberIn(contract, name) ?? null;
  const total = price('coste_total');
  if (total !== null) return { totalEur: total };
  const servicesEurPerMonth = price('services_cost');
  if (isGas) {
    const prices = { gasEnergyEurPerKwh: price('gas_energy'), gasFixedEurPerMonth: price('gas_fixed') };
    return { supplyType: 'GAS', ...prices, servicesEurPerMonth };
  }
  return {
    supplyType: 'LUZ',
    energyEurPerKwh: perPeriod((period) => price(`e${period + 1}`)),
    powerEurPerKwDay: perPeriod((period) => price(`p${period + 1}`)),
    servicesEurPerMonth,
    surplusEurPerKwh: price('precio_excedentes'),
  };
}

const ELECTRICITY_ONLY = ['energia', 'potencia', 'excedentes', 'ssaa_included', 'fee_potencia'];

function periods(sent: Json | undefined, letter: string): readonly number[] {
  return [1, 2, 3, 4, 5, 6].map((period) => (isRecord(sent) ? (numberIn(sent, letter + period) ?? 0) : 0));
}

function entriesIn({ perfil }: ModelRequest['body']): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(perfil) ? perfil.filter(isRecord) : [];
}

function sumOfDays(body: ModelRequest['body']): number | undefined {
  const entries = entriesIn(body);
  return entries.length === 0 ? undefined : entries.reduce((sum, entry) => sum + (numberIn(entry, 'dias') ?? 0), 0);
}

function profileIn(body: ModelRequest['body']) {
  const entries = entriesIn(body);
  if (entries.length === 0) return null;
  return entries.map((entry) => ({
    month: numberIn(entry, 'mes') ?? null,
    days: numberIn(entry, 'dias') ?? 0,
    consumptionKwh: periods(entry.energia as Json | undefined, 'e'),
    exportedKwh: numberIn(entry, 'excedentes') ?? 0,
  }));
}

export function rankOffersInModel(request: ModelRequest): ExpectedAnswer {
  const { state, caller, body } = request;
  const [inQuery, inBody] = [named(request), numberIn(body, 'client_id')];
  // Two firms cannot both be meant; of the other refusals with 403 the weight comes before the firm.
  if (inQuery !== undefined && inBody !== undefined && inQuery !== inBody) throw new Refusal(403, 'foreign_firm');
  const asksBelow = numberIn(body, 'w');
  const wants = (asksBelow ?? 1) < 1 || (numberIn(body, 'tolerancia') ?? 0) > 0;
  if (!caller.sees && wants) throw new Refusal(403, 'weight_needs_commissions');
  const only = narrow(state, caller, inQuery, inBody);
  const isGas = body.supply_type === 'GAS';
  const kwh = isGas ? [] : periods(body.energia, 'e');
  const kw = isGas ? [] : periods(body.potencia, 'p');
  const contract = isRecord(body.contrato_actual) ? body.contrato_actual : null;
  refuseRules([
    ...(isGas ? ELECTRICITY_ONLY : ['consumo_gas']).filter((name) => body[name] !== undefined),
    ...(contract ? wrongIn(contract, { isGas, kwh, kw }) : []),
  ]);
  const ssaa = typeof body.ssaa_included === 'boolean' ? body.ssaa_included : undefined;
  const companyId = numberIn(body, 'company_id');
  const filters: OfferFilters = { ...filtersIn(body), supply: isGas ? 'GAS' : 'LUZ', ssaa };
  const takingPart = (chosen: OfferFilters) =>
    universe(request, only, chosen).filter((offer) => {
      const company = companyBehind(state, offer);
      const isChosen = companyId === undefined || (company.id === companyId && company.accountId !== null);
      return isChosen && matchesName(company, textIn(body, 'company_name'));
    });
  const offers = takingPart(filters);
  const [days, months] = [numberIn(body, 'dias') ?? sumOfDays(body), numberIn(body, 'meses')];
  const period = calculationPeriod({ days, months });
  const offset = numberIn(body, 'offset') ?? 0;
  const month = textIn(body, 'mes');
  const profile = profileIn(body);
  const ranking = rankOffers({
    offers: toCore(request, offers),
    customer: isGas
      ? { supplyType: 'GAS', consumptionKwh: numberIn(body, 'consumo_gas') ?? 0 }
      : {
          supplyType: 'LUZ',
          consumptionKwh: periods(body.energia, 'e'),
          powerKw: periods(body.potencia, 'p'),
          exportedKwh: numberIn(body, 'excedentes') ?? 0,
          profile,
        },
    period,
    fees: {
      energyEurPerMwh: numberIn(body, 'fee_energia') ?? 0,
      powerEurPerMwh: numberIn(body, 'fee_potencia') ?? 0,
    },
    weight: caller.sees ? (asksBelow ?? 0.5) : 1,
    tolerance: numberIn(body, 'tolerancia') ?? null,
    contract: contract && presentContract(contract, isGas),
    month: month === undefined ? null : monthOf(month),
    // Those that match stay: the requested tariff decides only the warnings.
    filter: {
      tariffType: textIn(body, 'tariff_type') ?? null,
      territory: TERRITORIES.find((name) => name === body.territory) ?? null,
      customerType: CUSTOMER_TYPES.find((name) => name === body.client_type) ?? null,
    },
    limit: (numberIn(body, 'limit') ?? 50) + offset,
    seesCommissions: caller.sees,
  });
  const mayMeanAnother = offers.length === 0 && takingPart({ ...filters, tariff: undefined }).length > 0;
  const near = { code: 'peaje_sin_ofertas', total: 0, offerIds: [], tariffTypes: [] } as const;
  const warnings = mayMeanAnother ? [...ranking.warnings, near] : ranking.warnings;
  const stamps = { createdAt: '', updatedAt: '' };
  const companies = offers.map((offer) => companyBehind(state, offer));
  const byId = new Map(
    companies.map(({ clientId, ...company }) => [company.id, { ...company, firmId: clientId, ...stamps }]),
  );
  return verdictOf({
    status: 200,
    headers: {},
    body: toWireRanking({ ranking: { ...ranking, warnings, results: ranking.results.slice(offset) }, companies: byId }),
  });
}
