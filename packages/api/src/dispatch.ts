import {
  admit,
  assert,
  type BucketState,
  type BulkFormat,
  type Caller,
  createOnce,
  DomainError,
  type ExtraLimit,
  extraBucketOf,
  type Once,
  rateLimited,
  refusalFor,
  takeCallPoints,
  takeRowPoints,
} from '@tarifario/core/service';
import type { ApiDeps, Call, Outcome } from './call.ts';
import { checkOperations } from './check-operations.ts';
import { type ApiAnswer, answerTo } from './errors.ts';
import { answerOnce, idempotencyKeyFrom } from './idempotency.ts';
import { createLocate, type Locate } from './location.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';
import { rateHeaders } from './rate-headers.ts';
import type { JsonArguments } from './read-arguments.ts';
import type { QueryParams } from './read-input.ts';
import type { BodyForm } from './sent-form.ts';
import { taggingFor } from './tags.ts';

/** Who sends a request, as a door received it. */
export interface Sender {
  /** The key as received, in whichever header; `null` when there was none. */
  readonly apiKey: string | null;
  /** The address of the client, as far as the door believes what proxies say. */
  readonly address: string;
}

/** A request for an operation. */
export interface ApiRequest extends Sender {
  readonly operation: Operation;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryParams;
  /** `true`: an answer may come as bytes of JSON in place of its value, where that is less work. */
  readonly takesJson?: boolean;
  /** Every header `Idempotency-Key` as received; none when left out. */
  readonly idempotencyKeys?: readonly string[];
  /** Every header `If-Match` as received; none when left out. */
  readonly ifMatch?: readonly string[];
  /**
   * Reads and parses the body. Called only for admitted callers, and for GET never.
   *
   * @param sentAs - The ways in which it may be sent; none where nothing is expected.
   * @param form - `beforeForm`: called before a byte of a form is read; what it throws is thrown on.
   *   `accountId`: whose form it is.
   * @returns JSON, or a `SentForm`; where nothing is expected `undefined`, or whatever was sent.
   * @throws DomainError `invalid_request`, `request_timeout`, `too_large` or `unsupported_media_type`; `unavailable`
   *   with `isQueueFull` when too many files arrive at once.
   */
  readBody(
    sentAs: readonly BodyForm[],
    form: { readonly accountId: number; readonly beforeForm: () => Promise<void> },
  ): Promise<unknown>;
}

/**
 * A request for no operation: an unknown path, or a method that its path does not have. With a key it is admitted and
 * counted like any other, so that nobody gets past a limit by asking for nonsense.
 */
export interface StrayRequest extends Sender {
  readonly operation: null;
  readonly method: string;
  /** The template of a path that exists, else `null`. */
  readonly path: string | null;
  /** What it is answered in the end, e.g. `not_found` or `method_not_allowed`. */
  readonly refusal: DomainError;
}

/**
 * A request that says only in its body what it is for: a message of MCP. It is admitted and counted like any other, for
 * one point whatever it asks.
 */
export interface MessageRequest extends Sender {
  readonly operation: null;
  readonly method: string;
  /** The path it came to; its endpoint, until the message names a tool. */
  readonly path: string;
  /**
   * Reads the message and answers it. Called only for admitted callers.
   *
   * @throws DomainError for what cannot be read.
   */
  answer(visit: Visit): Promise<MessageAnswer>;
}

/** What an admitted caller may do with the one call that was counted. */
export interface Visit {
  readonly caller: Caller;
  /** What is answered, whatever the message asks, because the call found a limit empty; `null`: none was. */
  readonly rateRefusal: ApiAnswer | null;
  /** Does an operation as its endpoint would, with the arguments in JSON and without counting anything. Never rejects. */
  perform(operation: Operation, args: JsonArguments): Promise<ApiAnswer>;
}

export interface MessageAnswer {
  readonly answer: ApiAnswer;
  /** Under which it is recorded: `mcp:<tool>`; `null`: under its path. */
  readonly endpoint: string | null;
  /** The status that is recorded; that of the answer says only whether the message could be read. */
  readonly statusCode: number;
}

export type Dispatch = (request: ApiRequest | StrayRequest | MessageRequest) => Promise<ApiAnswer>;

/** The endpoint under which calls of unknown paths are recorded. */
export const UNKNOWN_ENDPOINT = '(unknown)';

interface DispatchDeps extends ApiDeps {
  readonly once: Once;
  readonly locate: Locate;
}

/**
 * The way every call goes, whatever its door: key (401), account (403), rate (429), scope and full access (403), input
 * (400), then the operation (403, 404, 409, 422). The body is not read before the rate, the scope and the access are
 * settled, and a limit of the operation itself counts only who may call it. Each call of a caller in good standing is
 * recorded, also when it is refused. The result never rejects.
 *
 * @param table - The operations that are served.
 * @throws RangeError when the table leaves open who may call an operation.
 * @see docs/assumptions.md, A-25, A-37 and A-40
 */
export function createDispatch(deps: ApiDeps, table: readonly Operation[] = operations): Dispatch {
  checkOperations(table);
  const ownDeps = { ...deps, once: createOnce(), locate: createLocate(table) };
  const refuse = (error: unknown): ApiAnswer => {
    if (!(error instanceof DomainError)) deps.reportBug(error);
    return answerTo(error);
  };

  return async (request) => {
    const startedAtMs = deps.clock.monotonicMs();
    if ('refusal' in request && request.apiKey === null) return refuse(request.refusal);
    try {
      const caller = await admit(deps, { key: request.apiKey, address: request.address });
      if ('answer' in request) {
        const { answer, ...told } = await answerMessage(deps, caller, { request, refuse });
        record(deps, caller, { request, startedAtMs, ...told });
        return answer;
      }
      const answer = await answerCaller(ownDeps, caller, { request, refuse });
      record(deps, caller, { request, startedAtMs, statusCode: answer.status });
      return answer;
    } catch (error) {
      return withLimits(refuse(error), [], limitsThatRefused(error));
    }
  };
}

async function answerCaller(
  deps: DispatchDeps,
  caller: Caller,
  given: { readonly request: ApiRequest | StrayRequest; readonly refuse: (error: unknown) => ApiAnswer },
): Promise<ApiAnswer> {
  const { request, refuse } = given;
  const { operation } = request;
  const refusal = operation === null ? request.refusal : refusalFor(caller, operation);
  const limits = operation === null || refusal !== null ? [] : operation.limits;
  const { accepted, states } = await takeCallPoints(deps, caller, limits);
  if (!accepted) return withLimits(refuse(rateLimited(states)), states);
  let left = states;
  // What more points are taken from has less left than after the point of the call.
  const onPoints = (more: readonly BucketState[]) => {
    left = left.map((state) => more.find(({ name }) => name === state.name) ?? state);
  };
  try {
    if (request.operation === null || refusal !== null) throw refusal;
    return withLimits(await run(deps, caller, { request, onPoints }), left);
  } catch (error) {
    const counted = await givenBack(deps, error, { caller, limits, states: left });
    return withLimits(refuse(error), counted, limitsThatRefused(error));
  }
}

async function answerMessage(
  deps: ApiDeps,
  caller: Caller,
  given: { readonly request: MessageRequest; readonly refuse: (error: unknown) => ApiAnswer },
): Promise<MessageAnswer> {
  const { request, refuse } = given;
  const { accepted, states } = await takeCallPoints(deps, caller, []);
  const rateRefusal = accepted ? null : refuse(rateLimited(states));
  const perform: Visit['perform'] = async (operation, args) => {
    try {
      const refusal = refusalFor(caller, operation);
      if (refusal !== null) throw refusal;
      await deps.turn?.(caller.accountId);
      const { headers = {}, ...outcome } = await operation.runArguments({ deps, caller }, args);
      return { ...outcome, headers };
    } catch (error) {
      return refuse(error);
    }
  };
  try {
    const { answer, ...told } = await request.answer({ caller, rateRefusal, perform });
    return { answer: withLimits(answer, states), ...told };
  } catch (error) {
    const answer = withLimits(rateRefusal ?? refuse(error), states);
    return { answer, endpoint: null, statusCode: answer.status };
  }
}

/** A call that found too many files waiting did nothing: what its own limits counted is given back. */
async function givenBack(
  deps: ApiDeps,
  error: unknown,
  call: { readonly caller: Caller; readonly limits: readonly ExtraLimit[]; readonly states: readonly BucketState[] },
): Promise<readonly BucketState[]> {
  const { caller, limits, states } = call;
  if (!(error instanceof DomainError) || error.code !== 'unavailable' || !error.details.isQueueFull) return states;
  const own = limits.map((name) => extraBucketOf(caller, name));
  await deps.limiter.giveBack(own);
  const isOwn = (state: BucketState) => own.some(({ name }) => name === state.name);
  return states.map((state) => (isOwn(state) ? { ...state, remaining: state.remaining + 1 } : state));
}

/** Limits beyond those of every call, e.g. that of wrong passwords. */
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
  // An operation that took more points than that of the call has told so itself.
  const states = refusing.length === 0 ? others : [...others, ...refusing];
  return { ...answer, headers: { ...rateHeaders(states, refusing), ...answer.headers } };
}

async function run(
  deps: DispatchDeps,
  caller: Caller,
  { request, onPoints }: { readonly request: ApiRequest; readonly onPoints: (left: readonly BucketState[]) => void },
): Promise<Outcome> {
  const { operation, apiKey, params, query, idempotencyKeys = [], ifMatch = [], takesJson = false } = request;
  assert(apiKey !== null, 'whoever is admitted has a key');
  const tagging = taggingFor(deps, { operation, apiKey, ifMatch });
  const idempotencyKey = operation.replayable ? idempotencyKeyFrom(idempotencyKeys) : null;
  const { body, charged } = await readBody({ deps, caller }, request);
  await deps.turn?.(caller.accountId);
  const raw = { params, query, body };
  const { rows, perform } = operation.prepare(raw);
  onPoints(await takeRowPoints(deps, caller, rows));
  if (idempotencyKey === null) {
    return deps.locate({ ...operation, params }, await perform({ deps, caller, takesJson, charged, tagging }));
  }
  const named = { operation, apiKey, idempotencyKey, raw };
  const answer = await answerOnce({ deps, caller, charged, tagging }, named, { once: deps.once, perform });
  return deps.locate({ ...operation, params }, answer);
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
  if (input.body !== null) return { body: await read(input.sentAs, form), charged };
  // In a GET it means nothing, as HTTP says. Elsewhere its sender meant something by it, which would not be done.
  if (method !== 'GET' && saysSomething(await read([], form))) {
    throw new DomainError('invalid_request', { message: 'no body is taken here: what it says would not be done' });
  }
  return { body: undefined, charged };
}

/** Many clients send `{}` where they have nothing to say. */
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
    /** `null`: that of the request. */
    readonly endpoint?: string | null;
  },
): void {
  const { request, startedAtMs, statusCode, endpoint = null } = call;
  deps.usageLog.record({
    accountId: caller.accountId,
    firmId: caller.firmId,
    endpoint: endpoint ?? (request.operation ?? request).path ?? UNKNOWN_ENDPOINT,
    method: (request.operation ?? request).method,
    statusCode,
    responseTimeMs: Math.max(0, deps.clock.monotonicMs() - startedAtMs),
    createdAt: deps.clock.now(),
  });
}
