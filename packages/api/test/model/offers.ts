import { isDeepStrictEqual } from 'node:util';
import { companyOf, type ModelRequest, named, numberIn, paged, textIn } from './firms.ts';
import { BLANK, misplaced, outOfBounds, PRICES, written } from './offer-rules.ts';
import { monthOf } from './reading.ts';
import {
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
  Refusal,
  refuseRules,
  type State,
  type Verdict,
} from './state.ts';

const MASKED = ['commission', 'commission_type', 'commission_tiers', 'commission_power_tiers'];

export function companyBehind(state: State, offer: ModelOffer): ModelCompany {
  const company = state.companies.get(offer.companyId);
  if (!company) throw new Error('an offer has a company');
  return company;
}

/** An offer as it is shown. */
export function showOffer({ state, caller }: Pick<ModelRequest, 'state' | 'caller'>, offer: ModelOffer): Fields {
  const company = companyBehind(state, offer);
  const client = company.clientId === null ? undefined : state.clients.get(company.clientId);
  const hidden = caller.sees ? [] : MASKED.filter((name) => Object.hasOwn(offer.fields, name));
  return {
    ...offer.fields,
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
    updated_at: caller.sees ? offer.updatedAt : offer.maskedUpdatedAt,
  };
}

function history(offer: ModelOffer): readonly Fields[] {
  return [...offer.months]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, prices]) => ({ reference_month: month, ...prices }));
}

/** Most months that a detail shows. */
const SHOWN_MONTHS = 360;

export const showDetail = (asked: ModelRequest, offer: ModelOffer) => ({
  ...showOffer(asked, offer),
  indexed_prices: history(offer).slice(-SHOWN_MONTHS),
  indexed_prices_total: offer.months.size,
});

/** Own offers, active or not, of the firm that is asked for. */
export function ownOffers(asked: Pick<ModelRequest, 'state' | 'caller'>, only: number | null): readonly ModelOffer[] {
  return [...asked.state.offers.values()].filter((offer) => {
    const { accountId, clientId } = companyBehind(asked.state, offer);
    return accountId === asked.caller.accountId && (only === null || clientId === only);
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

/** Offers by their ids, of the caller or of the catalog. */
function visible(asked: ModelRequest, ids: readonly number[]): readonly ModelOffer[] {
  const only = narrow(asked.state, asked.caller, named(asked));
  const found = [...ownOffers(asked, only), ...catalogOffers(asked, only)];
  return ids.map((id) => {
    const offer = found.find((candidate) => candidate.id === id);
    if (!offer) throw notFound();
    return offer;
  });
}

export function visibleOffer(asked: ModelRequest): ModelOffer {
  if (asked.owner === 'catalog') return ownedOffer(asked);
  const [offer] = visible(asked, [asked.id]);
  if (!offer) throw notFound();
  return offer;
}

/** Every offer of the catalog. */
export function sharedOffers(state: State): readonly ModelOffer[] {
  return [...state.offers.values()].filter((offer) => companyBehind(state, offer).accountId === null);
}

/** Own offers, or those of the catalog, by their ids, in that order. */
function owned(asked: ModelRequest, ids: readonly number[]): readonly ModelOffer[] {
  const only = narrow(asked.state, asked.caller, named(asked));
  const found = asked.owner === 'catalog' ? sharedOffers(asked.state) : ownOffers(asked, only);
  return ids.map((id) => {
    const offer = found.find((candidate) => candidate.id === id);
    if (!offer) throw notFound();
    return offer;
  });
}

export function ownedOffer(asked: ModelRequest): ModelOffer {
  const [offer] = owned(asked, [asked.id]);
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
  asked: ModelRequest,
  offer: ModelOffer,
  next: { readonly fields: Fields; readonly companyId?: number },
) {
  const companyId = next.companyId ?? offer.companyId;
  // Writers who see no commissions always change an offer when they name one.
  const tells = !asked.caller.sees && MASKED.some((name) => Object.hasOwn(sentIn(asked), name));
  const isSame = companyId === offer.companyId && isDeepStrictEqual(next.fields, offer.fields) && !tells;
  if (isSame) return offer;
  const { now } = asked.state;
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

export const offerHandlers = {
  listOffers: (asked: ModelRequest): Verdict => {
    const { state, caller, query } = asked;
    const only = narrow(state, caller, named(asked));
    const companyId = numberIn(query, 'company_id');
    const found = ownOffers(asked, only).filter(
      (offer) =>
        (query.include_inactive === true || offer.fields.is_active === true) &&
        (companyId === undefined || offer.companyId === companyId) &&
        matchesName(companyBehind(state, offer), textIn(query, 'company_name')) &&
        matches(offer, filtersIn(query)),
    );
    return pageOf(found, paged(asked), (offer) => showOffer(asked, offer));
  },
  getOffer: (asked: ModelRequest): Verdict => ({ status: 200, body: showDetail(asked, visibleOffer(asked)) }),
  compareOffers: (asked: ModelRequest): Verdict => {
    const ids = Array.isArray(asked.query.ids) ? asked.query.ids.map(Number) : [];
    const results = visible(asked, ids).map((offer) => showDetail(asked, offer));
    return { status: 200, body: { total: results.length, results } };
  },
  createOffer: (asked: ModelRequest): Verdict => {
    const { state, body } = asked;
    const { company_id, supply_type, ...sent } = body;
    const company = companyOf(asked, numberIn({ id: company_id }, 'id') ?? 0, { place: 'company_id' });
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
    return { status: 201, body: showOffer(asked, put(asked, offer)) };
  },
  updateOffer: (asked: ModelRequest): Verdict => {
    const offer = ownedOffer(asked);
    const { company_id, ...sent } = asked.body;
    const companyId =
      typeof company_id === 'number' ? companyOf(asked, company_id, { place: 'company_id' }).id : offer.companyId;
    const { fields, wrong } = written(offer.supply, offer.fields, sent);
    refuseRules(wrong);
    return { status: 200, body: showOffer(asked, put(asked, changed(asked, offer, { fields, companyId }))) };
  },
  toggleOffer: (asked: ModelRequest): Verdict => {
    const offer = ownedOffer(asked);
    const fields = { ...offer.fields, is_active: offer.fields.is_active !== true };
    return { status: 200, body: showOffer(asked, put(asked, changed(asked, offer, { fields }))) };
  },
  deleteOffer: (asked: ModelRequest): Verdict => {
    const offer = ownedOffer(asked);
    const fields = { ...offer.fields, is_active: false };
    return { status: 200, body: showOffer(asked, put(asked, changed(asked, offer, { fields }))) };
  },
  bulkPatchOffers: (asked: ModelRequest): Verdict => {
    const ids = Array.isArray(asked.body.offer_ids) ? asked.body.offer_ids.map(Number) : [];
    const drafts = owned(asked, ids).map((offer) => {
      return { offer, ...written(offer.supply, offer.fields, sentIn(asked)) };
    });
    refuseRules(drafts.flatMap(({ offer, wrong }) => wrong.map((place) => `${place} of ${offer.id}`)));
    for (const { offer, fields } of drafts) put(asked, changed(asked, offer, { fields }));
    return { status: 200, body: { updated: ids.length, offer_ids: ids } };
  },
};

/** The prices of one month as they are sent; what is left out is null. */
function pricesIn({ supply }: ModelOffer, sent: Fields): Fields {
  return Object.fromEntries(PRICES[supply].map((name): [string, Json] => [name, sent[name] ?? null]));
}

/** A month that changed stamps its offer. */
function putMonths(asked: ModelRequest, offer: ModelOffer, months: ReadonlyMap<string, Fields>): void {
  const { now } = asked.state;
  put(asked, { ...offer, months, updatedAt: now, maskedUpdatedAt: now });
}

export function monthHandlers(sentMonth: string | undefined) {
  return {
    listIndexedPrices: (asked: ModelRequest): Verdict =>
      pageOf(history(visibleOffer(asked)), paged(asked), (month) => month),
    upsertIndexedPrice: (asked: ModelRequest): Verdict => {
      const offer = ownedOffer(asked);
      const { reference_month, ...sent } = asked.body;
      const month = monthOf(String(reference_month)) ?? '';
      const prices = pricesIn(offer, sent);
      const isEmpty = Object.values(prices).every((price) => price === null);
      refuseRules([
        ...(offer.fields.is_indexed !== true || isEmpty ? ['reference_month'] : []),
        ...misplaced(offer.supply, sent),
        ...outOfBounds(prices, { inMonth: true }),
      ]);
      const before = offer.months.get(month);
      if (!isDeepStrictEqual(before, prices)) putMonths(asked, offer, new Map([...offer.months, [month, prices]]));
      return { status: before === undefined ? 201 : 200, body: { reference_month: month, ...prices } };
    },
    deleteIndexedPrice: (asked: ModelRequest): Verdict => {
      const offer = ownedOffer(asked);
      const month = monthOf(sentMonth ?? '') ?? '';
      if (!offer.months.has(month)) throw new Refusal(404, 'not_found');
      putMonths(asked, offer, new Map([...offer.months].filter(([other]) => other !== month)));
      return { status: 204 };
    },
  };
}
