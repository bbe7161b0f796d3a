import {
  annualQuantities,
  CUSTOMER_TYPES,
  calculationPeriod,
  defineOffer,
  draftMonth,
  type ExcludedOffer,
  expectedCommission,
  type OfferWithHistory,
  type PresentContract,
  perPeriod,
  type RankedOffer,
  type Ranking,
  rankOffers,
  roundHalfUp,
  TERRITORIES,
} from '@tarifario/core/service';
import { type Asked, named, numberIn, paged, textIn } from './firms.ts';
import { PRICES, tiersOf } from './offer-rules.ts';
import {
  catalogOffers,
  companyBehind,
  filtersIn,
  matches,
  matchesName,
  type OfferFilters,
  ownOffers,
  showOffer,
  visibleOffer,
} from './offers.ts';
import { monthOf } from './reading.ts';
import {
  type Fields,
  isRecord,
  type Json,
  type ModelOffer,
  narrow,
  pageOf,
  Refusal,
  refuseRules,
  type Verdict,
} from './state.ts';

// Who takes part, who sees what, and in which form: the model's own. What one offer costs and pays is core's.

const orNull = (value: Json | undefined) => (typeof value === 'number' ? value : null);
const sixOf = (letter: string, fields: Fields) => [1, 2, 3, 4, 5, 6].map((period) => orNull(fields[letter + period]));

function pricesOf(fields: Fields, supply: ModelOffer['supply']) {
  if (supply === 'GAS') {
    return { gasEnergyEurPerKwh: orNull(fields.gas_energy), gasFixedEurPerMonth: orNull(fields.gas_fixed) };
  }
  return { energyEurPerKwh: sixOf('e', fields), powerEurPerKwDay: sixOf('p', fields) };
}

const ACCEPTS = { dni: 'acepta_dni', cif: 'acepta_cif', cdad: 'acepta_cdad_propietarios' } as const;

function tierDrafts(list: 'commission_tiers' | 'commission_power_tiers', fields: Fields) {
  return tiersOf(list, fields[list]).map(({ from, to, fields: tier }) => {
    const value = Number(tier.commission);
    return { from, to: Number.isFinite(to) ? to : null, value, type: String(tier.commission_type) };
  });
}

/** An offer as core takes it. */
function toCore({ id, supply, fields, companyId, months }: ModelOffer): OfferWithHistory {
  const electricity = {
    hasSolarPanels: fields.placas_solares === true,
    surplusEurPerKwh: orNull(fields.precio_excedentes),
    ssaaIncluded: typeof fields.ssaa_included === 'boolean' ? fields.ssaa_included : null,
    feePowerEurPerMwh: orNull(fields.fee_power),
    powerTiers: tierDrafts('commission_power_tiers', fields),
  };
  const offer = defineOffer({
    id,
    companyId,
    supplyType: supply,
    offerName: String(fields.offer_name),
    tariffType: String(fields.tariff_type),
    isIndexed: fields.is_indexed === true,
    servicesEurPerMonth: orNull(fields.services_cost),
    commissionValue: Number(fields.commission),
    commissionType: String(fields.commission_type),
    consumptionTiers: tierDrafts('commission_tiers', fields),
    accepts: Object.fromEntries(CUSTOMER_TYPES.map((type) => [type, fields[ACCEPTS[type]] === true])),
    territories: Object.fromEntries(TERRITORIES.map((name) => [name, fields[`territory_${name}`] === true])),
    ...pricesOf(fields, supply),
    ...(supply === 'LUZ' ? electricity : {}),
  });
  const rows = [...months].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { offer, months: rows.map(([month, row]) => draftMonth(supply, { month, ...pricesOf(row, supply) }).price) };
}

/** Offers that take part in a ranking or a recommendation. */
function universe(asked: Asked, only: number | null, filters: OfferFilters): readonly ModelOffer[] {
  const { state } = asked;
  const own = ownOffers(asked, only).filter((offer) => {
    const company = companyBehind(state, offer);
    const client = state.clients.get(company.clientId ?? 0);
    return offer.fields.is_active === true && company.isActive && client?.isActive === true;
  });
  return [...own, ...catalogOffers(asked, only)].filter((offer) => matches(offer, filters));
}

const euros = (amount: number) => roundHalfUp(amount, 6) + 0;
const nota = (score: number) => roundHalfUp(score, 4) + 0;

function showPayment(offer: ModelOffer, quantities: { readonly mwh: number; readonly kw: number | null }) {
  const { consumption, power, totalEur } = expectedCommission(
    toCore(offer).offer,
    annualQuantities(quantities.mwh, quantities.kw),
  );
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

export function calculateCommission(asked: Asked): Verdict {
  const offer = visibleOffer(asked);
  const mwh = numberIn(asked.query, 'consumption_mwh') ?? 0;
  const kw = offer.supply === 'GAS' ? null : (numberIn(asked.query, 'power_kw') ?? null);
  const { total_commission: _total, ...payment } = showPayment(offer, { mwh, kw });
  return { status: 200, body: { offer_id: offer.id, consumption_mwh: mwh, power_kw: kw, ...payment } };
}

export function recommendOffers(asked: Asked): Verdict {
  const { query } = asked;
  const only = narrow(asked.state, asked.caller, named(asked));
  const filters = filtersIn(query);
  refuseRules(filters.supply === 'GAS' && query.power_kw !== undefined ? ['power_kw'] : []);
  const quantities = { mwh: numberIn(query, 'consumption_mwh') ?? 0, kw: numberIn(query, 'power_kw') ?? null };
  const paid = universe(asked, only, filters).map((offer) => ({ offer, payment: showPayment(offer, quantities) }));
  paid.sort((a, b) => b.payment.total_commission - a.payment.total_commission || a.offer.id - b.offer.id);
  const page = pageOf(paid, paged(asked), ({ offer, payment }) => ({ offer: showOffer(asked, offer), ...payment }));
  const avisos = tariffWarnings(
    paid.map(({ offer }) => offer),
    quantities,
  );
  return page.status === 200 && isRecord(page.body) ? { ...page, body: { ...page.body, avisos } } : page;
}

/** Access tariffs that cannot stand beside each other, or that this consumption and power cannot have. */
function tariffWarnings(
  offers: readonly ModelOffer[],
  { mwh, kw }: { readonly mwh: number; readonly kw: number | null },
) {
  const tariffs = offers.map(({ fields }) => String(fields.tariff_type));
  const times = (tariff: string) => tariffs.filter((other) => other === tariff).length;
  const most = [...new Set(tariffs)].sort((a, b) => times(b) - times(a) || (a < b ? -1 : 1))[0];
  const band = [5, 15, 50, 300, 1500, 5000, 15_000, 50_000, 150_000, 500_000].filter((up) => mwh > up).length + 1;
  const cannotBe = (tariff: string) => {
    if (/^RL\.([1-9]|1[01])$/.test(tariff)) return tariff !== `RL.${band}`;
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

export function rankOffersInModel(asked: Asked): Verdict {
  const { state, caller, body } = asked;
  const [inQuery, inBody] = [named(asked), numberIn(body, 'client_id')];
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
  const offers = universe(asked, only, { ...filtersIn(body), supply: isGas ? 'GAS' : 'LUZ', ssaa }).filter((offer) => {
    const company = companyBehind(state, offer);
    const isChosen = companyId === undefined || (company.id === companyId && company.accountId !== null);
    return isChosen && matchesName(company, textIn(body, 'company_name'));
  });
  const period = calculationPeriod({ days: numberIn(body, 'dias'), months: numberIn(body, 'meses') });
  const month = textIn(body, 'mes');
  const ranking = rankOffers({
    offers: offers.map(toCore),
    customer: isGas
      ? { supplyType: 'GAS', consumptionKwh: numberIn(body, 'consumo_gas') ?? 0 }
      : {
          supplyType: 'LUZ',
          consumptionKwh: periods(body.energia, 'e'),
          powerKw: periods(body.potencia, 'p'),
          exportedKwh: numberIn(body, 'excedentes') ?? 0,
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
    // Those that match stay: what is asked for decides no more than what is warned of.
    filter: {
      tariffType: textIn(body, 'tariff_type') ?? null,
      territory: TERRITORIES.find((name) => name === body.territory) ?? null,
      customerType: CUSTOMER_TYPES.find((name) => name === body.client_type) ?? null,
    },
    limit: numberIn(body, 'limit') ?? 50,
    seesCommissions: caller.sees,
  });
  const { costRangeEur, commissionRangeEur, winners } = ranking;
  const behind = new Map(offers.map((offer) => [offer.id, offer]));
  return {
    status: 200,
    body: {
      w: ranking.weight,
      dias: period.days,
      meses: period.months,
      total: ranking.rankedCount,
      excluded_count: ranking.excludedCount,
      excluded: ranking.excluded.map((entry) => showExcluded(asked, behind, entry)),
      mas_barata_id: ranking.cheapestId,
      mas_comision_id: ranking.bestPaidId,
      mas_eficiente_id: ranking.mostEfficientId,
      escala: {
        coste_min: costRangeEur && euros(costRangeEur.min),
        coste_max: costRangeEur && euros(costRangeEur.max),
        comision_min: commissionRangeEur && euros(commissionRangeEur.min),
        comision_max: commissionRangeEur && euros(commissionRangeEur.max),
      },
      umbrales:
        winners?.map(({ fromWeight, toWeight, offerId }) => {
          return { w_desde: fromWeight, w_hasta: toWeight, offer_id: offerId };
        }) ?? null,
      avisos: ranking.warnings.map(({ code, total, offerIds }) => ({ codigo: code, total, offer_ids: offerIds })),
      actual: showPresent(ranking),
      conflicto: showConflict(ranking),
      results: ranking.results.map((result) => showRanked(asked, behind, result)),
    },
  };
}

function showPresent({ presentCost }: Ranking) {
  if (presentCost === null) return null;
  const { energyEur, powerEur, fixedEur, surplusEur, servicesEur, totalEur } = presentCost;
  const part = (eur: number | null) => eur && euros(eur);
  const parts = { energia: part(energyEur), potencia: part(powerEur), fijo: part(fixedEur) };
  return { cost: { ...parts, excedentes: part(surplusEur), servicios: part(servicesEur), total: euros(totalEur) } };
}

function showConflict({ conflict }: Ranking) {
  if (conflict === null) return null;
  const { customerEurPerCommissionEur: rate, mostEfficient, bestPaid } = conflict;
  const show = ({ offerId, costEur, commissionEur }: typeof bestPaid) => {
    return { offer_id: offerId, coste_extra_anual: euros(costEur), comision_extra: euros(commissionEur) };
  };
  return {
    euros_cliente_por_euro_comision: rate && euros(rate),
    mas_eficiente: show(mostEfficient),
    mas_comision: show(bestPaid),
  };
}

type Behind = ReadonlyMap<number, ModelOffer>;

function modelOf(behind: Behind, id: number): ModelOffer {
  const offer = behind.get(id);
  if (!offer) throw new Error('an offer of the ranking was asked about');
  return offer;
}

function showExcluded({ state }: Asked, behind: Behind, { offer, exclusion }: ExcludedOffer) {
  const model = modelOf(behind, offer.id);
  const company = companyBehind(state, model);
  return {
    offer_id: offer.id,
    offer_name: model.fields.offer_name,
    company_name: company.name,
    is_catalog: company.accountId === null,
    codigo: exclusion.code,
  };
}

function showRanked(asked: Asked, behind: Behind, result: RankedOffer) {
  const model = modelOf(behind, result.offer.id);
  const company = companyBehind(asked.state, model);
  const { origin, cost, commission } = result;
  const mean = origin?.mode === 'media' ? origin : null;
  return {
    offer: {
      id: model.id,
      offer_name: model.fields.offer_name ?? null,
      supply_type: model.supply,
      tariff_type: model.fields.tariff_type ?? null,
      is_catalog: company.accountId === null,
      company: { id: company.id, name: company.name, logo_url: company.logoUrl },
      ...Object.fromEntries(PRICES[model.supply].map((name) => [name, model.fields[name]])),
      services_cost: model.fields.services_cost ?? null,
      updated_at: asked.caller.sees ? model.updatedAt : model.maskedUpdatedAt,
    },
    indexada: origin && {
      modo: origin.mode,
      meses_historico: mean?.monthCount ?? null,
      desde: mean?.fromMonth ?? null,
      hasta: mean?.toMonth ?? null,
      mes: origin.mode === 'mes' ? origin.month : null,
      precios: showApplied(result),
    },
    cost: {
      energia: euros(cost.energyEur),
      potencia: euros(cost.powerEur),
      fijo: euros(cost.fixedEur),
      excedentes: euros(cost.surplusEur),
      servicios: euros(cost.servicesEur),
      total: euros(cost.totalEur),
    },
    commission: commission && {
      energia: euros(commission.energyEur),
      potencia: euros(commission.powerEur),
      total: euros(commission.totalEur),
    },
    nota: nota(result.score),
    nota_precio: nota(result.priceScore),
    nota_comision: result.commissionScore === null ? null : nota(result.commissionScore),
    is_optimal: result.isOptimal,
    en_frontera: result.isOnFrontier,
    coste_extra: result.extraCostEur && euros(result.extraCostEur),
    comision_extra: result.extraCommissionEur && euros(result.extraCommissionEur),
    comision_eur_mwh: result.commissionEurPerMwh && euros(result.commissionEurPerMwh),
    ahorro: result.saving && {
      eur: euros(result.saving.eur),
      porcentaje: result.saving.percent && Math.floor(result.saving.percent * 100 + 0.5) / 100 + 0,
    },
  };
}

function showApplied({ prices }: RankedOffer) {
  const values =
    prices.supplyType === 'GAS'
      ? [prices.gasEnergyEurPerKwh, prices.gasFixedEurPerMonth]
      : [...prices.energyEurPerKwh, ...prices.powerEurPerKwDay];
  return Object.fromEntries(PRICES[prices.supplyType].map((name, index) => [name, values[index] ?? null]));
}
