import {
  admit,
  assert,
  type BucketState,
  type BulkFormat,
  type Caller,
  type Closing,
  DomainError,
  type ExtraLimit,
  extraBucketOf,
  rateLimited,
  refusalFor,
  returnFilePoint,
  takeCallPoints,
  whileOpen,
} from '@tarifario/core/service';
import type { ApiDeps, Call, Outcome, TagMemory } from './call.ts';
import { checkOperations } from './check-operations.ts';
import { type ApiAnswer, answerTo } from './errors.ts';
import { createAnswerOnce, idempotencyKeyFrom, idempotencyRequestOf } from './idempotency.ts';
import { createLocate } from './location.ts';
import { inLanguage, type Language } from './messages/words.ts';
import { deprecationHeaders, type Operation } from './operation.ts';
import { operations } from './operations.ts';
import { createPageLinks, hasPages } from './page-links.ts';
import { rateHeaders } from './rate-headers.ts';
import type { JsonArguments, QueryParams } from './read-input.ts';
import { questionName } from './revalidation.ts';
import type { BodyForm } from './sent-form.ts';
import { entityTagsFor } from './tags.ts';

/** The sender of a request, as received by the transport. */
export interface Sender {
  /** The key as received, from either header; `null` when there was none. */
  readonly apiKey: string | null;
  /** The address of the client, according to trusted proxies. */
  readonly address: string;
  /** The trace that the request belongs to, as `traceparent` of W3C, well-formed; left out: none. */
  readonly traceparent?: string | null;
  /** The language of messages; English when left out. */
  readonly language?: Language;
  /** Aborted once its connection has closed, which ends the work for it; left out: it is not known. */
  readonly closing?: Closing;
}

/** A request for an operation. */
export interface ApiRequest extends Sender {
  readonly kind: 'operation';
  readonly operation: Operation;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryParams;
  /** `true`: an answer may be given as JSON bytes instead of a value, where that is faster. */
  readonly takesJson?: boolean;
  /** Every header `Idempotency-Key` as received; none when left out. */
  readonly idempotencyKeys?: readonly string[];
  /** Every header `If-Match` as received; none when left out. */
  readonly ifMatch?: readonly string[];
  /** Every header `If-None-Match` as received; none when left out. */
  readonly ifNoneMatch?: readonly string[];
  /**
   * Reads and parses the body. Called only for admitted callers, and never for GET.
   *
   * @param sentAs - The permitted formats; empty where no body is expected.
   * @param form - `beforeForm`: called before any of a form is read; its errors are rethrown. `accountId`: the account
   *   that sends the body.
   * @returns JSON, or a `SentForm`. Where no body is expected: `undefined`, or what was sent.
   * @throws DomainError `invalid_request`, `request_timeout`, `too_large` or `unsupported_media_type`; `unavailable`
   *   with `isQueueFull` when too many bodies arrive at once.
   */
  readBody(
    sentAs: readonly BodyForm[],
    form: { readonly accountId: number; readonly beforeForm: () => Promise<void> },
  ): Promise<unknown>;
}

/**
 * A request without an operation: an unknown path, or a method that its path does not have. With a key it is admitted
 * and counted like any other, so that such requests do not evade the limits.
 */
export interface UnroutedRequest extends Sender {
  readonly kind: 'unrouted';
  readonly method: string;
  /** The template of a path that exists, else `null`. */
  readonly path: string | null;
  /** The final answer, e.g. `not_found` or `method_not_allowed`. */
  readonly refusal: DomainError;
}

/**
 * A request whose operation is only known from its body: a message of MCP. It is admitted and counted like any other,
 * and costs one point before it is read.
 */
export interface MessageRequest extends Sender {
  readonly kind: 'message';
  readonly method: string;
  /** The path of the request: its endpoint, unless the message names a tool. */
  readonly path: string;
  /**
   * Reads the message and answers it. Called only for admitted callers.
   *
   * @throws DomainError for a message that cannot be read.
   */
  answer(admittedCall: AdmittedCall): Promise<MessageAnswer>;
}

/** An admitted and counted call: what its message may do. */
export interface AdmittedCall {
  readonly caller: Caller;
  /** The answer to any message when a limit was reached; `null`: no limit was. */
  readonly rateRefusal: ApiAnswer | null;
  /**
   * Performs an operation as its endpoint would, with JSON arguments and without counting it. Never rejects.
   */
  perform(operation: Operation, args: JsonArguments): Promise<ApiAnswer>;
}

export interface MessageAnswer {
  readonly answer: ApiAnswer;
  /** The endpoint to record: `mcp:<tool>`; `null`: the path. */
  readonly endpoint: string | null;
  /** The status to record. The status of the answer only says whether the message could be read. */
  readonly statusCode: number;
}

export type Dispatch = (request: ApiRequest | UnroutedRequest | MessageRequest) => Promise<ApiAnswer>;

/** The endpoint under which calls of unknown paths are recorded. */
const UNKNOWN_ENDPOINT = '(unknown)';

/**
 * Handles every call in the same order, whatever its transport: key (401), account (403), rate (429), scope and full
 * access (403), input (400), then the operation (403, 404, 409, 422). The body is read only after the checks of rate,
 * scope and access, and the limits of an operation only count callers who may call it. Each call of an admitted caller
 * is recorded, also when it is refused. The result never rejects.
 *
 * @param table - The operations that are served.
 * @throws RangeError when an operation of the table has no access rule.
 * @see docs/assumptions.md, A-25, A-37 and A-40
 */
export function createDispatch(deps: ApiDeps, table: readonly Operation[] = operations): Dispatch {
  checkOperations(table);
  const perform = createPerform(table);
  const refuse = (error: unknown): ApiAnswer => {
    if (!(error instanceof DomainError)) deps.reportBug(error);
    return answerTo(error);
  };

  const respond = async (request: Parameters<Dispatch>[0]): Promise<ApiAnswer> => {
    const startedAtMs = deps.clock.monotonicMs();
    const { apiKey: key, address, traceparent = null, closing } = request;
    if (request.kind === 'unrouted' && key === null) return refuse(request.refusal);
    try {
      const caller = await admit(deps, { key, address, traceparent });
      const refusal = refusalOf(caller, request);
      const limits = request.kind === 'operation' && refusal === null ? request.operation.limits : [];
      const { accepted, states } = await takeCallPoints(deps, caller, limits);
      deps.limitWatch?.look(caller, states);
      const open = whileOpen(deps, closing);
      const limited = accepted ? null : refuse(rateLimited(states));
      let answer: ApiAnswer;
      let usage: Pick<MessageAnswer, 'endpoint' | 'statusCode'> | null = null;
      try {
        if (request.kind === 'message') {
          const rateRefusal = limited && inLanguage(limited);
          const answered = await request.answer({ caller, rateRefusal, perform: performerOf(open, caller, refuse) });
          usage = answered;
          answer = withLimits(answered.answer, states);
        } else if (limited) answer = withLimits(limited, states);
        else if (request.kind === 'unrouted' || refusal !== null) throw refusal;
        else answer = withLimits(await perform(open, caller, request), states);
      } catch (error) {
        const counted = await givenBack(deps, error, { caller, limits, states });
        answer = withLimits(limited ?? refuse(error), counted, limitsThatRefused(error));
      }
      record(deps, caller, { request, startedAtMs, ...(usage ?? { endpoint: null, statusCode: answer.status }) });
      return answer;
    } catch (error) {
      return withLimits(refuse(error), [], limitsThatRefused(error));
    }
  };
  return async (request) => {
    const answer = inLanguage(withMetadata(await respond(request), deps.tokens?.metadataUrl), request.language);
    const deprecated = request.kind === 'operation' ? request.operation.deprecated : null;
    return deprecated === null
      ? answer
      : { ...answer, headers: withDeprecation(answer.headers, deprecationHeaders(deprecated)) };
  };
}

/** Both have links: those to other pages, and that to what is called in the place of the operation. */
function withDeprecation(headers: ApiAnswer['headers'], told: ApiAnswer['headers']): ApiAnswer['headers'] {
  return { ...headers, ...told, Link: [headers.Link, told.Link].filter(Boolean).join(', ') };
}

/** Why a caller may not do what is asked; `null`: it may, or that is not known yet. */
function refusalOf(caller: Caller, request: Parameters<Dispatch>[0]): DomainError | null {
  if (request.kind === 'message') return null;
  return request.kind === 'unrouted' ? request.refusal : refusalFor(caller, request.operation);
}

/** Performs operations for the message of a caller. */
function performerOf(deps: ApiDeps, caller: Caller, refuse: (error: unknown) => ApiAnswer): AdmittedCall['perform'] {
  return async (operation, args) => {
    try {
      const refusal = refusalFor(caller, operation);
      if (refusal !== null) throw refusal;
      await deps.yieldToEventLoop?.(caller.accountId);
      const { headers = {}, ...outcome } = await operation.prepareArguments(caller, args).perform({ deps, caller });
      return inLanguage({ ...outcome, headers });
    } catch (error) {
      return inLanguage(refuse(error));
    }
  };
}

/** With an issuer, the refusal of a caller names the address of the metadata about tokens. */
function withMetadata(answer: ApiAnswer, url: string | undefined): ApiAnswer {
  const challenge = answer.headers['WWW-Authenticate'];
  if (challenge === undefined || url === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, 'WWW-Authenticate': `${challenge}, resource_metadata="${url}"` } };
}

/**
 * A call that was refused because too many files wait, or too many bodies arrive, did nothing, so the points of its extra
 * limits are given back.
 */
async function givenBack(
  deps: ApiDeps,
  error: unknown,
  call: { readonly caller: Caller; readonly limits: readonly ExtraLimit[]; readonly states: readonly BucketState[] },
): Promise<readonly BucketState[]> {
  const { caller, limits, states } = call;
  if (!isQueueFull(error) || limits.length === 0) return states;
  const own = limits.map((name) => extraBucketOf(caller, name));
  await deps.limiter.giveBack(own);
  const isOwn = (state: BucketState) => own.some(({ name }) => name === state.name);
  return states.map((state) => (isOwn(state) ? { ...state, remaining: state.remaining + 1 } : state));
}

function isQueueFull(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'unavailable' && error.details.isQueueFull === true;
}

/** Buckets other than those of the call that refused it, e.g. that of wrong passwords. */
function limitsThatRefused(error: unknown): readonly BucketState[] {
  return error instanceof DomainError && error.code === 'rate_limited' ? (error.details.limits ?? []) : [];
}

function withLimits(
  answer: Outcome,
  counted: readonly BucketState[],
  refusing: readonly BucketState[] = [],
): ApiAnswer {
  const others =
    refusing.length === 0 ? counted : counted.filter(({ name }) => !refusing.some((state) => state.name === name));
  // An operation that took further points has set these headers itself.
  const states = refusing.length === 0 ? others : [...others, ...refusing];
  return { ...answer, headers: { ...rateHeaders(states, refusing), ...answer.headers } };
}

/** Performs the operation of a request. One per process: it remembers tags, and which requests are in progress. */
function createPerform(table: readonly Operation[]) {
  const answerOnce = createAnswerOnce();
  const locate = createLocate(table);
  const memory: TagMemory = new Map();
  return async (deps: ApiDeps, caller: Caller, request: ApiRequest): Promise<Outcome> => {
    const { operation, apiKey, params, query, idempotencyKeys = [], ifMatch = [], takesJson = false } = request;
    const { ifNoneMatch = [], language } = request;
    assert(apiKey !== null, 'an admitted caller has a key');
    const secret = secretOf(deps, caller, apiKey);
    const entityTags = entityTagsFor(deps, { operation, apiKey: secret, ifMatch });
    const idempotencyKey = operation.replayable ? idempotencyKeyFrom(idempotencyKeys) : null;
    const { body, charged } = await readBody({ deps, caller }, request);
    await deps.yieldToEventLoop?.(caller.accountId);
    const raw = { params, query, body };
    const prepared = operation.prepare(raw);
    const nameOf = () => questionName(deps, caller, { id: operation.id, raw });
    const revalidation = operation.revalidated ? { ifNoneMatch, memory, nameOf } : undefined;
    const cipherFor = (purpose: string) => deps.secrets.cipherFor(secret, purpose);
    const cursorSecret = () => deps.secrets.fingerprint(secret, ['cursors of webhooks']);
    const pageLinks = hasPages(operation) ? createPageLinks(operation.path, raw) : undefined;
    const call = {
      ...{ deps, caller, takesJson, language, charged, entityTags, revalidation, cipherFor, cursorSecret, pageLinks },
    };
    const answer =
      idempotencyKey === null
        ? await prepared.perform(call)
        : await answerOnce(
            call,
            idempotencyRequestOf(deps, caller, { operation, apiKey: secret, idempotencyKey, raw }),
            prepared,
          );
    return locate({ ...operation, params }, answer);
  };
}

/**
 * The secret under which tags, cursors and fingerprints of a caller are made: its key, or the key that its token names.
 */
function secretOf({ secrets, tokens }: ApiDeps, { keyId }: Caller, apiKey: string): string {
  return tokens !== undefined && secrets.hashFor(apiKey) === null ? tokens.secretFor(keyId) : apiKey;
}

async function readBody(
  call: Call,
  { operation, readBody: read }: ApiRequest,
): Promise<{ readonly body: unknown; readonly charged: BulkFormat | null }> {
  const { method, input } = operation;
  let charged: BulkFormat | null = null;
  const beforeForm = async () => {
    charged = (await operation.beforeForm?.(call)) ?? null;
  };
  const form = { accountId: call.caller.accountId, beforeForm };
  if (input.body !== null) {
    try {
      return { body: await read(input.sentAs, form), charged };
    } catch (error) {
      if (charged !== null && isQueueFull(error)) await returnFilePoint(call.deps, call.caller, charged);
      throw error;
    }
  }
  // A body of GET has no meaning in HTTP and is ignored. Elsewhere the sender expects an effect that would not happen.
  if (method !== 'GET' && saysSomething(await read([], form))) {
    throw new DomainError('invalid_request', { message: 'no body is taken here: what it says would not be done' });
  }
  return { body: undefined, charged };
}

/** Many clients send `{}` as an empty body. */
function saysSomething(body: unknown): boolean {
  const isEmpty = typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;
  return body !== undefined && !isEmpty;
}

function record(
  deps: ApiDeps,
  caller: Caller,
  call: {
    readonly request: Parameters<Dispatch>[0];
    readonly startedAtMs: number;
    readonly statusCode: number;
    /** `null`: the path of the request. */
    readonly endpoint: string | null;
  },
): void {
  const { request, startedAtMs, statusCode, endpoint } = call;
  const { method, path } = request.kind === 'operation' ? request.operation : request;
  const entry = {
    accountId: caller.accountId,
    firmId: caller.firmId,
    endpoint: endpoint ?? path ?? UNKNOWN_ENDPOINT,
    method,
    statusCode,
    responseTimeMs: Math.max(0, deps.clock.monotonicMs() - startedAtMs),
    createdAt: deps.clock.now(),
  };
  deps.usageLog.record(entry, caller);
}
