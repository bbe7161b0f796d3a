import { accountHandlers, getStats } from './account.ts';
import { catalogHandlers } from './catalog.ts';
import { fileHandlers, uploadHandlers } from './files.ts';
import { clientHandlers, companyHandlers, type ModelRequest } from './firms.ts';
import { monthHandlers, offerHandlers } from './offers.ts';
import { calculateCommission, rankOffersInModel, recommendOffers } from './ranking.ts';
import { pathId, read } from './reading.ts';
import {
  type Caller,
  type ExpectedAnswer,
  type Fields,
  isFields,
  type Json,
  Refusal,
  type Request,
  type State,
} from './state.ts';

/** What each operation needs: its scopes, in the order in which they are missed. */
export const SCOPES: Readonly<Record<string, readonly string[]>> = {
  listOffers: ['offers:read'],
  createOffer: ['offers:write'],
  rankOffers: ['offers:read'],
  recommendOffers: ['offers:read', 'commissions:read'],
  compareOffers: ['offers:read'],
  getStats: ['offers:read'],
  bulkPatchOffers: ['offers:write'],
  bulkUpdateOffers: ['offers:write'],
  getOffer: ['offers:read'],
  updateOffer: ['offers:write'],
  toggleOffer: ['offers:write'],
  deleteOffer: ['offers:write'],
  calculateCommission: ['commissions:read'],
  listIndexedPrices: ['indexed_prices:read'],
  upsertIndexedPrice: ['offers:write'],
  deleteIndexedPrice: ['offers:write'],
  listClients: ['clients:read'],
  createClient: ['clients:write'],
  getClient: ['clients:read'],
  updateClient: ['clients:write'],
  toggleClient: ['clients:write'],
  deleteClient: ['clients:write'],
  listCompanies: ['companies:read'],
  createCompany: ['companies:write'],
  getCompany: ['companies:read'],
  updateCompany: ['companies:write'],
  toggleCompany: ['companies:write'],
  deleteCompany: ['companies:write'],
  listCatalogSubscriptions: ['clients:read'],
  subscribeToCatalogCompany: ['clients:write'],
  unsubscribeFromCatalogCompany: ['clients:write'],
  listCatalogCompanies: ['catalog:read'],
  createCatalogCompany: ['catalog:write'],
  getCatalogCompany: ['catalog:read'],
  updateCatalogCompany: ['catalog:write'],
  toggleCatalogCompany: ['catalog:write'],
  deleteCatalogCompany: ['catalog:write'],
  listCatalogOffers: ['catalog:read'],
  createCatalogOffer: ['catalog:write'],
  bulkUpdateCatalogOffers: ['catalog:write'],
  getCatalogOffer: ['catalog:read'],
  updateCatalogOffer: ['catalog:write'],
  toggleCatalogOffer: ['catalog:write'],
  deleteCatalogOffer: ['catalog:write'],
  listCatalogIndexedPrices: ['catalog:read'],
  upsertCatalogIndexedPrice: ['catalog:write'],
  deleteCatalogIndexedPrice: ['catalog:write'],
  getAccount: [],
  updateAccount: [],
  changePassword: [],
  getSubscription: [],
  listUploads: [],
  createUpload: [],
  getUpload: [],
  retryUpload: [],
  cancelUpload: [],
};
const FULL_ACCESS_ONLY = ['updateAccount', 'changePassword'];

/** What the service has to answer, and what it has to know afterwards: the state changes in place. */
export function answer(state: State, request: Request): ExpectedAnswer {
  try {
    const caller = callerOf(state, request.key);
    permit(caller, request.operation);
    const query = read(request);
    const handle = handlers(request.params.month)[request.operation];
    if (!handle) throw new Error(`the model does not know ${request.operation}`);
    const ids = { id: pathId(request.params.id), companyId: pathId(request.params.company_id) };
    return handle({ state, caller, ...ids, owner: 'own', query, body: fieldsOf(request.body) });
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

function callerOf(state: State, text: string | null): Caller {
  const key = state.keys.get(text ?? '');
  if (!key?.isActive) throw new Refusal(401, 'unauthenticated');
  if (!state.accounts.get(key.accountId)?.isActive) throw new Refusal(403, 'account_inactive');
  const firm = key.clientId === null ? null : state.clients.get(key.clientId);
  if (firm && !firm.isActive) throw new Refusal(403, 'firm_inactive');
  return { ...key, sees: key.scopes === null || key.scopes.includes('commissions:read') };
}

function permit({ scopes, clientId }: Caller, operation: string): void {
  const missing = (SCOPES[operation] ?? []).find((scope) => scopes !== null && !scopes.includes(scope));
  if (missing !== undefined) throw new Refusal(403, 'missing_scope', { scope: missing });
  if (FULL_ACCESS_ONLY.includes(operation) && (scopes !== null || clientId !== null)) {
    throw new Refusal(403, 'not_full_access');
  }
}

function fieldsOf(body: Json | undefined): Fields {
  return isFields(body) ? body : {};
}

function handlers(month: string | undefined): Readonly<Record<string, (asked: ModelRequest) => ExpectedAnswer>> {
  return {
    ...offerHandlers,
    ...monthHandlers(month),
    ...clientHandlers,
    ...companyHandlers,
    ...accountHandlers,
    ...uploadHandlers,
    ...fileHandlers,
    ...catalogHandlers(month),
    getStats,
    calculateCommission,
    recommendOffers,
    rankOffers: rankOffersInModel,
  };
}
