import {
  type Caller,
  clean,
  type Fields,
  folded,
  isName,
  isPicture,
  type ModelClient,
  type ModelCompany,
  narrow,
  nextId,
  notFound,
  pageOf,
  Refusal,
  refuseRules,
  type State,
  type Verdict,
} from './state.ts';

/** What a handler gets: a request that could be read, of a caller who may make it. */
export interface ModelRequest {
  readonly state: State;
  readonly caller: Caller;
  /** The ids in the path; `companyId` is 0 where there is none. */
  readonly id: number;
  readonly companyId: number;
  /** The records it is about: the caller's, or those of the catalog. */
  readonly owner: 'own' | 'catalog';
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Fields;
}

export function numberIn(values: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const value = values[name];
  return typeof value === 'number' ? value : undefined;
}

export function textIn(values: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** `client_id` of the query. */
export function named({ query }: ModelRequest): number | undefined {
  return numberIn(query, 'client_id');
}

export function paged({ query }: ModelRequest): { limit: number; offset: number } {
  return { limit: numberIn(query, 'limit') ?? 50, offset: numberIn(query, 'offset') ?? 0 };
}

const showClient = ({ id, name, imageUrl, isActive }: ModelClient) => ({
  id,
  name,
  image_url: imageUrl,
  is_active: isActive,
});
export const showCompany = ({ id, clientId, name, logoUrl, isActive }: ModelCompany) => {
  return { id, client_id: clientId, name, logo_url: logoUrl, is_active: isActive };
};

/** What is sent of a picture: nothing, null, or an address. */
export function pictureIn(body: Fields, name: string): string | null | undefined {
  const value = body[name];
  return typeof value === 'string' || value === null ? value : undefined;
}

function clientsOf({ state, caller }: ModelRequest): readonly ModelClient[] {
  return [...state.clients.values()].filter(({ accountId }) => accountId === caller.accountId);
}

/** A client by its id; the bound one is the only one of a bound key. */
export function clientOf(asked: ModelRequest): ModelClient {
  const { state, caller, id } = asked;
  const only = narrow(state, caller, named(asked));
  const client = state.clients.get(id);
  if (client?.accountId !== caller.accountId || (only !== null && only !== id)) throw notFound();
  return client;
}

function refuseClientName(asked: ModelRequest, { id, name }: { readonly id: number; readonly name: string }): void {
  const taken = clientsOf(asked).some((other) => other.id !== id && folded(other.name) === folded(name));
  if (taken) throw new Refusal(409, 'duplicate_name');
}

function refuseOneMoreClient(asked: ModelRequest): void {
  const { state, caller } = asked;
  const subscription = state.subscriptions.get(caller.accountId);
  const limit = subscription?.isActive ? subscription.clientsLimit : 1;
  if (clientsOf(asked).filter(({ isActive }) => isActive).length >= limit) throw new Refusal(403, 'firm_limit_reached');
}

function putClient(asked: ModelRequest, client: ModelClient): Verdict {
  refuseRules([...(isName(client.name) ? [] : ['name']), ...(isPicture(client.imageUrl) ? [] : ['image_url'])]);
  refuseClientName(asked, client);
  const isNew = !asked.state.clients.has(client.id);
  asked.state.clients.set(client.id, client);
  return { status: isNew ? 201 : 200, body: showClient(client) };
}

export const clientHandlers = {
  createClient: (asked: ModelRequest): Verdict => {
    const { state, caller, body } = asked;
    if (caller.clientId !== null) throw new Refusal(403, 'bound_key');
    narrow(state, caller, named(asked));
    refuseOneMoreClient(asked);
    const rest = { imageUrl: pictureIn(body, 'image_url') ?? null, catalog: textIn(body, 'catalog') ?? 'all' };
    const name = clean(textIn(body, 'name') ?? '');
    return putClient(asked, { id: nextId(state.clients), accountId: caller.accountId, name, ...rest, isActive: true });
  },
  listClients: (asked: ModelRequest): Verdict => {
    const only = narrow(asked.state, asked.caller, named(asked));
    const all = asked.query.include_inactive === true;
    const found = clientsOf(asked).filter(({ id, isActive }) => (only === null || id === only) && (all || isActive));
    return pageOf(found, paged(asked), showClient);
  },
  getClient: (asked: ModelRequest): Verdict => ({ status: 200, body: showClient(clientOf(asked)) }),
  updateClient: (asked: ModelRequest): Verdict => {
    const client = clientOf(asked);
    const image = pictureIn(asked.body, 'image_url');
    const imageUrl = image === undefined ? client.imageUrl : image;
    return putClient(asked, { ...client, name: clean(textIn(asked.body, 'name') ?? client.name), imageUrl });
  },
  toggleClient: (asked: ModelRequest): Verdict => {
    const client = clientOf(asked);
    if (!client.isActive) refuseOneMoreClient(asked);
    return putClient(asked, { ...client, isActive: !client.isActive });
  },
  deleteClient: (asked: ModelRequest): Verdict => putClient(asked, { ...clientOf(asked), isActive: false }),
};

/** A company of the caller, or of the catalog, by its id, which is in the path or in a field of the body. */
export function companyOf(
  asked: ModelRequest,
  id: number,
  { place }: { readonly place?: string | undefined } = {},
): ModelCompany {
  const { state, caller } = asked;
  const only = narrow(state, caller, named(asked));
  const company = state.companies.get(id);
  if (asked.owner === 'catalog') {
    if (company?.accountId !== null) throw notFound(place);
    return company;
  }
  if (company?.accountId !== caller.accountId || (only !== null && company.clientId !== only)) throw notFound(place);
  return company;
}

export function putCompany({ state }: ModelRequest, company: ModelCompany): Verdict {
  refuseRules([...(isName(company.name) ? [] : ['name']), ...(isPicture(company.logoUrl) ? [] : ['logo_url'])]);
  const taken = [...state.companies.values()].some(
    ({ id, clientId, name }) =>
      id !== company.id && clientId === company.clientId && folded(name) === folded(company.name),
  );
  if (taken) throw new Refusal(409, 'duplicate_name');
  const isNew = !state.companies.has(company.id);
  state.companies.set(company.id, company);
  return { status: isNew ? 201 : 200, body: showCompany(company) };
}

export const companyHandlers = {
  createCompany: (asked: ModelRequest): Verdict => {
    const { state, caller, body } = asked;
    const clientId = numberIn(body, 'client_id');
    narrow(state, caller, named(asked), clientId);
    return putCompany(asked, {
      id: nextId(state.companies),
      accountId: caller.accountId,
      clientId: clientId ?? null,
      name: clean(textIn(body, 'name') ?? ''),
      logoUrl: pictureIn(body, 'logo_url') ?? null,
      isActive: true,
    });
  },
  listCompanies: (asked: ModelRequest): Verdict => {
    const { state, caller, query } = asked;
    const only = narrow(state, caller, named(asked));
    const found = [...state.companies.values()].filter(
      ({ accountId, clientId, isActive }) =>
        accountId === caller.accountId &&
        (only === null || clientId === only) &&
        (query.include_inactive === true || isActive),
    );
    return pageOf(found, paged(asked), showCompany);
  },
  getCompany: (asked: ModelRequest): Verdict => ({ status: 200, body: showCompany(companyOf(asked, asked.id)) }),
  updateCompany: (asked: ModelRequest): Verdict => {
    const company = companyOf(asked, asked.id);
    const logo = pictureIn(asked.body, 'logo_url');
    const logoUrl = logo === undefined ? company.logoUrl : logo;
    return putCompany(asked, { ...company, name: clean(textIn(asked.body, 'name') ?? company.name), logoUrl });
  },
  toggleCompany: (asked: ModelRequest): Verdict => {
    const company = companyOf(asked, asked.id);
    return putCompany(asked, { ...company, isActive: !company.isActive });
  },
  deleteCompany: (asked: ModelRequest): Verdict =>
    putCompany(asked, { ...companyOf(asked, asked.id), isActive: false }),
};
