import {
  type Caller,
  clean,
  type ExpectedAnswer,
  type Fields,
  folded,
  isLogo,
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
} from './state.ts';

/** What a handler gets: a request that could be read, of a caller who may make it. */
export interface ModelRequest {
  readonly state: State;
  readonly caller: Caller;
  /** The ids in the path; `companyId` is 0 where there is none. */
  readonly id: number;
  readonly companyId: number;
  /** The month in the path, as its first day; empty where there is none. */
  readonly month: string;
  /** The records it is about: the caller's, or those of the catalog. */
  readonly owner: 'own' | 'catalog';
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Fields;
}

/** What the model answers to a request. It changes the state. */
export type Handler = (request: ModelRequest) => ExpectedAnswer;

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
const showOneClient = (client: ModelClient) => ({
  ...showClient(client),
  logo: client.logo,
  contact: client.contact,
});
export const showCompany = ({ id, clientId, name, logoUrl, isActive }: ModelCompany) => {
  return { id, client_id: clientId, name, logo_url: logoUrl, is_active: isActive };
};

/** A picture in a request: absent, null, or a text. */
export function pictureIn(body: Fields, name: string): string | null | undefined {
  const value = body[name];
  return typeof value === 'string' || value === null ? value : undefined;
}

function clientsOf({ state, caller }: ModelRequest): readonly ModelClient[] {
  return [...state.clients.values()].filter(({ accountId }) => accountId === caller.accountId);
}

/** A client by its id; the bound one is the only one of a bound key. */
export function clientOf(request: ModelRequest): ModelClient {
  const { state, caller, id } = request;
  const only = narrow(state, caller, named(request));
  const client = state.clients.get(id);
  if (client?.accountId !== caller.accountId || (only !== null && only !== id)) throw notFound();
  return client;
}

function refuseClientName(request: ModelRequest, { id, name }: { readonly id: number; readonly name: string }): void {
  const taken = clientsOf(request).some((other) => other.id !== id && folded(other.name) === folded(name));
  if (taken) throw new Refusal(409, 'duplicate_name');
}

function refuseOneMoreClient(request: ModelRequest): void {
  const { state, caller } = request;
  const subscription = state.subscriptions.get(caller.accountId);
  const limit = subscription?.isActive ? subscription.clientsLimit : 1;
  if (clientsOf(request).filter(({ isActive }) => isActive).length >= limit)
    throw new Refusal(403, 'firm_limit_reached');
}

function putClient(request: ModelRequest, client: ModelClient): ExpectedAnswer {
  refuseRules([
    ...(isName(client.name) ? [] : ['name']),
    ...(isPicture(client.imageUrl) ? [] : ['image_url']),
    ...(isLogo(client.logo) ? [] : ['logo']),
    ...(client.contact === null || isName(client.contact) ? [] : ['contact']),
  ]);
  refuseClientName(request, client);
  const isNew = !request.state.clients.has(client.id);
  request.state.clients.set(client.id, client);
  return { status: isNew ? 201 : 200, body: showOneClient(client) };
}

export const clientHandlers = {
  createClient: (request: ModelRequest): ExpectedAnswer => {
    const { state, caller, body } = request;
    if (caller.clientId !== null) throw new Refusal(403, 'bound_key');
    narrow(state, caller, named(request));
    refuseOneMoreClient(request);
    const rest = {
      imageUrl: pictureIn(body, 'image_url') ?? null,
      logo: pictureIn(body, 'logo') ?? null,
      contact: null,
      catalog: textIn(body, 'catalog') ?? 'all',
    };
    const name = clean(textIn(body, 'name') ?? '');
    return putClient(request, {
      id: nextId(state.clients),
      accountId: caller.accountId,
      name,
      ...rest,
      isActive: true,
    });
  },
  listClients: (request: ModelRequest): ExpectedAnswer => {
    const only = narrow(request.state, request.caller, named(request));
    const all = request.query.include_inactive === true;
    const clients = clientsOf(request).filter(
      ({ id, isActive }) => (only === null || id === only) && (all || isActive),
    );
    return pageOf(clients, paged(request), showClient);
  },
  getClient: (request: ModelRequest): ExpectedAnswer => ({ status: 200, body: showOneClient(clientOf(request)) }),
  updateClient: (request: ModelRequest): ExpectedAnswer => {
    const client = clientOf(request);
    const image = pictureIn(request.body, 'image_url');
    const sent = pictureIn(request.body, 'logo');
    const imageUrl = image === undefined ? client.imageUrl : image;
    const logo = sent === undefined ? client.logo : sent;
    const line = pictureIn(request.body, 'contact');
    const contact = typeof line === 'string' ? clean(line) : line === undefined ? client.contact : line;
    const name = clean(textIn(request.body, 'name') ?? client.name);
    return putClient(request, { ...client, name, imageUrl, logo, contact });
  },
  toggleClient: (request: ModelRequest): ExpectedAnswer => {
    const client = clientOf(request);
    if (!client.isActive) refuseOneMoreClient(request);
    return putClient(request, { ...client, isActive: !client.isActive });
  },
  deleteClient: (request: ModelRequest): ExpectedAnswer =>
    putClient(request, { ...clientOf(request), isActive: false }),
};

/** A company of the caller, or of the catalog, by its id, which is in the path or in a field of the body. */
export function companyOf(
  request: ModelRequest,
  id: number,
  { place }: { readonly place?: string | undefined } = {},
): ModelCompany {
  const { state, caller } = request;
  const only = narrow(state, caller, named(request));
  const company = state.companies.get(id);
  if (request.owner === 'catalog') {
    if (company?.accountId !== null) throw notFound(place);
    return company;
  }
  if (company?.accountId !== caller.accountId || (only !== null && company.clientId !== only)) throw notFound(place);
  return company;
}

export function putCompany({ state }: ModelRequest, company: ModelCompany): ExpectedAnswer {
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
  createCompany: (request: ModelRequest): ExpectedAnswer => {
    const { state, caller, body, owner } = request;
    const clientId = numberIn(body, 'client_id');
    narrow(state, caller, named(request), clientId);
    return putCompany(request, {
      id: nextId(state.companies),
      accountId: owner === 'catalog' ? null : caller.accountId,
      clientId: clientId ?? null,
      name: clean(textIn(body, 'name') ?? ''),
      logoUrl: pictureIn(body, 'logo_url') ?? null,
      isActive: true,
    });
  },
  listCompanies: (request: ModelRequest): ExpectedAnswer => {
    const { state, caller, query } = request;
    const only = narrow(state, caller, named(request));
    const companies = [...state.companies.values()].filter(
      ({ accountId, clientId, isActive }) =>
        accountId === caller.accountId &&
        (only === null || clientId === only) &&
        (query.include_inactive === true || isActive),
    );
    return pageOf(companies, paged(request), showCompany);
  },
  getCompany: (request: ModelRequest): ExpectedAnswer => ({
    status: 200,
    body: showCompany(companyOf(request, request.id)),
  }),
  updateCompany: (request: ModelRequest): ExpectedAnswer => {
    const company = companyOf(request, request.id);
    const logo = pictureIn(request.body, 'logo_url');
    const logoUrl = logo === undefined ? company.logoUrl : logo;
    return putCompany(request, { ...company, name: clean(textIn(request.body, 'name') ?? company.name), logoUrl });
  },
  toggleCompany: (request: ModelRequest): ExpectedAnswer => {
    const company = companyOf(request, request.id);
    return putCompany(request, { ...company, isActive: !company.isActive });
  },
  deleteCompany: (request: ModelRequest): ExpectedAnswer =>
    putCompany(request, { ...companyOf(request, request.id), isActive: false }),
};
