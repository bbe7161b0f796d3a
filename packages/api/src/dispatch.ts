import {
  admit,
  type BucketState,
  type Caller,
  type Deps,
  DomainError,
  rateLimited,
  refusalFor,
  takeCallPoints,
} from '@tarifario/core';
import { checkOperations } from './check-operations.ts';
import { type ApiAnswer, answerTo } from './errors.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';
import { rateHeaders } from './rate-headers.ts';
import type { QueryParams } from './read-input.ts';

/** Who sends a request, as a door received it. */
interface Sender {
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
  /**
   * Reads and parses the JSON body. Called only for admitted callers, and only if the operation takes a body.
   *
   * @throws DomainError `invalid_request`, `too_large` or `unsupported_media_type`.
   */
  readBody(): Promise<unknown>;
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

/** The endpoint under which calls of unknown paths are recorded. */
export const UNKNOWN_ENDPOINT = '(unknown)';

export interface ApiDeps extends Deps {
  /** Told about every error that is no refusal; the caller only learns that something failed. */
  readonly reportBug: (error: unknown) => void;
  /** Waits until it is one's turn to work: calls that come together do not keep everything else waiting. */
  readonly turn?: () => Promise<void>;
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
export function createDispatch(
  deps: ApiDeps,
  table: readonly Operation[] = operations,
): (request: ApiRequest | StrayRequest) => Promise<ApiAnswer> {
  checkOperations(table);
  const refuse = (error: unknown): ApiAnswer => {
    if (!(error instanceof DomainError)) deps.reportBug(error);
    return answerTo(error);
  };

  return async (request) => {
    const startedAtMs = deps.clock.monotonicMs();
    if (request.operation === null && request.apiKey === null) return refuse(request.refusal);
    try {
      const caller = await admit(deps, { key: request.apiKey, address: request.address });
      const answer = await answerCaller(deps, caller, { request, refuse });
      record(deps, caller, { request, startedAtMs, statusCode: answer.status });
      return answer;
    } catch (error) {
      return withLimits(refuse(error), [], limitsThatRefused(error));
    }
  };
}

async function answerCaller(
  deps: ApiDeps,
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
    return withLimits(refuse(error), states, limitsThatRefused(error));
  }
}

/** Limits beyond those of every call, e.g. that of wrong passwords. */
function limitsThatRefused(error: unknown): readonly BucketState[] {
  return error instanceof DomainError ? (error.details.limits ?? []) : [];
}

function withLimits(
  answer: ApiAnswer,
  counted: readonly BucketState[],
  refusing: readonly BucketState[] = [],
): ApiAnswer {
  return { ...answer, headers: { ...answer.headers, ...rateHeaders([...counted, ...refusing], refusing) } };
}

async function run(deps: ApiDeps, caller: Caller, request: ApiRequest): Promise<ApiAnswer> {
  const { operation, params, query } = request;
  const body = operation.input.body === null ? undefined : await request.readBody();
  await deps.turn?.();
  const { headers = {}, ...outcome } = await operation.run({ deps, caller }, { params, query, body });
  return { ...outcome, headers };
}

function record(
  deps: ApiDeps,
  caller: Caller,
  call: { readonly request: ApiRequest | StrayRequest; readonly startedAtMs: number; readonly statusCode: number },
): void {
  const { request, startedAtMs, statusCode } = call;
  deps.usageLog.record({
    accountId: caller.accountId,
    firmId: caller.firmId,
    endpoint: (request.operation ?? request).path ?? UNKNOWN_ENDPOINT,
    method: (request.operation ?? request).method,
    statusCode,
    responseTimeMs: Math.max(0, deps.clock.monotonicMs() - startedAtMs),
    createdAt: deps.clock.now(),
  });
}
