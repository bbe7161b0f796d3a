import { ACCESS } from '../access-rights.ts';
import { accountHandlers, getStats } from './account.ts';
import { catalogHandlers } from './catalog.ts';
import { fileHandlers, uploadHandlers } from './files.ts';
import { clientHandlers, companyHandlers, type Handler } from './firms.ts';
import { monthHandlers, offerHandlers } from './offers.ts';
import { calculateCommission, rankOffersInModel, recommendOffers } from './ranking.ts';
import { monthOf, pathId, read } from './reading.ts';
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

/** What the service has to answer, and what it has to know afterwards: the state changes in place. */
export function answer(state: State, request: Request): ExpectedAnswer {
  try {
    const caller = callerOf(state, request.key);
    permit(caller, request.operation);
    const query = read(request);
    const handle = HANDLERS[request.operation];
    if (!handle) throw new Error(`the model does not know ${request.operation}`);
    const { id, company_id, month = '' } = request.params;
    const path = { id: pathId(id), companyId: pathId(company_id), month: monthOf(month) ?? '' };
    return handle({ state, caller, ...path, owner: 'own', query, body: fieldsOf(request.body) });
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

function callerOf(state: State, text: string | null): Caller {
  const key = state.keys.get(text ?? '');
  if (text === null || !key?.isActive) throw new Refusal(401, 'unauthenticated');
  if (!state.accounts.get(key.accountId)?.isActive) throw new Refusal(403, 'account_inactive');
  const firm = key.clientId === null ? null : state.clients.get(key.clientId);
  if (firm && !firm.isActive) throw new Refusal(403, 'firm_inactive');
  return { ...key, text, seesCommissions: key.scopes === null || key.scopes.includes('commissions:read') };
}

function permit({ scopes, clientId }: Caller, operation: string): void {
  const needed = ACCESS[operation] ?? '';
  if (needed === 'full access' && (scopes !== null || clientId !== null)) throw new Refusal(403, 'not_full_access');
  const missing = needed.split(' ').find((scope) => scope.includes(':') && scopes !== null && !scopes.includes(scope));
  if (missing !== undefined) throw new Refusal(403, 'missing_scope', { scope: missing });
}

function fieldsOf(body: Json | undefined): Fields {
  return isFields(body) ? body : {};
}

const HANDLERS: Readonly<Record<string, Handler>> = {
  ...offerHandlers,
  ...monthHandlers,
  ...clientHandlers,
  ...companyHandlers,
  ...accountHandlers,
  ...uploadHandlers,
  ...fileHandlers,
  ...catalogHandlers,
  getStats,
  calculateCommission,
  recommendOffers,
  rankOffers: rankOffersInModel,
};

/** The operations that the model has. */
export const MODELLED = Object.keys(HANDLERS);
