import { SCOPES } from '@tarifario/core/service';
import { type ModelRequest, named, textIn } from './firms.ts';
import { ownOffers } from './offers.ts';
import {
  type Caller,
  clean,
  type ExpectedAnswer,
  folded,
  isName,
  type ModelAccount,
  narrow,
  Refusal,
  refuseRules,
} from './state.ts';
import { uploadsOf } from './uploads.ts';

/** When every subscription ends; nothing hangs on it. */
export const PERIOD_END = '2099-01-01T00:00:00.000Z';

function accountOf({ state, caller }: ModelRequest): ModelAccount {
  const account = state.accounts.get(caller.accountId);
  if (!account) throw new Error('a key has an account');
  return account;
}

const showAccount = ({ id, name, email, isActive, createdAt }: ModelAccount, { clientId, scopes }: Caller) => {
  const key = {
    full_access: scopes === null,
    client_id: clientId,
    scopes: SCOPES.filter((one) => scopes?.includes(one) ?? true),
  };
  return { id, name, email, is_active: isActive, created_at: createdAt, key };
};

function refusePassword(account: ModelAccount, sent: string | undefined): void {
  if (sent !== undefined && sent !== account.password) throw new Refusal(401, 'wrong_password');
}

const isEmail = (email: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) && email.length <= 254;

export const accountHandlers = {
  getAccount: (request: ModelRequest): ExpectedAnswer => {
    narrow(request.state, request.caller, named(request));
    return { status: 200, body: showAccount(accountOf(request), request.caller) };
  },
  updateAccount: (request: ModelRequest): ExpectedAnswer => {
    const { state, caller, body } = request;
    narrow(state, caller, named(request));
    const account = accountOf(request);
    const password = textIn(body, 'current_password');
    const email = clean(textIn(body, 'email') ?? account.email);
    if (email !== account.email && password === undefined) {
      throw new Refusal(400, 'invalid_request', { wrong: ['current_password'] });
    }
    refusePassword(account, password);
    const name = clean(textIn(body, 'name') ?? account.name);
    refuseRules([...(isName(name) ? [] : ['name']), ...(isEmail(email) ? [] : ['email'])]);
    const others = [...state.accounts.values()].filter(({ id }) => id !== account.id);
    if (others.some((other) => folded(other.email) === folded(email))) throw new Refusal(409, 'duplicate_email');
    const changed = { ...account, name, email };
    state.accounts.set(account.id, changed);
    return { status: 200, body: showAccount(changed, caller) };
  },
  changePassword: (request: ModelRequest): ExpectedAnswer => {
    narrow(request.state, request.caller, named(request));
    const account = accountOf(request);
    refusePassword(account, textIn(request.body, 'current_password'));
    const password = textIn(request.body, 'new_password') ?? '';
    request.state.accounts.set(account.id, { ...account, password });
    return { status: 204 };
  },
  getSubscription: (request: ModelRequest): ExpectedAnswer => {
    const { state, caller } = request;
    narrow(state, caller, named(request));
    const subscription = state.subscriptions.get(caller.accountId);
    if (!subscription?.isActive) throw new Refusal(404, 'no_subscription');
    const { id, plan, clientsLimit, createdAt } = subscription;
    const dates = { trial_ends_at: null, current_period_end: PERIOD_END, created_at: createdAt };
    return { status: 200, body: { id, plan, status: 'active', clients_limit: clientsLimit, ...dates } };
  },
};

const countOf = (records: readonly { readonly isActive: boolean }[]) => {
  return { total: records.length, active: records.filter(({ isActive }) => isActive).length };
};

/** How much the caller has. */
export function getStats(request: ModelRequest): ExpectedAnswer {
  const { state, caller } = request;
  const only = narrow(state, caller, named(request));
  const offers = ownOffers(request, only).map(({ supply, fields }) => {
    return { supply, isActive: fields.is_active === true, isIndexed: fields.is_indexed === true };
  });
  const bySupply = (supply: string) => {
    const own = offers.filter((offer) => offer.supply === supply);
    return { ...countOf(own), indexed: own.filter(({ isActive, isIndexed }) => isActive && isIndexed).length };
  };
  const isMine = (clientId: number | null) => only === null || clientId === only;
  const clients = [...state.clients.values()].filter((c) => c.accountId === caller.accountId && isMine(c.id));
  const companies = [...state.companies.values()].filter((c) => c.accountId === caller.accountId && isMine(c.clientId));
  const uploads = uploadsOf(request);
  const statuses = ['pending', 'processing', 'completed', 'failed', 'cancelled'];
  const byStatus = statuses.map((status) => [status, uploads.filter((upload) => upload.status === status).length]);
  return {
    status: 200,
    body: {
      offers: { ...countOf(offers), by_supply: { LUZ: bySupply('LUZ'), GAS: bySupply('GAS') } },
      clients: countOf(clients),
      companies: countOf(companies),
      uploads: { total: uploads.length, by_status: Object.fromEntries(byStatus) },
    },
  };
}
