import { errorOf, parsed, unreachable } from './errors.ts';
import { OPERATIONS, type Operations } from './generated.ts';
import type { Reduced } from './reduced.ts';
import { type Answered, type Body, type Fetch, type Outgoing, type Progress, sendWithRetries } from './send.ts';

type Language = 'es' | 'en';

export interface TarifarioOptions {
  /** Where the service is: `https://tarifario.example`. */
  readonly url: string;
  /** The API key. It is sent in a header and shown nowhere. */
  readonly key: string;
  /** How often a call is repeated after 429 and 503; 2 by default. */
  readonly retries?: number;
  /** A call that would have to wait longer fails at once; the default is 60. */
  readonly maxWaitSeconds?: number;
  /**
   * The language of messages, or a function that gives it for each call. By default that of the browser, or English.
   */
  readonly language?: Language | (() => Language);
  /** Called with the status of each answer, also for a file in a browser, which is not sent with `fetch`. */
  readonly onStatus?: (status: number) => void;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /**
   * The name of the request, for an operation that takes one; by default a new one. The same name does nothing twice.
   */
  readonly idempotencyKey?: string;
  /**
   * The `ETag` of the record to be changed: if the record has changed since, nothing is done. `null`, as of an answer whose
   * tag a proxy removed, is a TypeError.
   */
  readonly ifMatch?: string | null;
  /** Called while a file is sent. */
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * A call in progress: its answer, its answer with status and headers, or the records of a list one by one. `Whole` is
 * the answer with all fields.
 */
export type Call<T, Whole = T> = Promise<T> & {
  withResponse(): Promise<Answered<T>>;
} & (Whole extends { readonly offset: number }
    ? T extends { readonly results: readonly (infer Item)[] }
      ? AsyncIterable<Item>
      : unknown
    : unknown);

type Method<Args, Answer> =
  Partial<Args> extends Args
    ? (args?: Args, options?: CallOptions) => Call<Answer>
    : (args: Args, options?: CallOptions) => Call<Answer>;
type ReducedMethod<Args, Answer> = <const Fields extends string>(
  args: Args & { readonly fields: Fields },
  options?: CallOptions,
) => Call<Reduced<Answer, Fields>, Answer>;
/** The last one is that which `ReturnType` sees. */
type MethodOf<Id extends keyof Operations> = (Operations[Id] extends { takesFields: true }
  ? ReducedMethod<Operations[Id]['args'], Operations[Id]['answer']>
  : unknown) &
  Method<Operations[Id]['args'], Operations[Id]['answer']>;

/** One method for each operation, by its `operationId`. */
export type Tarifario = { readonly [Id in keyof Operations]: MethodOf<Id> };

interface OperationFacts {
  readonly method: string;
  readonly path: string;
  readonly isReplayable?: boolean;
  /** Done twice it would do it twice, and it takes no `Idempotency-Key`. */
  readonly isOnce?: boolean;
  /** The type of its answer where that is not JSON; empty for no content. */
  readonly type?: string;
  /** The member by which the next page is requested. */
  readonly list?: 'after_id' | 'offset';
}

/** Arguments as JavaScript may pass them. */
type LooseArguments = Readonly<Record<string, unknown>>;

/** @throws TypeError for an invalid `url` or `key`. No message repeats them. */
export function createTarifario(options: TarifarioOptions): Tarifario {
  const connection = connectionOf(options);
  const methods = Object.entries<OperationFacts>(OPERATIONS).map(([id, operation]) => [
    id,
    (args: LooseArguments = {}, callOptions: CallOptions = {}) => callOf(connection, operation, { args, callOptions }),
  ]);
  return Object.fromEntries(methods);
}

/** What all calls have in common. */
type Connection = ReturnType<typeof connectionOf>;

function connectionOf(options: TarifarioOptions) {
  const { key, retries = 2, maxWaitSeconds = 60, fetch = (url, init) => globalThis.fetch(url, init) } = options;
  // In JavaScript a variable without a value may be passed.
  if (typeof key !== 'string' || !/^[!-~]+$/.test(key))
    throw new TypeError('key: visible ASCII characters are expected');
  const { language, onStatus } = options;
  /** Headers of every request; one of them has the key. */
  const ownHeaders = () => {
    const preferred = typeof language === 'function' ? language() : language;
    return { 'X-API-Key': key, ...(preferred !== undefined && { 'Accept-Language': preferred }) };
  };
  return { base: baseOf(options.url), ownHeaders, onStatus, fetch, retryLimits: { retries, maxWaitSeconds } };
}

/** Without credentials, which errors of `fetch` would repeat, and without parts that do not belong to a base. */
function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isBase =
    url && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (!isBase) throw new TypeError('url: an absolute http address without credentials and query is expected');
  return url.href.replace(/\/$/, '');
}

interface Invocation {
  readonly args: LooseArguments;
  readonly callOptions: CallOptions;
}

function callOf(connection: Connection, operation: OperationFacts, invocation: Invocation): object {
  const answered = answer(connection, operation, invocation);
  const data = answered.then((facts) => facts.data);
  const withResponse = () => {
    // A caller that uses the answer in another way gets the failure there.
    data.catch(() => undefined);
    return answered;
  };
  const { list } = operation;
  if (list === undefined) return Object.assign(data, { withResponse });
  const pageAfter = (next: LooseArguments) => {
    // `next` has one of these.
    const { offset: _offset, after_id: _afterId, after: _after, ...others } = invocation.args;
    return answer(connection, operation, { ...invocation, args: { ...others, ...next } });
  };
  return Object.assign(data, {
    withResponse,
    [Symbol.asyncIterator]: () => records(withResponse(), { list, asked: invocation.args }, pageAfter),
  });
}

interface Page {
  /** Missing where it was not among the fields that were asked for. */
  readonly limit?: number;
  readonly results: readonly { readonly id?: unknown }[];
  /** Where the next page of an ordered list begins. */
  readonly next?: string;
}

/** The records of a list from the first page on, a page at a time. */
async function* records(
  first: Promise<Answered<unknown>>,
  { list, asked }: { readonly list: 'after_id' | 'offset'; readonly asked: LooseArguments },
  pageAfter: (next: LooseArguments) => Promise<Answered<unknown>>,
): AsyncGenerator<unknown> {
  let page = pageOf(await first);
  for (let offset = Number(asked.offset ?? 0); ; ) {
    const { results, limit = Number(asked.limit ?? 1), next } = page;
    yield* results;
    if (results.length < limit) return;
    offset += results.length;
    // With `after_id` and `after` no record is skipped or repeated, whatever is added or removed meanwhile.
    const id = list === 'after_id' && asked.sort === undefined ? results.at(-1)?.id : undefined;
    const position = id === undefined ? { offset } : { after_id: id };
    page = pageOf(await pageAfter(next === undefined ? position : { after: next }));
  }
}

const pageOf = ({ data }: Answered<unknown>) => data as Page;

async function answer(
  connection: Connection,
  operation: OperationFacts,
  invocation: Invocation,
): Promise<Answered<unknown>> {
  const { fetch, retryLimits } = connection;
  const response = await sendWithRetries(requestOf(connection, operation, invocation), fetch, retryLimits);
  const { status, headers } = response;
  connection.onStatus?.(status);
  const bytes = new Uint8Array(await response.arrayBuffer().catch(unreachable(invocation.callOptions.signal)));
  if (!response.ok) throw errorOf(response, textOf(bytes));
  return { data: dataOf(response, bytes, operation), status, headers };
}

function requestOf(
  { base, ownHeaders }: Connection,
  operation: OperationFacts,
  { args, callOptions }: Invocation,
): Outgoing {
  const { method, path, isReplayable, isOnce = false } = operation;
  const { body: value, ...params } = args;
  const { signal = null, ifMatch, onProgress = null } = callOptions;
  // Ignored, it would promise what is not so.
  if (isOnce && callOptions.idempotencyKey) throw new TypeError('idempotencyKey: this operation takes none');
  if (ifMatch === null) throw new TypeError('ifMatch: the answer had no ETag');
  const idempotencyKey = isReplayable ? (callOptions.idempotencyKey ?? randomName()) : undefined;
  const { type, body } = bodyOf(value);
  const headers = {
    ...ownHeaders(),
    ...(type !== null && { 'Content-Type': type }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
  };
  return { url: base + addressOf(path, params), method, headers, body, signal, onProgress, isOnce };
}

/** The path with its parameters; all others become the query, a list as one pair for each value. */
function addressOf(path: string, params: LooseArguments): string {
  const query = new Map(Object.entries(params));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => {
    const text = String(query.get(name) ?? '');
    query.delete(name);
    // These segments would lead to another path.
    if (/^\.{0,2}$/.test(text)) throw new TypeError(`${name}: a value is expected`);
    return encodeURIComponent(text);
  });
  const pairs = [...query].flatMap(([name, value]) =>
    [value]
      .flat()
      .flatMap((one) => (one === undefined || one === null ? [] : [[name, String(one)] as [string, string]])),
  );
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`;
}

/** A file alone is sent as CSV, one beside other fields as a form, anything else as JSON. */
function bodyOf(value: unknown): { readonly type: string | null; readonly body: Body | null } {
  if (value === undefined) return { type: null, body: null };
  if (value instanceof Blob) return { type: 'text/csv', body: value };
  if (!isForm(value)) return { type: 'application/json', body: JSON.stringify(value) };
  const form = new FormData();
  for (const [name, part] of Object.entries(value)) {
    if (part !== undefined) form.append(name, part instanceof Blob ? part : String(part));
  }
  // The type of a form has its boundary, so `fetch` writes it.
  return { type: null, body: form };
}

function isForm(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && 'file' in value && value.file instanceof Blob;
}

/** JSON as its value, other texts as they are, a file as bytes, no content as `undefined`. */
function dataOf(response: Response, bytes: Uint8Array, { type = 'application/json' }: OperationFacts): unknown {
  const [sent = ''] = (response.headers.get('Content-Type') ?? '').toLowerCase().split(';');
  // The page of a proxy may have status 200.
  if ((bytes.length === 0 ? '' : sent.trim()) !== type) throw errorOf(response, textOf(bytes));
  if (type === '') return undefined;
  if (type.startsWith('text/')) return textOf(bytes);
  if (type !== 'application/json') return bytes;
  const text = textOf(bytes);
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) throw errorOf(response, text);
  return value;
}

/** The byte order mark of a CSV is part of it. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** `crypto.randomUUID` is missing on pages without TLS. */
function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
