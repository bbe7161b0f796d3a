import { isDeepStrictEqual } from 'node:util';
import { REVIEWED_VALUES } from '../../../../test-fixtures/reviewed-fields.ts';
import { companyOf, type ModelRequest, named, numberIn, paged, textIn } from './firms.ts';
import { BLANK, misplaced, outOfBounds, PRICES, written } from './offer-rules.ts';
import { monthOf } from './reading.ts';
import {
  type ExpectedAnswer,
  type Fields,
  folded,
  isFields,
  type Json,
  type ModelClient,
  type ModelCompany,
  type ModelOffer,
  narrow,
  nextId,
  notFound,
  pageOf,
  refuseRules,
  type State,
} from './state.ts';

export const MASKED = ['commission', 'commission_type', 'commission_tiers', 'commission_power_tiers'];

export function companyBehind(state: State, offer: ModelOffer): ModelCompany {
  const company = state.companies.get(offer.companyId);
  if (!company) throw new Error('an offer has a company');
  return company;
}

/** What an answer has only where an offer has it. */
const ABSENT = new Set(REVIEWED_VALUES.flatMap(({ section, wire }) => (section === 'hours' ? [wire] : [])));

/** An offer as it is shown. */
export function showOffer({ state, caller }: Pick<ModelRequest, 'state' | 'caller'>, offer: ModelOffer): Fields {
  const company = companyBehind(state, offer);
  const client = company.clientId === null ? undefined : state.clients.get(company.clientId);
  const hidden = caller.seesCommissions ? [] : MASKED.filter((name) => Object.hasOwn(offer.fields, name));
  return {
    ...Object.fromEntries(Object.entries(offer.fields).filter(([name, value]) => value !== null || !ABSENT.has(name))),
    ...Object.fromEntries(hidden.map((name) => [name, null])),
    id: offer.id,
    supply_type: offer.supply,
    is_catalog: company.accountId === null,
    company: {
      id: company.id,
      name: company.name,
      logo_url: company.logoUrl,
      client: client ? { id: client.id, name: client.name, image_url: client.imageUrl } : null,
    },
    created_at: offer.createdAt,
    updated_at: caller.seesCommissions ? offer.updatedAt : offer.maskedUpdatedAt,
  };
}

function history(offer: ModelOffer): readonly Fields[] {
  return [...offer.months]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, prices]) => ({ reference_month: month, ...prices }));
}

export const showDetail = (request: ModelRequest, offer: ModelOffer) => ({
  ...showOffer(request, offer),
  indexed_prices: history(offer),
  indexed_prices_total: offer.months.size,
});

/** Own offers, active or not, of the requested firm. */
export function ownOffers(request: Pick<ModelRequest, 'state' | 'caller'>, only: number | null): readonly ModelOffer[] {
  return [...request.state.offers.values()].filter((offer) => {
    const { accountId, clientId } = companyBehind(request.state, offer);
    return accountId === request.caller.accountId && (only === null || clientId === only);
  });
}

/** Whether a client subscribes to a company of the catalog: by its decision, else by its default. */
export function subscribes(state: State, client: ModelClient, companyId: number): boolean {
  return state.decisions.get(`${client.id} ${companyId}`) ?? client.catalog === 'all';
}

/** Active offers of active catalog companies to which an active firm subscribes. */
export function catalogOffers({ state, caller }: Pick<ModelRequest, 'state' | 'caller'>, only: number | null) {
  const clients = [...state.clients.values()].filter(
    ({ id, accountId, isActive }) => isActive && accountId === caller.accountId && (only === null || id === only),
  );
  return [...state.offers.values()].filter((offer) => {
    const company = companyBehind(state, offer);
    const isSold = company.accountId === null && company.isActive && offer.fields.is_active === true;
    return isSold && clients.some((client) => subscribes(state, client, company.id));
  });
}

function byIds(offers: readonly ModelOffer[], ids: readonly number[], place = 'id'): readonly ModelOffer[] {
  return ids.map((id) => {
    const offer = offers.find((candidate) => candidate.id === id);
    if (!offer) throw notFound(place);
    return offer;
  });
}

/** Offers by their ids, of the caller or of the catalog. */
function visible(request: ModelRequest, ids: readonly number[], place = 'id'): readonly ModelOffer[] {
  const only = narrow(request.state, request.caller, named(request));
  return byIds([...ownOffers(request, only), ...catalogOffers(request, only)], ids, place);
}

export function visibleOffer(request: ModelRequest): ModelOffer {
  if (request.owner === 'catalog') return ownedOffer(request);
  const [offer] = visible(request, [request.id]);
  if (!offer) throw notFound();
  return offer;
}

/** Every offer of the catalog. */
export function sharedOffers(state: State): readonly ModelOffer[] {
  return [...state.offers.values()].filter((offer) => companyBehind(state, offer).accountId === null);
}

/** What the owner of a request has: own offers, or those of the catalog. */
export function offersOfOwner(request: ModelRequest): readonly ModelOffer[] {
  const only = narrow(request.state, request.caller, named(request));
  return request.owner === 'catalog' ? sharedOffers(request.state) : ownOffers(request, only);
}

function ownedOffer(request: ModelRequest): ModelOffer {
  const [offer] = byIds(offersOfOwner(request), [request.id]);
  if (!offer) throw notFound();
  return offer;
}

export interface OfferFilters {
  readonly supply: string;
  readonly tariff?: string | undefined;
  readonly territory?: string | undefined;
  readonly community?: string | undefined;
  readonly clientType?: string | undefined;
  readonly panels?: boolean | undefined;
  readonly ssaa?: boolean | undefined;
}

const ACCEPTS: Readonly<Record<string, string>> = {
  dni: 'acepta_dni',
  cif: 'acepta_cif',
  cdad: 'acepta_cdad_propietarios',
};

export function matches({ supply, fields }: ModelOffer, filters: OfferFilters): boolean {
  const { tariff, territory, community, clientType, panels, ssaa } = filters;
  const communities = Array.isArray(fields.communities) ? fields.communities : [];
  return (
    supply === filters.supply &&
    (tariff === undefined || fields.tariff_type === tariff) &&
    (territory === undefined || fields[`territory_${territory}`] === true) &&
    (community === undefined || communities.length === 0 || communities.includes(community)) &&
    (clientType === undefined || fields[ACCEPTS[clientType] ?? ''] === true) &&
    (panels === undefined || (fields.placas_solares === true) === panels) &&
    (ssaa === undefined || fields.ssaa_included === ssaa)
  );
}

export function matchesName(company: ModelCompany, part: string | undefined): boolean {
  return part === undefined || folded(company.name).includes(folded(part));
}

/** The filters that the query of a list or a recommendation names. */
export function filtersIn(query: ModelRequest['query']): OfferFilters {
  return {
    supply: textIn(query, 'supply_type') ?? 'LUZ',
    tariff: textIn(query, 'tariff_type'),
    territory: textIn(query, 'territory'),
    community: textIn(query, 'community'),
    clientType: textIn(query, 'client_type'),
    panels: typeof query.placas_solares === 'boolean' ? query.placas_solares : undefined,
  };
}

/** An offer with new fields; its stamp tells whether anything changed. */
export function changed(
  request: ModelRequest,
  offer: ModelOffer,
  next: { readonly fields: Fields; readonly companyId?: number },
) {
  const companyId = next.companyId ?? offer.companyId;
  // Writers who see no commissions always change an offer when they name one.
  const tells = !request.caller.seesCommissions && MASKED.some((name) => Object.hasOwn(sentIn(request), name));
  const isSame = companyId === offer.companyId && isDeepStrictEqual(next.fields, offer.fields) && !tells;
  if (isSame) return offer;
  const { now } = request.state;
  const isVisible = companyId !== offer.companyId || !isDeepStrictEqual(unpaid(next.fields), unpaid(offer.fields));
  const maskedUpdatedAt = isVisible ? now : offer.maskedUpdatedAt;
  return { ...offer, companyId, fields: next.fields, updatedAt: now, maskedUpdatedAt };
}

/** Fields without those about commissions. */
function unpaid(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !MASKED.includes(name)));
}

function sentIn({ body }: ModelRequest): Fields {
  const { updates } = body;
  return isFields(updates) ? updates : body;
}

export function put({ state }: ModelRequest, offer: ModelOffer): ModelOffer {
  state.offers.set(offer.id, offer);
  return offer;
}

function putFields(request: ModelRequest, offer: ModelOffer, fields: Fields, companyId = offer.companyId) {
  const stored = put(request, changed(request, offer, { fields, companyId }));
  return { status: 200, body: showOffer(request, stored) };
}

export const offerHandlers = {
  listOffers: (request: ModelRequest): ExpectedAnswer => {
    const { state, query, owner } = request;
    const companyId = numberIn(query, 'company_id');
    const filters = filtersIn(query);
    // The catalog is listed whole where no supply is named.
    const isOfAny = owner === 'catalog' && query.supply_type === undefined;
    const offers = offersOfOwner(request).filter(
      (offer) =>
        (query.include_inactive === true || offer.fields.is_active === true) &&
        (companyId === undefined || offer.companyId === companyId) &&
        matchesName(companyBehind(state, offer), textIn(query, 'company_name')) &&
        matches(offer, isOfAny ? { ...filters, supply: offer.supply } : filters),
    );
    return pageOf(offers, paged(request), (offer) => showOffer(request, offer));
  },
  getOffer: (request: ModelRequest): ExpectedAnswer => ({
    status: 200,
    body: showDetail(request, visibleOffer(request)),
  }),
  compareOffers: (request: ModelRequest): ExpectedAnswer => {
    const ids = Array.isArray(request.query.ids) ? request.query.ids.map(Number) : [];
    const results = visible(request, ids, 'ids').map((offer) => showDetail(request, offer));
    return { status: 200, body: { total: results.length, results } };
  },
  createOffer: (request: ModelRequest): ExpectedAnswer => {
    const { state, body } = request;
    const { company_id, supply_type, ...sent } = body;
    const company = companyOf(request, numberIn({ id: company_id }, 'id') ?? 0, { place: 'company_id' });
    const supply = supply_type === 'GAS' ? 'GAS' : 'LUZ';
    const { fields, wrong } = written(supply, BLANK[supply], sent);
    refuseRules(wrong);
    const { now } = state;
    const stamps = { createdAt: now, updatedAt: now, maskedUpdatedAt: now };
    const offer = {
      id: nextId(state.offers),
      companyId: company.id,
      supply,
      fields,
      months: new Map(),
      ...stamps,
    } as const;
    return { status: 201, body: showOffer(request, put(request, offer)) };
  },
  updateOffer: (request: ModelRequest): ExpectedAnswer => {
    const offer = ownedOffer(request);
    const { company_id, ...sent } = request.body;
    const companyId =
      typeof company_id === 'number' ? companyOf(request, company_id, { place: 'company_id' }).id : offer.companyId;
    const { fields, wrong } = written(offer.supply, offer.fields, sent);
    refuseRules(wrong);
    return putFields(request, offer, fields, companyId);
  },
  toggleOffer: (request: ModelRequest): ExpectedAnswer => {
    const offer = ownedOffer(request);
    return putFields(request, offer, { ...offer.fields, is_active: offer.fields.is_active !== true });
  },
  deleteOffer: (request: ModelRequest): ExpectedAnswer => {
    const offer = ownedOffer(request);
    return putFields(request, offer, { ...offer.fields, is_active: false });
  },
  bulkPatchOffers: (request: ModelRequest): ExpectedAnswer => {
    const ids = Array.isArray(request.body.offer_ids) ? request.body.offer_ids.map(Number) : [];
    const drafts = byIds(offersOfOwner(request), ids, 'offer_ids').map((offer) => {
      return { offer, ...written(offer.supply, offer.fields, sentIn(request)) };
    });
    refuseRules(drafts.flatMap(({ offer, wrong }) => wrong.map((place) => `${place} of ${offer.id}`)));
    for (const { offer, fields } of drafts) put(request, changed(request, offer, { fields }));
    return { status: 200, body: { updated: ids.length, offer_ids: ids } };
  },
};

/** The prices of one month as sent; absent ones are null. */
function pricesIn({ supply }: ModelOffer, sent: Fields): Fields {
  return Object.fromEntries(PRICES[supply].map((name): [string, Json] => [name, sent[name] ?? null]));
}

/** A month that changed stamps its offer. */
function putMonths(request: ModelRequest, offer: ModelOffer, months: ReadonlyMap<string, Fields>): void {
  const { now } = request.state;
  put(request, { ...offer, months, updatedAt: now, maskedUpdatedAt: now });
}

export const monthHandlers = {
  listIndexedPrices: (request: ModelRequest): ExpectedAnswer =>
    pageOf(history(visibleOffer(request)), paged(request), (month) => month),
  upsertIndexedPrice: (request: ModelRequest): ExpectedAnswer => {
    const offer = ownedOffer(request);
    const { reference_month, ...sent } = request.body;
    const month = monthOf(String(reference_month)) ?? '';
    const prices = pricesIn(offer, sent);
    const isEmpty = Object.values(prices).every((price) => price === null);
    refuseRules([
      ...(offer.fields.is_indexed !== true || isEmpty ? ['reference_month'] : []),
      ...misplaced(offer.supply, sent),
      ...outOfBounds(prices, { inMonth: true }),
    ]);
    const before = offer.months.get(month);
    if (!isDeepStrictEqual(before, prices)) putMonths(request, offer, new Map([...offer.months, [month, prices]]));
    return { status: before === undefined ? 201 : 200, body: { reference_month: month, ...prices } };
  },
  deleteIndexedPrice: (request: ModelRequest): ExpectedAnswer => {
    const offer = ownedOffer(request);
    const { month } = request;
    if (!offer.months.has(month)) throw notFound();
    putMonths(request, offer, new Map([...offer.months].filter(([other]) => other !== month)));
    return { status: 204 };
  },
};
