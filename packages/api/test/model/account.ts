import { type Asked, named, numberIn, paged, textIn } from './firms.ts';
import { ownOffers } from './offers.ts';
import {
  clean,
  folded,
  isName,
  type ModelAccount,
  type ModelUpload,
  narrow,
  nextId,
  notFound,
  pageOf,
  Refusal,
  refuseRules,
  type Verdict,
} from './state.ts';

/** When every subscription ends; nothing hangs on it. */
export const PERIOD_END = '2099-01-01T00:00:00.000Z';

/** A failed upload of this name is one whose file is kept. */
export const KEPT = 'kept.xlsx';

function accountOf({ state, caller }: Asked): ModelAccount {
  const account = state.accounts.get(caller.accountId);
  if (!account) throw new Error('a key has an account');
  return account;
}

const showAccount = ({ id, name, email, isActive, createdAt }: ModelAccount) => {
  return { id, name, email, is_active: isActive, created_at: createdAt };
};

function refusePassword(account: ModelAccount, sent: string | undefined): void {
  if (sent !== undefined && sent !== account.password) throw new Refusal(401, 'wrong_password');
}

const isEmail = (email: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) && email.length <= 254;

export const accountHandlers = {
  getAccount: (asked: Asked): Verdict => {
    narrow(asked.state, asked.caller, named(asked));
    return { status: 200, body: showAccount(accountOf(asked)) };
  },
  updateAccount: (asked: Asked): Verdict => {
    const { state, caller, body } = asked;
    narrow(state, caller, named(asked));
    const account = accountOf(asked);
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
    return { status: 200, body: showAccount(changed) };
  },
  changePassword: (asked: Asked): Verdict => {
    narrow(asked.state, asked.caller, named(asked));
    const account = accountOf(asked);
    refusePassword(account, textIn(asked.body, 'current_password'));
    const password = textIn(asked.body, 'new_password') ?? '';
    asked.state.accounts.set(account.id, { ...account, password });
    return { status: 204 };
  },
  getSubscription: (asked: Asked): Verdict => {
    const { state, caller } = asked;
    narrow(state, caller, named(asked));
    const subscription = state.subscriptions.get(caller.accountId);
    if (!subscription?.isActive) throw new Refusal(404, 'no_subscription');
    const { id, plan, clientsLimit, createdAt } = subscription;
    const dates = { trial_ends_at: null, current_period_end: PERIOD_END, created_at: createdAt };
    return { status: 200, body: { id, plan, status: 'active', clients_limit: clientsLimit, ...dates } };
  },
};

function showUpload(upload: ModelUpload) {
  return {
    id: upload.id,
    client_id: upload.clientId,
    kind: upload.kind,
    file_name: upload.fileName,
    size_bytes: null,
    status: upload.status,
    result: upload.result,
    error: upload.error,
    created_at: upload.createdAt,
    updated_at: upload.updatedAt,
    finished_at: upload.finishedAt,
  };
}

function uploadsOf(asked: Asked): readonly ModelUpload[] {
  const only = narrow(asked.state, asked.caller, named(asked));
  return [...asked.state.uploads.values()].filter(
    ({ accountId, clientId }) => accountId === asked.caller.accountId && (only === null || clientId === only),
  );
}

function uploadOf(asked: Asked): ModelUpload {
  const upload = uploadsOf(asked).find(({ id }) => id === asked.id);
  if (!upload) throw notFound();
  return upload;
}

function putUpload({ state }: Asked, upload: ModelUpload): ModelUpload {
  state.uploads.set(upload.id, upload);
  return upload;
}

export const uploadHandlers = {
  listUploads: (asked: Asked): Verdict => {
    const status = textIn(asked.query, 'status');
    const found = uploadsOf(asked).filter((upload) => status === undefined || upload.status === status);
    return pageOf(found, paged(asked), showUpload);
  },
  createUpload: (asked: Asked): Verdict => {
    const { state, caller, body } = asked;
    const clientId = narrow(state, caller, named(asked), numberIn(body, 'client_id'));
    const fileName = clean((textIn(body, 'file_name') ?? '').replace(/^.*[/\\]/s, ''));
    refuseRules(isName(fileName, 255) ? [] : ['file_name']);
    const rest = { kind: textIn(body, 'kind') ?? 'file', status: 'pending', result: null, error: null };
    const stamps = { createdAt: state.now, updatedAt: state.now, finishedAt: null };
    const upload = { id: nextId(state.uploads), accountId: caller.accountId, clientId, fileName, ...rest, ...stamps };
    return { status: 201, body: showUpload(putUpload(asked, upload)) };
  },
  getUpload: (asked: Asked): Verdict => ({ status: 200, body: showUpload(uploadOf(asked)) }),
  retryUpload: (asked: Asked): Verdict => {
    const upload = uploadOf(asked);
    if (upload.status !== 'failed' || upload.fileName !== KEPT) throw new Refusal(409, 'wrong_state');
    const again = { status: 'pending', result: null, error: null, finishedAt: null, updatedAt: asked.state.now };
    return { status: 200, body: showUpload(putUpload(asked, { ...upload, ...again })) };
  },
  cancelUpload: (asked: Asked): Verdict => {
    const upload = uploadOf(asked);
    if (upload.status !== 'pending') throw new Refusal(409, 'wrong_state');
    const { now } = asked.state;
    const cancelled = { ...upload, status: 'cancelled', updatedAt: now, finishedAt: now };
    return { status: 200, body: showUpload(putUpload(asked, cancelled)) };
  },
};

const countOf = (records: readonly { readonly isActive: boolean }[]) => {
  return { total: records.length, active: records.filter(({ isActive }) => isActive).length };
};

/** How much the caller has. */
export function getStats(asked: Asked): Verdict {
  const { state, caller } = asked;
  const only = narrow(state, caller, named(asked));
  const offers = ownOffers(asked, only).map(({ supply, fields }) => {
    return { supply, isActive: fields.is_active === true, isIndexed: fields.is_indexed === true };
  });
  const bySupply = (supply: string) => {
    const own = offers.filter((offer) => offer.supply === supply);
    return { ...countOf(own), indexed: own.filter(({ isActive, isIndexed }) => isActive && isIndexed).length };
  };
  const isMine = (clientId: number | null) => only === null || clientId === only;
  const clients = [...state.clients.values()].filter((c) => c.accountId === caller.accountId && isMine(c.id));
  const companies = [...state.companies.values()].filter((c) => c.accountId === caller.accountId && isMine(c.clientId));
  const uploads = uploadsOf(asked);
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
