import { type Caller, type Claim, type Deps, DomainError, type Once, rightsOf } from '@tarifario/core/service';
import { z } from 'zod';
import type { Call, Outcome } from './call.ts';
import type { ApiAnswer } from './errors.ts';
import type { Operation } from './operation.ts';
import { type QueryParams, type RawInput, readJson } from './read-input.ts';
import { isSentForm } from './sent-form.ts';

/** Longest name of a request, in characters. */
export const MAX_KEY_LENGTH = 255;
/** Of an answer that was given before. */
const REPLAYED = { 'Idempotent-Replayed': 'true' };

/**
 * The name that a caller gave to its request; `null` when it gave none.
 *
 * @param values - Every header `Idempotency-Key` as received.
 * @throws DomainError `invalid_request` when there are several, or one that is no name.
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

/** A request with a name. */
interface NamedRequest {
  readonly operation: Operation;
  readonly apiKey: string;
  readonly idempotencyKey: string;
  readonly raw: RawInput;
}

/**
 * Does what is asked and keeps the answer with it, or gives the answer that is kept.
 *
 * @param perform - What `operation.prepare` has made of the request.
 * @throws DomainError as `Once`, and as the operation.
 */
export async function answerOnce(
  call: Call,
  request: NamedRequest,
  parts: { readonly once: Once; readonly perform: (call: Call) => Promise<Outcome> },
): Promise<ApiAnswer> {
  const { deps, caller } = call;
  const { once, perform } = parts;
  const { answer, isReplay } = await once(deps, {
    claim: claimOf(deps, caller, request),
    perform: async (bound) => JSON.stringify(await perform({ ...call, deps: { ...deps, ...bound } })),
  });
  // Also the first time, so that both times are alike.
  const { status, headers = {}, body } = readJson(keptShape, JSON.parse(answer));
  return { status, headers: { ...headers, ...(isReplay ? REPLAYED : {}) }, body };
}

const keptShape = z.strictObject({
  status: z.int(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
});

function claimOf({ secrets }: Deps, caller: Caller, request: NamedRequest): Claim {
  const { operation, apiKey, idempotencyKey, raw } = request;
  const asked = [operation.method, operation.path, raw.params, inOrder(raw.query), saidBy(raw.body)];
  const fingerprint = secrets.fingerprint(apiKey, piecesOf(asked));
  return { keyId: caller.keyId, idempotencyKey, fingerprint, rights: rightsOf(caller) };
}

/** What a body says; that of a form has its fields where no value of JSON is. */
function saidBy(body: unknown): unknown {
  if (!isSentForm(body)) return body;
  const { fields, file } = body;
  return [inOrder(fields), file.name, file.bytes];
}

/** By name; those of one name as they came. */
function inOrder(params: QueryParams): readonly (readonly [string, string])[] {
  return [...params].sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
}

/**
 * A value that schemas have accepted, in pieces that say all of it. Members of an object come in one order, because
 * not every client keeps theirs when it sends the same again.
 */
function piecesOf(value: unknown): (string | Uint8Array)[] {
  if (value instanceof Uint8Array) return [`bytes ${value.length} `, value];
  if (Array.isArray(value)) return ['[', ...value.flatMap((entry) => [...piecesOf(entry), ',']), ']'];
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value) ?? 'nothing'];
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return ['{', ...members.flatMap(([name, member]) => [JSON.stringify(name), ':', ...piecesOf(member), ',']), '}'];
}
