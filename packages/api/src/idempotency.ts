import {
  answerInForce,
  answersInForceSince,
  assert,
  type Caller,
  type Deps,
  DomainError,
  type IdempotencyRequest,
  type Message,
  rightsOf,
  say,
  type Writer,
} from '@tarifario/core/service';
import { z } from 'zod';
import type { Call, Outcome, Prepared } from './call.ts';
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
    throw malformed(say('must be {min} to {max} visible ASCII characters', { min: 1, max: MAX_KEY_LENGTH }));
  }
  return value;
}

function malformed(message: Message): DomainError {
  return new DomainError('invalid_request', { issues: [{ path: 'Idempotency-Key', message }] });
}

/** Plain data that names a request and its content. */
export function idempotencyRequestOf(
  { secrets }: Pick<Deps, 'secrets'>,
  caller: Caller,
  request: {
    readonly operation: { readonly method: string; readonly path: string };
    readonly apiKey: string;
    readonly idempotencyKey: string;
    readonly raw: RawInput;
  },
): IdempotencyRequest {
  const { operation, apiKey, idempotencyKey, raw } = request;
  const content = [operation.method, operation.path, raw.params, inOrder(raw.query), contentOf(raw.body)];
  const fingerprint = secrets.fingerprint(apiKey, piecesOf(content));
  return { keyId: caller.keyId, idempotencyKey, fingerprint, rights: rightsOf(caller) };
}

/**
 * Performs a request, or returns the answer of its first execution, which was stored with its effect. A refusal is not
 * stored: nothing has changed, so the next attempt runs again.
 *
 * @throws DomainError `idempotency_in_flight` while this process is performing the same request,
 *   `idempotency_mismatch`, `idempotency_rights_changed`, and what the operation throws.
 * @see docs/assumptions.md, A-53
 */
export type AnswerOnce = (call: Call, request: IdempotencyRequest, operation: Prepared) => Promise<Outcome>;

/** One per process: it knows which requests are in progress. */
export function createAnswerOnce(): AnswerOnce {
  const underWay = new Set<string>();
  return async (call, request, operation) => {
    const name = `${request.keyId} ${request.idempotencyKey}`;
    if (underWay.has(name)) throw new DomainError('idempotency_in_flight');
    underWay.add(name);
    try {
      return (await replayed(call, request, operation)) ?? (await performed(call, request, operation));
    } finally {
      underWay.delete(name);
    }
  };
}

const performed: AnswerOnce = async (call, request, operation) => {
  try {
    return await operation.perform({ ...call, idempotencyRequest: request });
  } catch (error) {
    // Another process may have performed the same request, and its effect made this one fail (the name is taken, the
    // password has changed). Or the commit succeeded and only its confirmation was lost.
    const answer = await replayed(call, request, operation);
    if (answer === null) throw error;
    return answer;
  }
};

/** The stored answer; `null`: there is none. It is looked up in a read of its own, which waits for no writer. */
async function replayed(
  { deps: { store, clock } }: Call,
  request: IdempotencyRequest,
  { replay }: Prepared,
): Promise<Outcome | null> {
  const stored = await store.read((reader) => reader.answers.get(request.keyId, request.idempotencyKey));
  const answer = answerInForce(request, stored, { now: clock.now() });
  if (answer === null) return null;
  const { status, headers = {}, body } = replay(answer);
  return { status, headers: { ...headers, ...REPLAYED }, body };
}

/**
 * Maximum length of a stored answer, in characters. The longest real one, a firm with its logo, has about 90 000.
 */
const MAX_ANSWER_LENGTH = 262_144;

/** Stores an answer in the unit of work of its effect. @param given - `text`: the body as JSON, if there is one. */
export async function storeOutcome(
  writer: Writer,
  request: IdempotencyRequest,
  given: { readonly outcome: Outcome; readonly text: string | undefined; readonly at: string },
): Promise<void> {
  const { outcome, text, at } = given;
  const { status, headers = {} } = outcome;
  const head = JSON.stringify({ status, headers });
  const answer = text === undefined ? head : `${head.slice(0, -1)},"body":${text}}`;
  assert(answer.length <= MAX_ANSWER_LENGTH, 'a stored answer is not that long');
  await writer.answers.store({ ...request, answer }, { replacesOlderThan: answersInForceSince(at) });
}

const storedAnswerShape = z.strictObject({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.unknown().optional(),
});

/** What `storeOutcome` stored. */
export function storedOutcome(answer: string): Outcome {
  const { status, headers, body } = readJson(storedAnswerShape, JSON.parse(answer));
  return { status, headers, body };
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
