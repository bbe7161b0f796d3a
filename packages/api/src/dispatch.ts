import {
  admit,
  assert,
  type BucketState,
  type Caller,
  createOnce,
  DomainError,
  type ExtraLimit,
  extraBucketOf,
  type Once,
  rateLimited,
  refusalFor,
  takeCallPoints,
} from '@tarifario/core';
import { checkOperations } from './check-operations.ts';
import { type ApiAnswer, answerTo } from './errors.ts';
import { answerOnce, idempotencyKeyFrom } from './idempotency.ts';
import type { ApiDeps, Operation, Outcome } from './operation.ts';
import { operations } from './operations.ts';
import { rateHeaders } from './rate-headers.ts';
import type { JsonArguments } from './read-arguments.ts';
import type { QueryParams } from './read-input.ts';
import type { BodyForm } from './sent-form.ts';

/** Who sends a request, as a door received it. */
export interface Sender {
  /** The header `X-API-Key` as received; `null` when there was none. */
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
  /**
   * Reads and parses the body. Called only for admitted callers, and only if the operation takes a body.
   *
   * @param sentAs - The ways in which it may be sent.
   * @param beforeForm - Called before a byte of a form is read; what it throws is thrown on.
   * @returns JSON, or a `SentForm`.
   * @throws DomainError `invalid_request`, `too_large` or `unsupported_media_type`; `unavailable` with `isQueueFull`
   *   when too many files arrive at once.
   */
  readBody(sentAs: readonly BodyForm[], beforeForm: () => void): Promise<unknown>;
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
  const depsWithOnce = { ...deps, once: createOnce() };
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
      const answer = await answerCaller(depsWithOnce, caller, { request, refuse });
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
  try {
    if (request.operation === null || refusal !== null) throw refusal;
    return withLimits(await run(deps, caller, request), states);
  } catch (error) {
    const counted = await givenBack(deps, error, { caller, limits, states });
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
      await deps.turn?.();
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
  if (!(error instanceof DomainError) || !error.details.isQueueFull) return states;
  const own = limits.map((name) => extraBucketOf(caller, name));
  await deps.limiter.giveBack(own);
  const isOwn = (state: BucketState) => own.some(({ name }) => name === state.name);
  return states.map((state) => (isOwn(state) ? { ...state, remaining: state.remaining + 1 } : state));
}

/** Limits beyond those of every call, e.g. that of wrong passwords. */
function limitsThatRefused(error: unknown): readonly BucketState[] {
  return error instanceof DomainError ? (error.details.limits ?? []) : [];
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

async function run(deps: DispatchDeps, caller: Caller, request: ApiRequest): Promise<Outcome> {
  const { operation, apiKey, params, query, idempotencyKeys = [], takesJson = false } = request;
  const { input, replayable } = operation;
  const idempotencyKey = replayable ? idempotencyKeyFrom(idempotencyKeys) : null;
  const beforeForm = () => operation.beforeForm?.({ deps, caller });
  const body = input.body === null ? undefined : await request.readBody(input.sentAs, beforeForm);
  await deps.turn?.();
  const raw = { params, query, body };
  const perform = operation.prepare(raw);
  if (idempotencyKey !== null) {
    assert(apiKey !== null, 'whoever is admitted has a key');
    return answerOnce({ deps, caller }, { operation, apiKey, idempotencyKey, raw }, { once: deps.once, perform });
  }
  return perform({ deps, caller, takesJson });
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
