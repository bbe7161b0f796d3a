import { createHash, randomUUID } from 'node:crypto';
import type { ApiRequest, SentFile, UnroutedRequest } from '@tarifario/api';
import {
  type ApiAnswer,
  type ApiDeps,
  COMMON_REFUSALS,
  createDispatch,
  type Dispatch,
  type Operation,
  operations,
} from '@tarifario/api';
import {
  type Account,
  type CatalogDefault,
  createOfferCache,
  createUsageLog,
  type Imports,
  type OfferCache,
  type Plan,
  type RateLimiter,
  type RecordTotals,
  runImport,
  runNextUpload,
  type Scope,
  type Store,
  type UsageLog,
} from '@tarifario/core/service';
import { newStore } from '../new-store.ts';
import { createFakeSecrets, fakeTables, UNLIMITED } from './fakes.ts';
import { fakeWorkbooks } from './workbooks.ts';

/** The input of an operation. The query has texts and lists of texts, as in an address. */
export interface CallInput {
  readonly key?: string | null;
  readonly address?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | readonly string[]>> | string;
  readonly body?: unknown;
  readonly takesJson?: boolean;
  /** In place of `body`: a form with a file, called `hoja.xlsx` unless it says otherwise. */
  readonly form?: SentFormParts;
  /** The header `Idempotency-Key`, as often as it is sent. */
  readonly idempotencyKey?: string | readonly string[];
  /** The header `If-Match`, as often as it is sent. */
  readonly ifMatch?: string | readonly string[];
  /** The header `If-None-Match`, as often as it is sent. */
  readonly ifNoneMatch?: string | readonly string[];
  /** English when left out. */
  readonly language?: ApiRequest['language'];
  /** The connection of the call; left out: it stays open. */
  readonly closing?: ApiRequest['closing'];
  /** In place of `body`: what happens when the body is read. */
  readonly readBody?: ApiRequest['readBody'];
}

export interface SentFormParts {
  readonly fields?: Readonly<Record<string, string | readonly string[]>>;
  readonly fileName?: string;
  readonly bytes: SentFile['bytes'];
}

/** What a plan allows, or what was agreed instead. */
export interface Ceilings {
  readonly plan?: Plan;
  readonly firmLimit?: number;
  /** Calls per minute; `null`: those of the plan. */
  readonly callsPerMinute?: number | null;
  readonly firmCallsPerMinute?: number | null;
  readonly quotas?: Partial<RecordTotals>;
}

/** What a world has gone through, apart from its store: a copy goes on from here. */
export interface Progress {
  readonly seconds: number;
  readonly secrets: number;
  readonly accounts: number;
  readonly account: Account;
  readonly fullKey: string;
  /** What the log of usage was told, which stores it later. */
  readonly calls: readonly Parameters<UsageLog['record']>[];
}

/** A whole service in memory: a store, a clock that ticks a second per look, keys, and every error that was a bug. */
export interface World {
  readonly store: Store;
  readonly bugs: unknown[];
  readonly fullKey: string;
  readonly account: Account;
  readonly usageLog: UsageLog;
  /** The answer, without the headers that count calls: no two of them are equal. */
  call(operationId: string, input?: CallInput, through?: Dispatch): Promise<ApiAnswer>;
  /** The answer as it is; of an operation in the table, or of one that a test brings along. */
  send(operation: string | Operation, input?: CallInput, through?: Dispatch): Promise<ApiAnswer>;
  readonly dispatch: Dispatch;
  /** Another dispatch over the same store, as in another process; over another one as after a restart. */
  newDispatch(store?: Store, tables?: Pick<ApiDeps, 'rates' | 'regulatedPrices'>): Dispatch;
  /** A request for no operation. */
  unrouted(request: Omit<UnroutedRequest, 'kind' | 'address'>): Promise<ApiAnswer>;
  /** As `call`, for a success: the body. */
  ask(operationId: string, input?: CallInput): Promise<Record<string, unknown>>;
  /** Does what waits for the background worker. */
  work(): Promise<void>;
  newAccount(ceilings?: Ceilings): Promise<Account>;
  subscribe(accountId: number, ceilings?: Ceilings): Promise<void>;
  newKey(
    accountId: number,
    options?: { readonly firmId?: number; readonly scopes?: readonly Scope[]; readonly expiresAt?: string },
  ): Promise<string>;
  /** Moves the clock on. */
  passTime(seconds: number): void;
  /** The instant of the last look at the clock. */
  instant(): string;
  progress(): Progress;
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

const AT = '2026-01-01T00:00:00.000Z';

export function operationOf(id: string): Operation {
  const operation = operations.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`no operation ${id}`);
  return operation;
}

function queryOf(query: CallInput['query'] = {}): URLSearchParams {
  if (typeof query === 'string') return new URLSearchParams(query);
  const result = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const text of typeof value === 'string' ? [value] : value) result.append(name, text);
  }
  return result;
}

/** The request as a transport would pass it on. */
function bodyOf({ body, form }: CallInput): unknown {
  if (!form) return body;
  const { fields = {}, fileName = 'hoja.xlsx', bytes } = form;
  return { fields: queryOf(fields), file: { name: fileName, bytes } };
}

export const PASSWORD = 'molinos de viento';

export async function createWorld(
  given?: Store,
  limiter: RateLimiter = UNLIMITED,
  others: Pick<ApiDeps, 'longReads' | 'yieldToEventLoop' | 'limitWatch'> & {
    readonly tables?: ApiDeps['tables'];
    readonly imports?: Imports;
    readonly offerCache?: OfferCache;
    /** What a file waits for before it is applied. */
    readonly beforeFile?: () => Promise<unknown>;
    readonly afterFile?: () => void;
    /** How far the world had come whose store this one has a copy of. */
    readonly progress?: Progress;
  } = {},
): Promise<World> {
  const store = given ?? (await newStore());
  const { progress } = others;
  const secrets = createFakeSecrets(progress?.secrets);
  const bugs: unknown[] = [];
  let seconds = progress?.seconds ?? 0;
  const instant = () => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();
  const now = () => {
    seconds += 1;
    return instant();
  };
  let elapsedMs = 0;
  const monotonicMs = () => {
    elapsedMs += 1.5;
    return elapsedMs;
  };
  const clock = { now, monotonicMs };
  const log = createUsageLog({ store, clock }, { name: randomUUID(), reportFailure: (error) => bugs.push(error) });
  const calls: Parameters<UsageLog['record']>[] = [];
  const record: UsageLog['record'] = (...call) => {
    calls.push(call);
    log.record(...call);
  };
  for (const call of progress?.calls ?? []) record(...call);
  const usageLog = { ...log, record };
  const reportBug = (error: unknown) => bugs.push(error);
  const sha256 = (content: Uint8Array | string) => createHash('sha256').update(content).digest('hex');
  const parts = { store, clock, workbooks: fakeWorkbooks, sha256, reportBug };
  // In this thread: other tests use a separate one.
  const imports: Imports = {
    run: async (job) => {
      await others.beforeFile?.();
      const report = await runImport(parts, job);
      others.afterFile?.();
      return report;
    },
    wake: () => {},
    expectFile: () => {},
    ...others.imports,
  };
  const { yieldToEventLoop, longReads, limitWatch } = others;
  const rest = {
    secrets,
    tables: others.tables ?? fakeTables,
    offerCache: others.offerCache ?? createOfferCache(),
    limiter,
    usageLog,
    imports,
  };
  const newDispatch: World['newDispatch'] = (other, tables) =>
    createDispatch({
      ...parts,
      ...rest,
      ...(other && { store: other, offerCache: createOfferCache() }),
      ...(yieldToEventLoop && { yieldToEventLoop }),
      ...(longReads && { longReads }),
      ...tables,
      ...(limitWatch && { limitWatch }),
    });
  const dispatch = newDispatch();
  const context = { keyId: null, at: AT };
  let accounts = progress?.accounts ?? 0;

  const subscribe: World['subscribe'] = async (accountId, ceilings = {}) => {
    const {
      plan = 'business',
      firmLimit = 100,
      callsPerMinute = null,
      firmCallsPerMinute = null,
      quotas = {},
    } = ceilings;
    const dates = { trialEndsAt: null, currentPeriodEnd: '2026-12-01T00:00:00.000Z' };
    const terms = { plan, status: 'active', firmLimit, ...dates, callsPerMinute, firmCallsPerMinute, quotas } as const;
    await store.write(context, (writer) => writer.accounts.putSubscription(accountId, terms));
  };

  const newAccount: World['newAccount'] = async (ceilings) => {
    accounts += 1;
    const email = `cuenta${accounts}@example.com`;
    // As in an installation: the first account edits the catalog.
    const isCatalogEditor = accounts === 1;
    const terms = { name: email, email, passwordHash: `$fake$${PASSWORD}`, isCatalogEditor };
    const account = await store.write(context, (writer) => writer.accounts.insert(terms));
    await subscribe(account.id, ceilings);
    return account;
  };

  const newKey: World['newKey'] = async (accountId, { firmId, scopes, expiresAt = null } = {}) => {
    const { key, prefix, secretHash } = secrets.newKey();
    const fullAccess = scopes === undefined;
    const terms = {
      accountId,
      firmId: firmId ?? null,
      name: null,
      prefix,
      secretHash,
      fullAccess,
      scopes: scopes ?? [],
      expiresAt,
    };
    await store.write(context, (writer) => writer.keys.insert(terms));
    return key;
  };

  const account = progress?.account ?? (await newAccount());
  const fullKey = progress?.fullKey ?? (await newKey(account.id));

  const send: World['send'] = async (idOrOperation, input = {}, through = dispatch) => {
    const { key = fullKey, address = '203.0.113.7', params = {}, query, closing, language } = input;
    const {
      readBody = async (_sentAs, { beforeForm }) => {
        if (input.form) await beforeForm();
        return bodyOf(input);
      },
    } = input;
    const idempotencyKeys = [input.idempotencyKey ?? []].flat();
    const ifMatch = [input.ifMatch ?? []].flat();
    const ifNoneMatch = [input.ifNoneMatch ?? []].flat();
    const operation = typeof idOrOperation === 'string' ? operationOf(idOrOperation) : idOrOperation;
    const { takesJson = false } = input;
    const parts = { params, query: queryOf(query), takesJson, idempotencyKeys, ifMatch, ifNoneMatch, readBody };
    const request = {
      operation,
      apiKey: key,
      address,
      ...parts,
      ...(closing && { closing }),
      ...(language && { language }),
    };
    const { text, bytes, ...sentBack } = await through({ kind: 'operation', ...request });
    const decoded = (piece: string | Uint8Array) => (typeof piece === 'string' ? piece : UTF8.decode(piece));
    const shown = bytes ? new TextDecoder().decode(bytes) : text && [...text].map(decoded).join('');
    const answer = shown === undefined ? sentBack : { ...sentBack, body: shown };
    refuseUndeclared(operation, answer);
    return answer;
  };
  const call: World['call'] = async (operationId, input, through) => {
    const answer = await send(operationId, input, through);
    const { 'RateLimit-Policy': _policy, RateLimit: _left, ...headers } = answer.headers;
    return { ...answer, headers };
  };

  return {
    store,
    bugs,
    fullKey,
    account,
    usageLog,
    call,
    send,
    dispatch,
    newDispatch,
    unrouted: (request) => dispatch({ kind: 'unrouted', address: '203.0.113.7', ...request }),
    ask: async (operationId, input) => {
      const answer = await call(operationId, input);
      if (answer.status >= 300) throw new Error(`${operationId}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return asRecord(answer.body);
    },
    work: async () => {
      while (await runNextUpload(parts));
    },
    newAccount,
    subscribe,
    newKey,
    passTime: (more) => {
      seconds += more;
    },
    instant,
    progress: () => ({ seconds, secrets: secrets.made(), accounts, account, fullKey, calls: [...calls] }),
  };
}

/** The table says which refusals an operation has; whatever a test asks, no other may come. */
function refuseUndeclared({ id, refusals, success, revalidated }: Operation, { status, body }: ApiAnswer): void {
  if (status < 400) {
    if (!success.includes(status) && !(revalidated && status === 304))
      throw new Error(`${id} answers ${status}, which it does not declare`);
    return;
  }
  const { code } = asRecord(asRecord(body).detail);
  const declared: readonly unknown[] = [...COMMON_REFUSALS, ...refusals, 'internal_error'];
  if (!declared.includes(code)) throw new Error(`${id} refuses with ${code}, which it does not declare`);
}

export function asRecord(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('an object was expected');
  return Object.fromEntries(Object.entries(value));
}

/** A firm, active or with another catalog default, made through the API. */
export async function newClient(
  world: Pick<World, 'ask' | 'fullKey'>,
  name: string,
  { key = world.fullKey, catalog = 'all' }: { readonly key?: string; readonly catalog?: CatalogDefault } = {},
): Promise<number> {
  return idOf(await world.ask('createClient', { key, body: { name, catalog } }));
}

export async function newCompany(
  world: Pick<World, 'ask' | 'fullKey'>,
  clientId: number,
  name: string,
  key = world.fullKey,
): Promise<number> {
  return idOf(await world.ask('createCompany', { key, body: { client_id: clientId, name } }));
}

export function idOf(record: Record<string, unknown>): number {
  const { id } = record;
  if (typeof id !== 'number') throw new Error('an id was expected');
  return id;
}

/** Deactivates records, which no operation does yet. */
export async function deactivate(
  world: World,
  record: { readonly firmId: number } | { readonly accountId: number },
): Promise<void> {
  await world.store.write({ keyId: null, at: AT }, async (writer) => {
    if ('accountId' in record) {
      await writer.accounts.update(record.accountId, { isActive: false });
      return;
    }
    const firm = await writer.firms.get(world.account.id, record.firmId);
    if (!firm) throw new Error('a firm was expected');
    await writer.firms.update(world.account.id, firm.id, { ...firm, isActive: false });
  });
}
