import { about, tariffWarnings, useWarnings } from './advice.mjs';
import { ENERGY_PERIODS, POWER_PERIODS } from './applied-prices.mjs';
import { consumptionCommission, powerCommission } from './commission.mjs';
import { outsideOf } from './limits.mjs';
import { negotiatedAnswer } from './negotiation.mjs';
import { rankedAnswer } from './ranking.mjs';
import { add, compare, exact, toWireNumber } from './rational.mjs';
import { CLIENT_TYPE_FLAGS, readQuery, refusalFor, refuseNegotiated, refuseRanking } from './request-checks.mjs';
import { AMOUNT_DECIMALS, roundAmount } from './rounding.mjs';

/**
 * The expected answer to a vector, worked out with exact fractions and without any code of the engine.
 *
 * @typedef {import('./rounding.mjs').Trace} Trace
 * @typedef {Readonly<Record<string, any>>} WireOffer
 * @typedef {{
 *   readonly operation: 'rankOffers' | 'rankPortfolio' | 'negotiateOffer' | 'recommendOffers' | 'calculateCommission' | 'compareOffers',
 *   readonly params?: { readonly id: string },
 *   readonly query?: Readonly<Record<string, string | readonly string[]>>,
 *   readonly body?: Readonly<Record<string, any>>,
 * }} WireRequest
 * @typedef {{ readonly offers: readonly WireOffer[], readonly caller: 'full' | 'no-commissions', readonly request: WireRequest }} Given
 * @typedef {{ readonly status: number, readonly body: any }} Expectation
 */

const DEFAULT_COMPANY = 'Comercializadora Uno';

/** Ids as the servers assign them: offers in order, companies at first appearance. @type {(offers: readonly WireOffer[]) => WireOffer[]} */
function numbered(offers) {
  const names = [...new Set(offers.map((offer) => offer.company ?? DEFAULT_COMPANY))];
  return offers.map((offer, index) => {
    const companyName = offer.company ?? DEFAULT_COMPANY;
    return { ...offer, id: index + 1, companyName, companyId: names.indexOf(companyName) + 1 };
  });
}

/** @type {(offer: WireOffer, filter: Readonly<Record<string, any>>) => boolean} */
function matches(offer, filter) {
  const communities = offer.communities ?? [];
  const clientTypeFlag = CLIENT_TYPE_FLAGS[/** @type {'dni' | 'cif' | 'cdad'} */ (filter.client_type)];
  const checks = [
    offer.is_active !== false,
    offer.supply_type === (filter.supply_type ?? 'LUZ'),
    filter.tariff_type === undefined || offer.tariff_type === filter.tariff_type,
    filter.territory === undefined || offer[`territory_${filter.territory}`] === true,
    filter.client_type === undefined || offer[clientTypeFlag] === true,
    filter.community === undefined || communities.length === 0 || communities.includes(filter.community),
    filter.ssaa_included === undefined || offer.ssaa_included === filter.ssaa_included,
    filter.placas_solares === undefined || (offer.placas_solares === true) === filter.placas_solares,
    ...termsOf(offer, filter),
    filter.company_name === undefined || offer.companyName.toLowerCase().includes(filter.company_name.toLowerCase()),
    filter.company_id === undefined || (offer.catalog !== true && offer.companyId === filter.company_id),
  ];
  return checks.every(Boolean);
}

/** @type {(offer: WireOffer, filter: Readonly<Record<string, any>>) => readonly boolean[]} */
function termsOf({ permanencia_meses, precio_fijo_meses, energia_verde }, filter) {
  const isKnown = (/** @type {unknown} */ term) => term !== undefined && term !== null;
  return [
    filter.permanencia_max === undefined || (isKnown(permanencia_meses) && permanencia_meses <= filter.permanencia_max),
    filter.precio_fijo_min === undefined || (isKnown(precio_fijo_meses) && precio_fijo_meses >= filter.precio_fijo_min),
    filter.energia_verde === undefined || energia_verde === filter.energia_verde,
  ];
}

/** What a term has to be asked about, to be known. */
const ASKED_TERMS = /** @type {const} */ ([
  ['permanencia_meses', 'permanencia_max'],
  ['precio_fijo_meses', 'precio_fijo_min'],
  ['energia_verde', 'energia_verde'],
]);

/**
 * Those that would match if they said every term that is asked for.
 *
 * @type {(offers: readonly WireOffer[], filter: Readonly<Record<string, any>>) => readonly WireOffer[]}
 */
function withUnknownTerms(offers, filter) {
  return offers.filter((offer) => {
    const unsaid = ASKED_TERMS.filter(([term, asked]) => filter[asked] !== undefined && (offer[term] ?? null) === null);
    const said = unsaid.map(([term, asked]) => [term, filter[asked]]);
    return unsaid.length > 0 && matches({ ...offer, ...Object.fromEntries(said) }, filter);
  });
}

/** @type {(commission: import('./commission.mjs').Commission, bounds: readonly string[]) => object} */
function toWireCommission({ value, type, tier }, bounds) {
  const matchedTier = tier === null ? null : Object.fromEntries(bounds.map((key) => [key, tier[key] ?? null]));
  return { value: toWireNumber(value, AMOUNT_DECIMALS), commission_type: type, matched_tier: matchedTier };
}

/** Both commissions of one offer at an annual consumption and a power. @type {(offer: WireOffer, query: Readonly<Record<string, any>>, trace: Trace) => { total: import('./rational.mjs').Rational, wire: any }} */
function commissionsOf(offer, query, trace) {
  const annualMwh = roundAmount(trace, exact(query.consumption_mwh), 'annual MWh');
  const consumption = consumptionCommission(offer, annualMwh);
  const hasPower = offer.supply_type === 'LUZ' && query.power_kw !== undefined;
  const power = powerCommission(offer, hasPower ? roundAmount(trace, exact(query.power_kw), 'kW') : null);
  const total = roundAmount(trace, add(consumption.value, power.value), `commission of offer ${offer.id}`);
  return {
    total,
    wire: {
      consumption_commission: toWireCommission(consumption, ['consumption_from', 'consumption_to']),
      power_commission: toWireCommission(power, ['power_from', 'power_to']),
    },
  };
}

const FILTERS = [
  ...['tariff_type', 'territory', 'community', 'client_type', 'ssaa_included', 'placas_solares'],
  ...['permanencia_max', 'precio_fijo_min', 'energia_verde'],
];

/** Why no offer passes a filter: the tariff where others are known, or another condition. @type {(offers: readonly WireOffer[], filter: Readonly<Record<string, any>>) => object[]} */
function emptyListWarnings(offers, filter) {
  const isAnyCompany = filter.company_name === undefined && filter.company_id === undefined;
  const inReach = offers.filter(({ is_active }) => is_active !== false);
  if (
    isAnyCompany &&
    inReach.length > 0 &&
    inReach.every((offer) => offer.supply_type !== (filter.supply_type ?? 'LUZ'))
  ) {
    return [{ codigo: 'sin_ofertas', total: 0, offer_ids: [] }];
  }
  const sent = FILTERS.filter((name) => filter[name] !== undefined);
  const byTariff =
    sent[0] === 'tariff_type' ? offers.filter((o) => matches(o, { ...filter, tariff_type: undefined })) : [];
  const isBand = (/** @type {string} */ tariff) => /^RL\.\d+$/.test(tariff);
  const isNear = byTariff.some(({ tariff_type }) => !isBand(filter.tariff_type) || isBand(tariff_type));
  if (isNear) return [{ codigo: 'peaje_sin_ofertas', total: 0, offer_ids: [] }];
  const isFiltered = sent.length > 0 || filter.company_name !== undefined || filter.company_id !== undefined;
  return isFiltered ? [{ codigo: 'sin_ofertas', total: 0, offer_ids: [] }] : [];
}

/** @type {(offers: readonly WireOffer[], query: Readonly<Record<string, any>>, trace: Trace) => object} */
function recommendedAnswer(offers, query, trace) {
  const [limit, offset] = [query.limit ?? 50, query.offset ?? 0];
  const use = {
    annualMwh: roundAmount(trace, exact(query.consumption_mwh), 'annual MWh'),
    powerKw: query.power_kw === undefined ? null : roundAmount(trace, exact(query.power_kw), 'kW'),
  };
  const matching = offers.filter((offer) => matches(offer, query));
  const ordered = matching
    .filter((offer) => outsideOf(offer, use) === null)
    .map((offer) => ({ offer, ...commissionsOf(offer, query, trace) }))
    .sort((a, b) => compare(b.total, a.total) || a.offer.id - b.offer.id);
  return {
    total: ordered.length,
    limit,
    offset,
    avisos: [
      ...tariffWarnings(
        ordered.map(({ offer }) => offer),
        {
          ...use,
          ...{ usesThree: false, days: 365, supply_type: query.supply_type ?? 'LUZ' },
        },
      ),
      ...useWarnings(
        ordered.map(({ offer }) => offer),
        { ...use, days: 365 },
      ),
      ...about('terminos_desconocidos', withUnknownTerms(offers, query)),
      ...(matching.length === 0 ? emptyListWarnings(offers, query) : []),
    ],
    results: ordered.slice(offset, offset + limit).map(({ offer, total, wire }) => ({
      offer: { id: offer.id, is_catalog: offer.catalog === true },
      ...wire,
      total_commission: toWireNumber(total, AMOUNT_DECIMALS),
    })),
  };
}

/** @type {(offer: WireOffer, query: Readonly<Record<string, any>>, trace: Trace) => object} */
function calculatedAnswer(offer, query, trace) {
  const echoedPower = offer.supply_type === 'LUZ' && query.power_kw !== undefined ? { power_kw: query.power_kw } : {};
  const { wire } = commissionsOf(offer, query, trace);
  return { offer_id: offer.id, consumption_mwh: query.consumption_mwh, ...echoedPower, ...wire };
}

/** The offer as a comparison shows it: every price and commission key of its supply, `null` when unset or hidden. @type {(offer: WireOffer, seesPay: boolean) => object} */
function comparedOffer(offer, seesPay) {
  const isLuz = offer.supply_type === 'LUZ';
  const priceKeys = isLuz ? [...ENERGY_PERIODS, ...POWER_PERIODS, 'precio_excedentes'] : ['gas_energy', 'gas_fixed'];
  const commission = {
    commission: offer.commission ?? 0,
    commission_type: offer.commission_type ?? 'fixed',
    commission_tiers: offer.commission_tiers ?? [],
    ...(isLuz ? { commission_power_tiers: offer.commission_power_tiers ?? [] } : {}),
  };
  return {
    id: offer.id,
    offer_name: offer.offer_name,
    supply_type: offer.supply_type,
    tariff_type: offer.tariff_type,
    company: { id: offer.companyId, name: offer.companyName },
    is_catalog: offer.catalog === true,
    is_active: offer.is_active !== false,
    ...Object.fromEntries([...priceKeys, 'services_cost'].map((key) => [key, offer[key] ?? null])),
    ...Object.fromEntries(Object.entries(commission).map(([key, value]) => [key, seesPay ? value : null])),
  };
}

/** @type {(offers: readonly WireOffer[], ids: readonly string[], seesPay: boolean) => object} */
function comparedAnswer(offers, ids, seesPay) {
  const results = ids.flatMap((id) => offers.filter((offer) => offer.id === Number(id)));
  return { total: results.length, results: results.map((offer) => comparedOffer(offer, seesPay)) };
}

/** @type {(offers: readonly WireOffer[], body: any, options: { seesPay: boolean, trace: Trace }) => any} */
function rankingOf(offers, body, options) {
  const universe = offers.filter((offer) => matches(offer, body));
  const ofList = universe.length === 0 ? emptyListWarnings(offers, body) : [];
  return rankedAnswer(universe, body, { ...options, ofList, unknown: withUnknownTerms(offers, body) });
}

/** A ranking as a customer of a portfolio gets it. @type {(ranking: any) => object} */
function portfolioEntry({ excluded, mas_comision_id, escala, umbrales, conflicto, results, avisos, ...head }) {
  const best = results.map((/** @type {any} */ { offer, indexada, is_optimal, en_frontera, ...figures }) => ({
    ...{ offer_id: offer.id, is_catalog: offer.is_catalog },
    ...figures,
  }));
  return { ...head, avisos: avisos.map((/** @type {any} */ { codigo }) => codigo), best };
}

/** @type {(given: Given, trace: Trace) => Expectation} */
function answer(given, trace) {
  const offers = numbered(given.offers);
  const ownCompanyIds = offers.filter((offer) => offer.catalog !== true).map((offer) => offer.companyId);
  const refusal = refusalFor(given, ownCompanyIds);
  if (refusal !== null) return { status: refusal.status, body: { detail: { code: refusal.code } } };
  const { operation, body = {}, query = {}, params } = given.request;
  const seesPay = given.caller === 'full';
  switch (operation) {
    case 'rankOffers':
      return { status: 200, body: rankingOf(offers, body, { seesPay, trace }) };
    case 'rankPortfolio': {
      const { customers, top = 3 } = body;
      const results = customers.map((/** @type {any} */ { ref, ...question }) => {
        const refused = refuseRanking({ caller: given.caller, body: question, ownCompanyIds });
        if (refused !== null) return { ref, error: { code: refused.code } };
        return { ref, ...portfolioEntry(rankingOf(offers, { ...question, limit: top }, { seesPay, trace })) };
      });
      return { status: 200, body: { total: customers.length, top, results } };
    }
    case 'negotiateOffer': {
      const asked = body.customers.map((/** @type {any} */ { ref, ...question }) => ({
        ...{ ref, body: question, universe: offers.filter((offer) => matches(offer, question)) },
        refused: refuseNegotiated({ caller: given.caller, body: question, ownCompanyIds }),
      }));
      const refused = asked.flatMap((/** @type {any} */ one) =>
        one.refused === null ? [] : [{ ref: one.ref, error: { code: one.refused.code } }],
      );
      const valid = asked.filter((/** @type {any} */ one) => one.refused === null);
      return { status: 200, body: negotiatedAnswer(body.offer_id, valid, { trace, refused }) };
    }
    case 'recommendOffers':
      return { status: 200, body: recommendedAnswer(offers, readQuery(query), trace) };
    case 'calculateCommission': {
      const offer = offers[Number(params?.id) - 1];
      if (offer === undefined) throw new Error('refused before');
      return { status: 200, body: calculatedAnswer(offer, readQuery(query), trace) };
    }
    case 'compareOffers':
      return { status: 200, body: comparedAnswer(offers, /** @type {readonly string[]} */ (query.ids), seesPay) };
  }
}

/**
 * Status and the keys of the answer that the rules decide. Keys left open are absent: compare as a subset.
 *
 * @param {Given} given
 * @returns {Expectation}
 */
export const expectedFor = (given) => answer(given, { risks: [] });

/**
 * Where an engine with doubles may differ from the exact answer, because a value is very close to a rounding
 * half or of a tie. Empty for every committed vector; a property test skips or loosens an input where it is not.
 *
 * @param {Given} given
 * @returns {readonly string[]}
 */
export function roundingRisks(given) {
  /** @type {string[]} */
  const risks = [];
  answer(given, { risks });
  return risks;
}
