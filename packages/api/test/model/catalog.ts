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
import { clean, type ModelCompany, narrow, nextId, pageOf, Refusal, type Verdict } from './state.ts';

// The catalog that all share: read by any key with the scope, written by keys of editors that are bound
// to no firm, and otherwise like what is somebody's own.

/** A question about the catalog. */
function shown(asked: ModelRequest): ModelRequest {
  narrow(asked.state, asked.caller, named(asked));
  return { ...asked, owner: 'catalog' };
}

/** A change of the catalog. */
export function edited(asked: ModelRequest): ModelRequest {
  const { state, caller } = asked;
  if (caller.clientId !== null) throw new Refusal(403, 'bound_key');
  if (!state.accounts.get(caller.accountId)?.isEditor) throw new Refusal(403, 'not_catalog_editor');
  return shown(asked);
}

function catalogCompanies({ state, query }: ModelRequest): readonly ModelCompany[] {
  return [...state.companies.values()].filter(
    ({ accountId, isActive }) => accountId === null && (query.include_inactive === true || isActive),
  );
}

const companies = {
  listCatalogCompanies: (asked: ModelRequest): Verdict =>
    pageOf(catalogCompanies(shown(asked)), paged(asked), showCompany),
  getCatalogCompany: (asked: ModelRequest): Verdict => companyHandlers.getCompany(shown(asked)),
  createCatalogCompany: (asked: ModelRequest): Verdict => {
    const { state, body } = edited(asked);
    const rest = { name: clean(textIn(body, 'name') ?? ''), logoUrl: pictureIn(body, 'logo_url') ?? null };
    return putCompany(asked, { id: nextId(state.companies), accountId: null, clientId: null, ...rest, isActive: true });
  },
  updateCatalogCompany: (asked: ModelRequest): Verdict => companyHandlers.updateCompany(edited(asked)),
  toggleCatalogCompany: (asked: ModelRequest): Verdict => companyHandlers.toggleCompany(edited(asked)),
  deleteCatalogCompany: (asked: ModelRequest): Verdict => companyHandlers.deleteCompany(edited(asked)),
};

const offers = {
  listCatalogOffers: (asked: ModelRequest): Verdict => {
    const { query, state } = shown(asked);
    const supply = textIn(query, 'supply_type');
    const companyId = numberIn(query, 'company_id');
    const clientType = textIn(query, 'client_type');
    const found = sharedOffers(state).filter(
      (offer) =>
        (query.include_inactive === true || offer.fields.is_active === true) &&
        (companyId === undefined || offer.companyId === companyId) &&
        matches(offer, { supply: supply ?? offer.supply, clientType }),
    );
    return pageOf(found, paged(asked), (offer) => showOffer(asked, offer));
  },
  getCatalogOffer: (asked: ModelRequest): Verdict => ({
    status: 200,
    body: showDetail(asked, ownedOffer(shown(asked))),
  }),
  createCatalogOffer: (asked: ModelRequest): Verdict => offerHandlers.createOffer(edited(asked)),
  updateCatalogOffer: (asked: ModelRequest): Verdict => offerHandlers.updateOffer(edited(asked)),
  toggleCatalogOffer: (asked: ModelRequest): Verdict => offerHandlers.toggleOffer(edited(asked)),
  deleteCatalogOffer: (asked: ModelRequest): Verdict => offerHandlers.deleteOffer(edited(asked)),
};

function decide(asked: ModelRequest, subscribed: boolean): Verdict {
  const { id } = clientOf(asked);
  const company = companyOf(shown(asked), asked.companyId);
  asked.state.decisions.set(`${id} ${company.id}`, subscribed);
  return { status: 200, body: { company: showCompany(company), subscribed } };
}

const subscriptions = {
  listCatalogSubscriptions: (asked: ModelRequest): Verdict => {
    const client = clientOf(asked);
    return pageOf(catalogCompanies(asked), paged(asked), (company) => {
      return { company: showCompany(company), subscribed: subscribes(asked.state, client, company.id) };
    });
  },
  subscribeToCatalogCompany: (asked: ModelRequest): Verdict => decide(asked, true),
  unsubscribeFromCatalogCompany: (asked: ModelRequest): Verdict => decide(asked, false),
};

export function catalogHandlers(sentMonth: string | undefined) {
  const months = monthHandlers(sentMonth);
  return {
    ...companies,
    ...offers,
    ...subscriptions,
    listCatalogIndexedPrices: (asked: ModelRequest): Verdict => months.listIndexedPrices(shown(asked)),
    upsertCatalogIndexedPrice: (asked: ModelRequest): Verdict => months.upsertIndexedPrice(edited(asked)),
    deleteCatalogIndexedPrice: (asked: ModelRequest): Verdict => months.deleteIndexedPrice(edited(asked)),
  };
}
