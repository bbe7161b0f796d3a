import {
  type Caller,
  type Deps,
  DomainError,
  type IdempotencyGuard,
  type IdempotencyRequest,
  rightsOf,
} from '@tarifario/core/service';
import { z } from 'zod';
import type { Call, Outcome } from './call.ts';
import type { ApiAnswer } from './errors.ts';
import type { Operation } from './operation.ts';
import { type QueryParams, type RawInput, readJson } from './read-input.ts';
import { isSentForm } from './sent-form.ts';

/** Maximum length of an idempotency key, in characters. */
export const MAX_KEY_LENGTH = 255;
/** Added to a replayed answer. */
const REPLAYED = { 'Idempotent-Replayed': 'true' };

/**
 * The idempotency key of a request; `null` when there is none.
 *
 * @param values - Every header `Idempotency-Key` as received.
 * @throws DomainError `invalid_request` when there are several, or an invalid one.
 */
export function idempotencyKeyFrom(values: readonly string[]): string | null {
  const [value, ...others] = values;
  if (value === undefined) return null;
  if (others.length > 0) throw malformed('must be sent once');
  if (!new RegExp(`^[!-~]{1,${MAX_KEY_LENGTH}}$`).test(value)) {
    throw malformed(`must be 1 to ${MAX_KEY_LENGTH} visible ASCII characters`);
  }
  return value;
}

function malformed(message: string): DomainError {
  return new DomainError('invalid_request', { issues: [{ path: 'Idempotency-Key', message }] });
}

/** A request with an idempotency key. */
interface NamedRequest {
  readonly operation: Operation;
  readonly apiKey: string;
  readonly idempotencyKey: string;
  readonly raw: RawInput;
}

/**
 * Performs a request and stores its answer, or returns the stored answer.
 *
 * @param perform - The result of `operation.prepare` for this request.
 * @throws DomainError as `IdempotencyGuard`, and as the operation.
 */
export async function answerIdempotently(
  call: Call,
  request: NamedRequest,
  parts: { readonly guard: IdempotencyGuard; readonly perform: (call: Call) => Promise<Outcome> },
): Promise<ApiAnswer> {
  const { deps, caller } = call;
  const { guard, perform } = parts;
  const { answer, isReplay } = await guard(deps, {
    idempotencyRequest: idempotencyRequestOf(deps, caller, request),
    perform: async (bound) => JSON.stringify(await perform({ ...call, deps: { ...deps, ...bound } })),
  });
  // The answer is parsed from text also the first time, so that both answers are identical.
  const { status, headers = {}, body } = readJson(storedAnswerShape, JSON.parse(answer));
  return { status, headers: { ...headers, ...(isReplay ? REPLAYED : {}) }, body };
}

const storedAnswerShape = z.strictObject({
  status: z.int(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
});

function idempotencyRequestOf({ secrets }: Deps, caller: Caller, request: NamedRequest): IdempotencyRequest {
  const { operation, apiKey, idempotencyKey, raw } = request;
  const content = [operation.method, operation.path, raw.params, inOrder(raw.query), contentOf(raw.body)];
  const fingerprint = secrets.fingerprint(apiKey, piecesOf(content));
  return { keyId: caller.keyId, idempotencyKey, fingerprint, rights: rightsOf(caller) };
}

/** The content of a body for the fingerprint; a form becomes a list of its parts. */
function contentOf(body: unknown): unknown {
  if (!isSentForm(body)) return body;
  const { fields, file } = body;
  return [inOrder(fields), file.name, file.bytes];
}

/** Sorted by name; values of the same name keep their order. */
function inOrder(params: QueryParams): readonly (readonly [string, string])[] {
  return [...params].sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
}

/**
 * A checked value as a list of pieces for hashing. Members of an object are sorted, because not every client preserves
 * their order when it repeats a request.
 */
function piecesOf(value: unknown): (string | Uint8Array)[] {
  if (value instanceof Uint8Array) return [`bytes ${value.length} `, value];
  if (Array.isArray(value)) return ['[', ...value.flatMap((entry) => [...piecesOf(entry), ',']), ']'];
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value) ?? 'nothing'];
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return ['{', ...members.flatMap(([name, member]) => [JSON.stringify(name), ':', ...piecesOf(member), ',']), '}'];
}
