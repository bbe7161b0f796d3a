import { createTarifario, type Tarifario } from '@tarifario/client';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { withoutCupsIn } from '../customer/cups.ts';
import { forgetOthers, keep, kept } from './kept.ts';

export interface Session {
  readonly api: Tarifario;
  readonly accountId: number;
  readonly accountName: string;
  readonly email: string;
  /** Account and rights. An answer to another account may have what this key may not see. */
  readonly reach: string;
  /** What the key may do. */
  readonly scopes: readonly string[];
  /** The key is bound to one advisory firm. */
  readonly isBound: boolean;
  /** It has full access to the whole account, so it may make keys. */
  readonly mayManageKeys: boolean;
}

/** `null`: the last one has ended, and what it showed is hidden. */
export const SessionContext = createContext<Session | null>(null);
export const useSession = (): Session | null => useContext(SessionContext);
/** For what is shown only while a session is open. */
export const useOpenSession = (): Session => useContext(SessionContext) as Session;

/**
 * Opens a session if the key is valid. The key is sent in a header of each request and nowhere else.
 *
 * @param onEnd - Called once the key is no longer accepted: it has expired or was revoked.
 * @throws TarifarioError
 */
export async function openSession(key: string, onEnd: () => void): Promise<Session> {
  let isOpen = false;
  const client = createTarifario({
    url: location.origin,
    key,
    // The next person at the browser may have other rights.
    fetch: (address, init) => askAgain(address, { ...init, cache: 'no-store' }),
    // The user decides what is tried again, and sees how long to wait.
    retries: 0,
    // Messages are in the language of the page.
    language: () => (document.documentElement.lang === 'en' ? 'en' : 'es'),
    onStatus: (status) => {
      if (status === 401 && isOpen) onEnd();
    },
  });
  const { id, name, email, key: rights } = await client.getAccount();
  isOpen = true;
  const reach = JSON.stringify([id, rights]);
  const isBound = rights.client_id !== null;
  const mayManageKeys = rights.full_access && !isBound;
  const { scopes } = rights;
  return { api: sendingNoCups(client), accountId: id, accountName: name, email, reach, scopes, isBound, mayManageKeys };
}

const TAB = 'session';

/** The tab is now that of this session, and keeps nothing of an account or of rights that are others. */
export function settle({ accountName, reach }: Session): void {
  forgetOthers(reach);
  keep(TAB, { accountName, reach });
}

/**
 * The name of the account that loses the tab to a key that nobody typed; `null`: the tab has none, or had the same
 * account and rights when it was loaded.
 *
 * @param before - The session that the page has, or had until its key ended.
 */
export function displacedBy({ reach }: Session, before: Session | null): string | null {
  if (before) return before.accountName;
  const { accountName, reach: former } = kept(TAB);
  return typeof accountName === 'string' && former !== reach ? accountName : null;
}

/** A question of one firm. */
export interface OfFirm {
  readonly client_id?: number;
}

type Asking = { readonly body: OfFirm } | { readonly body: { readonly request: OfFirm } };

/** A question names its firm with what it asks, and the service takes it beside the body. */
function besideBody(args: Asking) {
  const { client_id, ...question } = 'request' in args.body ? args.body.request : args.body;
  if (client_id === undefined) return args;
  return { ...args, client_id, body: 'request' in args.body ? { ...args.body, request: question } : question };
}

const ASKING = ['rankOffers', 'createProposal'];

/** Whatever is typed anywhere: no number of a supply point is sent. */
function sendingNoCups(client: Tarifario): Tarifario {
  const methods = Object.entries(client).map(([id, call]) => [
    id,
    (args: unknown, options: unknown) =>
      Reflect.apply(call, undefined, [withoutCupsIn(ASKING.includes(id) ? besideBody(args as Asking) : args), options]),
  ]);
  return Object.fromEntries(methods);
}

/** Before a request is sent again while its twin is being answered: a minute in all, for each try takes a point. */
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000];

/**
 * Sends a request. While the service is answering one with the same `Idempotency-Key`, such as one before the page was
 * loaded again, it waits and asks again: then the answer is that of the first one.
 */
export async function askAgain(url: string, init: RequestInit): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const response = await fetch(url, init);
    const waitMs = WAITS_MS[tries];
    if (waitMs === undefined || !(await isInFlight(response))) return response;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    init.signal?.throwIfAborted();
  }
}

async function isInFlight(response: Response): Promise<boolean> {
  if (response.status !== 409) return false;
  const refusal: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return Object(Object(refusal).detail).code === 'idempotency_in_flight';
}
