import {
  clientOf,
  companyHandlers,
  companyOf,
  type ModelRequest,
  named,
  numberIn,
  paged,
  pictureIn,
  putCompany,
  showCompany,
  textIn,
} from './firms.ts';
import {
  matches,
  monthHandlers,
  offerHandlers,
  ownedOffer,
  sharedOffers,
  showDetail,
  showOffer,
  subscribes,
} from './offers.ts';
import { clean, type ExpectedAnswer, type ModelCompany, narrow, nextId, pageOf, Refusal } from './state.ts';

// The catalog that all share: read by any key with the scope, written by keys of editors that are bound
// to no firm, and otherwise like own records.

/** A question about the catalog. */
function shown(request: ModelRequest): ModelRequest {
  narrow(request.state, request.caller, named(request));
  return { ...request, owner: 'catalog' };
}

/** A change of the catalog. */
export function edited(request: ModelRequest): ModelRequest {
  const { state, caller } = request;
  if (caller.clientId !== null) throw new Refusal(403, 'bound_key');
  if (!state.accounts.get(caller.accountId)?.isEditor) throw new Refusal(403, 'not_catalog_editor');
  return shown(request);
}

function catalogCompanies({ state, query }: ModelRequest): readonly ModelCompany[] {
  return [...state.companies.values()].filter(
    ({ accountId, isActive }) => accountId === null && (query.include_inactive === true || isActive),
  );
}

const companies = {
  listCatalogCompanies: (request: ModelRequest): ExpectedAnswer =>
    pageOf(catalogCompanies(shown(request)), paged(request), showCompany),
  getCatalogCompany: (request: ModelRequest): ExpectedAnswer => companyHandlers.getCompany(shown(request)),
  createCatalogCompany: (request: ModelRequest): ExpectedAnswer => {
    const { state, body } = edited(request);
    const rest = { name: clean(textIn(body, 'name') ?? ''), logoUrl: pictureIn(body, 'logo_url') ?? null };
    return putCompany(request, {
      id: nextId(state.companies),
      accountId: null,
      clientId: null,
      ...rest,
      isActive: true,
    });
  },
  updateCatalogCompany: (request: ModelRequest): ExpectedAnswer => companyHandlers.updateCompany(edited(request)),
  toggleCatalogCompany: (request: ModelRequest): ExpectedAnswer => companyHandlers.toggleCompany(edited(request)),
  deleteCatalogCompany: (request: ModelRequest): ExpectedAnswer => companyHandlers.deleteCompany(edited(request)),
};

const offers = {
  listCatalogOffers: (request: ModelRequest): ExpectedAnswer => {
    const { query, state } = shown(request);
    const supply = textIn(query, 'supply_type');
    const companyId = numberIn(query, 'company_id');
    const clientType = textIn(query, 'client_type');
    const listed = sharedOffers(state).filter(
      (offer) =>
        (query.include_inactive === true || offer.fields.is_active === true) &&
        (companyId === undefined || offer.companyId === companyId) &&
        matches(offer, { supply: supply ?? offer.supply, clientType }),
    );
    return pageOf(listed, paged(request), (offer) => showOffer(request, offer));
  },
  getCatalogOffer: (request: ModelRequest): ExpectedAnswer => ({
    status: 200,
    body: showDetail(request, ownedOffer(shown(request))),
  }),
  createCatalogOffer: (request: ModelRequest): ExpectedAnswer => offerHandlers.createOffer(edited(request)),
  updateCatalogOffer: (request: ModelRequest): ExpectedAnswer => offerHandlers.updateOffer(edited(request)),
  toggleCatalogOffer: (request: ModelRequest): ExpectedAnswer => offerHandlers.toggleOffer(edited(request)),
  deleteCatalogOffer: (request: ModelRequest): ExpectedAnswer => offerHandlers.deleteOffer(edited(request)),
};

function decide(request: ModelRequest, subscribed: boolean): ExpectedAnswer {
  const { id } = clientOf(request);
  const company = companyOf(shown(request), request.companyId);
  request.state.decisions.set(`${id} ${company.id}`, subscribed);
  return { status: 200, body: { company: showCompany(company), subscribed } };
}

const subscriptions = {
  listCatalogSubscriptions: (request: ModelRequest): ExpectedAnswer => {
    const client = clientOf(request);
    return pageOf(catalogCompanies(request), paged(request), (company) => {
      return { company: showCompany(company), subscribed: subscribes(request.state, client, company.id) };
    });
  },
  subscribeToCatalogCompany: (request: ModelRequest): ExpectedAnswer => decide(request, true),
  unsubscribeFromCatalogCompany: (request: ModelRequest): ExpectedAnswer => decide(request, false),
};

export function catalogHandlers(sentMonth: string | undefined) {
  const months = monthHandlers(sentMonth);
  return {
    ...companies,
    ...offers,
    ...subscriptions,
    listCatalogIndexedPrices: (request: ModelRequest): ExpectedAnswer => months.listIndexedPrices(shown(request)),
    upsertCatalogIndexedPrice: (request: ModelRequest): ExpectedAnswer => months.upsertIndexedPrice(edited(request)),
    deleteCatalogIndexedPrice: (request: ModelRequest): ExpectedAnswer => months.deleteIndexedPrice(edited(request)),
  };
}
