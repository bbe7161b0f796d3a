import {
  clientOf,
  companyHandlers,
  companyOf,
  type Handler,
  type ModelRequest,
  named,
  paged,
  showCompany,
} from './firms.ts';
import { monthHandlers, offerHandlers, subscribes } from './offers.ts';
import { type ExpectedAnswer, type ModelCompany, narrow, pageOf, Refusal } from './state.ts';

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

const reading =
  (handle: Handler): Handler =>
  (request) =>
    handle(shown(request));
const editing =
  (handle: Handler): Handler =>
  (request) =>
    handle(edited(request));

function decide(request: ModelRequest, subscribed: boolean): ExpectedAnswer {
  const { id } = clientOf(request);
  const company = companyOf(shown(request), request.companyId, { place: 'company_id' });
  request.state.decisions.set(`${id} ${company.id}`, subscribed);
  return { status: 200, body: { company: showCompany(company), subscribed } };
}

export const catalogHandlers: Readonly<Record<string, Handler>> = {
  listCatalogCompanies: reading((request) => pageOf(catalogCompanies(request), paged(request), showCompany)),
  getCatalogCompany: reading(companyHandlers.getCompany),
  createCatalogCompany: editing(companyHandlers.createCompany),
  updateCatalogCompany: editing(companyHandlers.updateCompany),
  toggleCatalogCompany: editing(companyHandlers.toggleCompany),
  deleteCatalogCompany: editing(companyHandlers.deleteCompany),
  listCatalogOffers: reading(offerHandlers.listOffers),
  getCatalogOffer: reading(offerHandlers.getOffer),
  createCatalogOffer: editing(offerHandlers.createOffer),
  updateCatalogOffer: editing(offerHandlers.updateOffer),
  toggleCatalogOffer: editing(offerHandlers.toggleOffer),
  deleteCatalogOffer: editing(offerHandlers.deleteOffer),
  listCatalogSubscriptions: (request) => {
    const client = clientOf(request);
    return pageOf(catalogCompanies(request), paged(request), (company) => {
      return { company: showCompany(company), subscribed: subscribes(request.state, client, company.id) };
    });
  },
  subscribeToCatalogCompany: (request) => decide(request, true),
  unsubscribeFromCatalogCompany: (request) => decide(request, false),
  listCatalogIndexedPrices: reading(monthHandlers.listIndexedPrices),
  upsertCatalogIndexedPrice: editing(monthHandlers.upsertIndexedPrice),
  deleteCatalogIndexedPrice: editing(monthHandlers.deleteIndexedPrice),
};
