import { MAX_KEY_LENGTH } from '../idempotency.ts';
import type { Operation } from '../operation.ts';

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
  'Idempotent-Replayed': {
    description: 'This was answered before, to the first request with this `Idempotency-Key`; nothing was done now.',
    schema: { type: 'string', pattern: '^true$' },
    example: 'true',
  },
  'X-Total-Count': {
    description: 'How many records there are, of which the file has the first.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: 2417,
  },
  'Content-Disposition': {
    description: 'The name of the file.',
    required: true,
    schema: { type: 'string' },
    example: 'attachment; filename="ofertas.csv"',
  },
} as const;

const JSON_TYPE = 'application/json';
const NOTHING_MORE = { contentType: JSON_TYPE, replayable: false } as const;

type HeaderName = keyof typeof HEADERS;

function refTo(name: HeaderName): { readonly $ref: `#/components/headers/${HeaderName}` } {
  return { $ref: `#/components/headers/${name}` };
}

/** The header with which a caller names a request. */
export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A name for this request, of the choice of the caller and new for each thing to be done, e.g. a UUID. Sent again ' +
    'within 24 hours it does nothing, and is answered as the first time.',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH, pattern: '^[!-~]+$' },
  example: '7d0f7e0c-6a3b-4f5e-9b1d-2c8a1e4f6b70',
} as const;

/** The headers of an answer. Calls are counted once the key is known, so 401 says nothing of limits. */
export function headersOf(
  status: number,
  { contentType, replayable }: Pick<Operation, 'contentType' | 'replayable'> = NOTHING_MORE,
) {
  const counted =
    status === 401 ? {} : { 'RateLimit-Policy': refTo('RateLimit-Policy'), RateLimit: refTo('RateLimit') };
  const toWait = status === 429 || status === 503 ? { 'Retry-After': refTo('Retry-After') } : {};
  const ofFile = contentType === JSON_TYPE ? {} : { 'Content-Disposition': refTo('Content-Disposition') };
  const ofExport = contentType === 'text/csv' ? { 'X-Total-Count': refTo('X-Total-Count') } : {};
  const again = replayable ? { 'Idempotent-Replayed': refTo('Idempotent-Replayed') } : {};
  return { 'X-Request-Id': refTo('X-Request-Id'), ...counted, ...toWait, ...ofFile, ...ofExport, ...again };
}
