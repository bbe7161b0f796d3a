import { type Deps, DomainError } from '@tarifario/core/service';
import type { EntityTags, ExpectedTags } from './call.ts';

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
  const tagOf = (pieces: Iterable<string | Uint8Array>) => {
    const hex = secrets.fingerprint(apiKey, ['ETag ', ...pieces]);
    // Letters only, so that a search for the digits of an amount never matches an ETag.
    return `"${hex.slice(0, TAG_LENGTH).replace(/\d/g, (digit) => LETTERS_FOR_DIGITS[Number(digit)] ?? '')}"`;
  };
  return { expected: operation.conditional ? expectedTagsFrom(ifMatch) : null, tagOf };
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
 * The part of an answer that determines its ETag: all except the months of an offer, which come last and only in its
 * detail. A changed month changes `updated_at` of its offer, and so its ETag.
 */
export function taggedText(body: unknown, text: string): string {
  const hasMonths = typeof body === 'object' && body !== null && 'indexed_prices' in body;
  return hasMonths ? `${text.slice(0, text.indexOf(',"indexed_prices":'))}}` : text;
}
