import {
  ANY_COMPANY,
  annualQuantities,
  compileUniverse,
  DomainError,
  expectedCommission,
  rankOffers,
  recommendFrom,
  roundHalfUp,
} from '@tarifario/core/service';
import { expect } from 'vitest';
import { filterFrom } from '../../src/fields.ts';
import { fromWireEfficient, fromWireOffers, toWireRanking } from '../../src/index.ts';
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
import { type ExpectedAnswer, type ModelOffer, narrow, pageOf, Refusal, refuseRules } from './state.ts';
import { verdictOf } from './systems.ts';

// Who takes part and who sees what is the model's own. What an offer costs and pays, and the warnings, are core's. How a
// question is read and the form of the answer, which vectors and examples state, are the api's.

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

const ANY = { tariff: undefined, territory: undefined, community: undefined, clientType: undefined, panels: undefined };

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
  const { territory: where } = filters;
  refuseRules([
    ...(filters.supply === 'GAS' && query.power_kw !== undefined ? ['power_kw'] : []),
    // The communities of the model are on the mainland.
    ...(filters.community !== undefined && where !== undefined && where !== 'peninsula' ? ['community'] : []),
  ]);
  const quantities = { mwh: numberIn(query, 'consumption_mwh') ?? 0, kw: numberIn(query, 'power_kw') ?? null };
  const paid = universe(request, only, filters).map((offer) => ({
    offer,
    payment: showPayment(request, offer, quantities),
  }));
  paid.sort((a, b) => b.payment.total_commission - a.payment.total_commission || a.offer.id - b.offer.id);
  const supplyType = filters.supply === 'GAS' ? 'GAS' : 'LUZ';
  const ranked = toCore(
    request,
    paid.map(({ offer }) => offer),
  );
  // Of a list that core has not seen before: the service adds what has changed to what it has in memory.
  const { warnings, results } = recommendFrom([{ universe: compileUniverse(supplyType, ranked), admits: () => true }], {
    ...{ annualMwh: quantities.mwh, powerKw: quantities.kw, limit: 200, offset: 0 },
    ...{ filter: { ...filterFrom({}), supplyType }, company: ANY_COMPANY },
  });
  const impossible = results.flatMap(({ offer, isImpossibleTariff }) => (isImpossibleTariff ? [offer.id] : []));
  const page = pageOf(paid, paged(request), ({ offer, payment }) => ({
    ...{ offer: showOffer(request, offer), ...payment },
    ...(impossible.includes(offer.id) && { peaje_imposible: true }),
  }));
  const others = universe(request, only, { ...filters, tariff: undefined });
  const isOther = isOfOther(request, only, filters);
  const empty = paid.length > 0 ? null : isOther ? 'sin_ofertas' : emptyCode(query, others);
  const near = empty === null ? [] : [{ codigo: empty, total: 0, offer_ids: [] }];
  const avisos = warnings.map(({ code, total, offerIds }) => ({ codigo: code, total, offer_ids: offerIds }));
  return { ...page, body: { ...page.body, avisos: [...avisos, ...near] } };
}

type EmptyCode = 'peaje_sin_ofertas' | 'sin_ofertas';

const FILTERS = [
  'territory',
  'community',
  'client_type',
  'ssaa_included',
  'placas_solares',
  'company_id',
  'company_name',
];

/** Whether all offers within reach are of the supply that is not asked for. */
function isOfOther(request: ModelRequest, only: Parameters<typeof universe>[1], filters: OfferFilters): boolean {
  const reach = (['LUZ', 'GAS'] as const).filter((supply) => universe(request, only, { ...ANY, supply }).length > 0);
  return reach.length > 0 && !reach.some((supply) => supply === filters.supply);
}

/** What is said of an empty list; `others` pass all filters but that of the tariff. */
function emptyCode(sent: Readonly<Record<string, unknown>>, others: readonly ModelOffer[]): EmptyCode | null {
  const isBand = (tariff: unknown) => /^RL\.([1-9]|1[01])$/.test(String(tariff));
  const isNear = others.some(({ fields }) => isBand(fields.tariff_type) || !isBand(sent.tariff_type));
  if (sent.tariff_type !== undefined && isNear) return 'peaje_sin_ofertas';
  const isFiltered = ['tariff_type', ...FILTERS].some((name) => sent[name] !== undefined);
  return isFiltered ? 'sin_ofertas' : null;
}

export function rankOffersInModel(request: ModelRequest): ExpectedAnswer {
  const { state, caller, body } = request;
  const [inQuery, inBody] = [named(request), numberIn(body, 'client_id')];
  // Two firms cannot both be meant; of the other refusals with 403 the weight comes before the firm.
  if (inQuery !== undefined && inBody !== undefined && inQuery !== inBody) throw new Refusal(403, 'foreign_firm');
  const asksBelow = numberIn(body, 'w');
  const wants = (asksBelow ?? 1) < 1 || (numberIn(body, 'tolerancia') ?? 0) > 0;
  if (!caller.seesCommissions && wants) throw new Refusal(403, 'weight_needs_commissions');
  const only = narrow(state, caller, inQuery, inBody);
  const { request: question } = questionIn(body);
  const offset = numberIn(body, 'offset') ?? 0;
  const companyId = numberIn(body, 'company_id');
  const ssaa = typeof body.ssaa_included === 'boolean' ? body.ssaa_included : undefined;
  const filters: OfferFilters = { ...filtersIn(body), ssaa };
  const takingPart = (chosen: OfferFilters) =>
    universe(request, only, chosen).filter((offer) => {
      const company = companyBehind(state, offer);
      const isChosen = companyId === undefined || (company.id === companyId && company.accountId !== null);
      return isChosen && matchesName(company, textIn(body, 'company_name'));
    });
  const offers = takingPart(filters);
  const { tariffType, territory, customerType } = question.filter;
  const ranking = rankOffers({
    ...question,
    offers: toCore(request, offers),
    weight: caller.seesCommissions ? (question.weight ?? 0.5) : 1,
    // Those that match stay: the requested tariff decides only the warnings.
    filter: { tariffType, territory, customerType },
    limit: (numberIn(body, 'limit') ?? 50) + offset,
    seesCommissions: caller.seesCommissions,
  });
  const namesCompany = companyId !== undefined || textIn(body, 'company_name') !== undefined;
  const isOther = !namesCompany && isOfOther(request, only, filters);
  const others = () => takingPart({ ...filters, tariff: undefined });
  const empty = offers.length > 0 ? null : isOther ? 'sin_ofertas' : emptyCode(body, others());
  const about = ranking.warnings.filter(({ code }) => code !== 'sin_ofertas');
  const warnings = empty === null ? about : [...about, { code: empty, total: 0, offerIds: [] }];
  const stamps = { createdAt: '', updatedAt: '' };
  const companies = offers.map((offer) => companyBehind(state, offer));
  const byId = new Map(
    companies.map(({ clientId, ...company }) => [company.id, { ...company, firmId: clientId, ...stamps }]),
  );
  const results = ranking.results.slice(offset);
  return verdictOf({
    status: 200,
    headers: {},
    body: toWireRanking({
      ranking: { ...ranking, warnings, results },
      companies: byId,
      seesCommissions: caller.seesCommissions,
    }),
  });
}

/** What a body asks; vectors, whose answers a second program computes, state how it is read. */
function questionIn(body: ModelRequest['body']) {
  try {
    return fromWireEfficient(body);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'business_rule') throw error;
    throw new Refusal(422, error.code, { wrong: (error.details.issues ?? []).map(({ path }) => path) });
  }
}
