import { MAX_KEY_LENGTH } from '../idempotency.ts';
import type { Operation } from '../operation.ts';
import { hasPages } from '../page-links.ts';

const TAG = '"fdkbknicabcekibchggjhbpdgklbifjc"';

/** The headers that answers may have, as components of the document. */
export const HEADERS = {
  'X-Request-Id': {
    description:
      'The id of this request in the log: the one sent in `X-Request-Id`, if it is well-formed, or a new one.',
    required: true,
    schema: { type: 'string', pattern: '^[\\w.-]{1,128}$' },
    example: '0b7c1a52-3f0e-4d0b-9f6a-6d1c2f7a9e11',
  },
  'RateLimit-Policy': {
    description: 'The limits that counted this call: `q` calls in `w` seconds.',
    schema: { type: 'string' },
    example: '"account";q=150;w=60, "client";q=40;w=60',
  },
  RateLimit: {
    description: 'The limit that is nearest to its end: `r` calls are left, and in `t` seconds it starts anew.',
    schema: { type: 'string' },
    example: '"client";r=39;t=60',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 0 },
    example: 12,
  },
  'WWW-Authenticate': {
    description:
      'How a key may be sent, besides `X-API-Key`. Where tokens are taken, `resource_metadata` says where to read whose.',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer realm="tarifario"',
  },
  Location: {
    description: 'The path at which the new record, or what comes of a queued event, can be read.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example: '/v1/offers/1207',
  },
  Link: {
    description:
      'The pages `next`, `prev`, `first` and `last` of the same list (RFC 8288), as far as they are known; after a full page ' +
      'of `after_id` the next one may be empty.',
    schema: { type: 'string' },
    example: '</v1/offers?limit=50&offset=50>; rel="next"',
  },
  'Idempotent-Replayed': {
    description: 'This was answered before, to the first request with this `Idempotency-Key`; nothing was done now.',
    schema: { type: 'string', pattern: '^true$' },
    example: 'true',
  },
  ETag: {
    description:
      'The tag of what is answered here, for `If-None-Match`, and that of one record for `If-Match`. It changes with ' +
      'every change that this API key can see, and is good for this key only.',
    required: true,
    schema: { type: 'string', pattern: '^"[a-p]{32}"$' },
    example: TAG,
  },
  'Cache-Control': {
    description: 'The answer may be kept by who asked, and is good as long as `If-None-Match` is answered 304.',
    schema: { type: 'string' },
    example: 'private, no-cache',
  },
  Vary: {
    description: 'Who asks with another key gets another answer.',
    schema: { type: 'string' },
    example: 'X-API-Key, Authorization',
  },
  'X-Total-Count': {
    description: 'How many records there are, of which the file has the first.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: 2417,
  },
  'X-Unknown-Terms-Count': {
    description:
      'How many more there would be if they said the terms of the contract that are asked for; only then sent.',
    schema: { type: 'integer', minimum: 0 },
    example: 12,
  },
  'Content-Disposition': {
    description: 'The name of the file.',
    required: true,
    schema: { type: 'string' },
    example: 'attachment; filename="ofertas.csv"',
  },
} as const;

const TEXT = { type: 'string' } as const;
/** A header that a caller may send. */
const sentHeader = (name: string, description: string, example: string, schema = TEXT) =>
  ({ name, in: 'header', description, required: false, schema, example }) as const;

/** What many operations take alike, as components of the document. */
export const SENT_HEADERS = {
  Fields: {
    name: 'fields',
    in: 'query',
    description:
      'The fields to answer, separated by commas, with dots before inner ones, at most 100. The answer has these alone: no ' +
      'member of its schema, at any depth, is required then, and several of its shapes may fit. Its `ETag` is that of the whole.',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 2000 },
    example: 'total,results.id',
  } as const,
  IdempotencyKey: sentHeader(
    'Idempotency-Key',
    'A name for this request, of the choice of the caller and new for each thing to be done, e.g. a UUID. Sent again ' +
      'within 24 hours it does nothing, and is answered as the first time.',
    '7d0f7e0c-6a3b-4f5e-9b1d-2c8a1e4f6b70',
    { ...TEXT, ...{ minLength: 1, maxLength: MAX_KEY_LENGTH, pattern: '^[!-~]+$' } },
  ),
  IfMatch: sentHeader(
    'If-Match',
    'The `ETag` with which the record was read, or several: if the record has another one by now, nothing is done (412). ' +
      '`*`: any, if only there is one. Weak tags never match.',
    TAG,
  ),
  IfNoneMatch: sentHeader(
    'If-None-Match',
    'The `ETag` of the answer that the caller has, or several: if it is still the same, the answer is 304, without a body.',
    TAG,
  ),
};

type HeaderName = keyof typeof HEADERS;

/** The headers of an answer. Calls are counted once the key is known, so 401 has no headers about limits. */
export function headersOf(
  status: number,
  operation: Pick<
    Operation,
    'contentType' | 'replayable' | 'tagged' | 'revalidated' | 'method' | 'input'
  > | null = null,
) {
  const { contentType = 'application/json', replayable = false, tagged = false, revalidated = false } = operation ?? {};
  const sent: Readonly<Record<HeaderName, boolean>> = {
    'X-Request-Id': true,
    'WWW-Authenticate': status === 401,
    'RateLimit-Policy': status !== 401,
    RateLimit: status !== 401,
    'Retry-After': status === 429 || status === 503,
    Location: status === 201 || status === 202,
    Link: status === 200 && operation !== null && hasPages(operation),
    'Content-Disposition': status !== 304 && contentType !== 'application/json' && contentType !== 'text/html',
    'X-Total-Count': status !== 304 && contentType === 'text/csv',
    'X-Unknown-Terms-Count': status !== 304 && contentType === 'text/csv',
    'Idempotent-Replayed': replayable,
    ETag: tagged && status !== 204,
    'Cache-Control': revalidated,
    Vary: revalidated,
  };
  const names = Object.entries(sent).flatMap(([name, isSent]) => (isSent ? [name] : []));
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` } as const]));
}
