import { type Deps, DomainError, type Store } from '@tarifario/core/service';
import type { Call, EntityTags, ExpectedTags, Outcome } from './call.ts';
import { utf8 } from './wire/json-bytes.ts';

/** Characters of a tag: 128 bits. */
const TAG_LENGTH = 32;
const LETTERS_FOR_DIGITS = 'ghijklmnop';

/**
 * The ETags for a request. An ETag is a keyed hash of the answer under the API key: equal for equal answers to one key.
 * Without the key nobody can find out the answer, for example a commission, by trying values.
 *
 * @param request - `ifMatch`: every such header as received.
 * @returns `undefined` where answers have no tags.
 * @throws DomainError `invalid_request` for a malformed header.
 */
export function entityTagsFor(
  { secrets }: Pick<Deps, 'secrets'>,
  request: {
    readonly operation: { readonly tagged: boolean; readonly conditional: boolean };
    readonly apiKey: string;
    readonly ifMatch: readonly string[];
  },
): EntityTags | undefined {
  const { operation, apiKey, ifMatch } = request;
  if (!operation.tagged) return undefined;
  const tagOfBytes = (pieces: Iterable<string | Uint8Array>) => {
    const hex = secrets.fingerprint(apiKey, ['ETag ', ...pieces]);
    // Letters only, so that a search for the digits of an amount never matches an ETag.
    return `"${hex.slice(0, TAG_LENGTH).replace(/\d/g, (digit) => LETTERS_FOR_DIGITS[Number(digit)] ?? '')}"`;
  };
  const tagOf = (body: unknown) => tagOfBytes([JSON.stringify(taggedMembers(Object(body)))]);
  const tagOfShared = (pieces: readonly Uint8Array[]) => tagOfBytes(pieces.map((piece) => digestOf(secrets, piece)));
  return { expected: operation.conditional ? expectedTagsFrom(ifMatch) : null, tagOf, tagOfBytes, tagOfShared };
}

/** For pieces that are cached to be sent again. */
const DIGESTS = new WeakMap<Uint8Array, string>();

function digestOf({ fingerprint }: Deps['secrets'], piece: Uint8Array): string {
  const known = DIGESTS.get(piece);
  if (known !== undefined) return known;
  const digest = fingerprint('', [piece]);
  DIGESTS.set(piece, digest);
  return digest;
}

/**
 * Whether a header `If-None-Match` has a tag, compared weakly (RFC 9110, 13.1.2): a proxy may have made ours a weak one.
 *
 * @param values - Every such header as received.
 */
export function isKnownTag(values: readonly string[], tag: string): boolean {
  const tags = values.join(',').split(',');
  return tags.some((entry) => entry.trim().replace(/^W\//, '') === tag || entry.trim() === '*');
}

const ONE_TAG = /(W\/)?"[\x21\x23-\x7e\x80-\xff]*"/;
const TAGS = new RegExp(`^${ONE_TAG.source}(?:[ \\t]*(?:,[ \\t]*)+${ONE_TAG.source})*$`);

/**
 * The tags of `If-Match` (RFC 9110, 13.1.1). Weak tags are left out: they never match.
 *
 * @param values - Every header `If-Match` as received.
 * @throws DomainError `invalid_request` for what is neither `*` nor a list of tags.
 */
function expectedTagsFrom(values: readonly string[]): ExpectedTags | null {
  if (values.length === 0) return null;
  const text = values.join(',').trim();
  if (text === '*') return '*';
  if (!TAGS.test(text)) throw malformed();
  return [...text.matchAll(new RegExp(ONE_TAG, 'g'))].flatMap(([tag, weak]) => (weak === undefined ? [tag] : []));
}

function malformed(): DomainError {
  const message = 'must be * or a list of entity tags in quotation marks';
  return new DomainError('invalid_request', { issues: [{ path: 'If-Match', message }] });
}

/**
 * The members of an answer that determine its ETag: all except the months of an offer, which only its detail has. A
 * changed month changes `updated_at` of its offer, and so its ETag.
 */
function taggedMembers(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !name.startsWith('indexed_prices')));
}

/** A function that performs an operation, and one that reads the record it writes, as the caller would get it. */
interface TaggedOperation {
  readonly perform: (call: Call) => Promise<Outcome>;
  readonly current: ((call: Call) => Promise<unknown>) | null;
}

/**
 * Performs an operation and adds an ETag to its answer. With `If-Match` the record is read and compared in the
 * transaction that writes it, so of two concurrent writes that expect the same state, only one succeeds.
 *
 * @throws DomainError `precondition_failed`, and what the operation throws.
 * @see docs/assumptions.md, A-66
 */
export async function performTagged(call: Call, { perform, current }: TaggedOperation): Promise<Outcome> {
  const { entityTags } = call;
  if (!entityTags) return perform(call);
  const { expected, tagOf } = entityTags;
  const outcome = await perform(
    expected === null || current === null ? call : guarded(call, { expected, tagOf, current }),
  );
  return withTag(outcome, entityTags);
}

function withTag(outcome: Outcome, { tagOf, tagOfBytes, tagOfShared }: EntityTags): Outcome {
  const { body, json, pieces: shared, bytes, text } = outcome;
  const tagged = (tag: string) => ({ ...outcome, headers: { ...outcome.headers, ETag: tag } });
  if (body !== undefined) return tagged(tagOf(body));
  if (shared !== undefined) return tagged(tagOfShared(shared));
  const whole = json ?? bytes;
  if (whole !== undefined) return tagged(tagOfBytes([whole]));
  return text === undefined ? outcome : tagged(tagOfBytes(text));
}

/**
 * Makes the whole text of an answer whose tag is sent before it; others are served in between. In bytes, which are outside
 * of the heap and freed once they are sent.
 */
export async function withWholeText(call: Call, outcome: Outcome): Promise<Outcome> {
  if (outcome.text === undefined || !call.entityTags) return outcome;
  const pieces: Uint8Array[] = [];
  for (const piece of outcome.text) {
    pieces.push(typeof piece === 'string' ? utf8(piece) : piece);
    await call.deps.yieldToEventLoop?.(call.caller.accountId);
  }
  return { ...outcome, text: pieces };
}

/** The same call, but its writes fail unless the record is as expected. */
function guarded(
  call: Call,
  guard: { readonly expected: ExpectedTags } & Pick<EntityTags, 'tagOf'> & {
      readonly current: NonNullable<TaggedOperation['current']>;
    },
): Call {
  const { deps } = call;
  const { expected, tagOf, current } = guard;
  const write: Store['write'] = (context, work) =>
    deps.store.write(context, async (writer) => {
      const inside: Store = { ...deps.store, read: (read) => read(writer) };
      // The cache must not be used: it has the state before this transaction, and must not store one that is not
      // committed.
      const offerCache = { ...deps.offerCache, isWorthKeeping: () => false };
      const body = await unlessMissing(current({ ...call, deps: { ...deps, store: inside, offerCache } }));
      if (body !== null && expected !== '*' && !expected.includes(tagOf(body))) throw changed();
      // A missing record is reported by the work itself, unless the work would create it.
      const result = await work(writer);
      if (body === null) throw changed();
      return result;
    });
  return { ...call, deps: { ...deps, store: { ...deps.store, write } } };
}

function changed(): DomainError {
  return new DomainError('precondition_failed');
}

async function unlessMissing<T>(record: Promise<T>): Promise<T | null> {
  try {
    return await record;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return null;
    throw error;
  }
}
