import type { BodyCaps } from '@tarifario/api';
import { DomainError } from '@tarifario/core/service';
import { type Arriving, LARGE_BYTES, readBytes } from './arriving-body.ts';
import { release } from './collected-bytes.ts';

export const MAX_BODY: BodyCaps = { bytes: 1024 * 1024, values: 40_000 };

/**
 * The JSON value of a body. Read here and not by a library, so that refusals come before the bytes are read and no
 * error contains the text that was sent.
 *
 * @throws DomainError `unsupported_media_type`, `too_large`, `request_timeout`, or `invalid_request` for what is not
 *   JSON in UTF-8.
 */
export async function readJsonBody(sent: Arriving, accountId: number, caps = MAX_BODY): Promise<unknown> {
  const { 'content-type': contentType, 'content-encoding': encoding = 'identity' } = sent.request.headers;
  if (contentType !== undefined && !isUtf8Json(contentType)) throw unsupported();
  if (encoding.trim().toLowerCase() !== 'identity') throw unsupported();
  const bytes = await readBytes(sent, accountId, caps);
  if (bytes.length === 0) throw new DomainError('invalid_request', { message: 'a JSON body is required' });
  if (contentType === undefined) throw unsupported();
  return parseJson(bytes, caps);
}

/**
 * The body of a request that should have none; `undefined`: there is none.
 *
 * @throws DomainError `too_large`, `request_timeout`, or `invalid_request` for what is not JSON in UTF-8.
 */
export async function readUnexpectedBody(sent: Arriving, accountId: number, caps: BodyCaps): Promise<unknown> {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = sent.request.headers;
  if (encoding === undefined && length === '0') return undefined;
  const bytes = await readBytes(sent, accountId, caps);
  return bytes.length === 0 ? undefined : parseJson(bytes, caps);
}

function isUtf8Json(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return type === 'application/json' && /^(charset=("utf-8"|utf-8))?$/.test(charset ?? '');
}

// A byte order mark is not removed, so the parser refuses it: JSON does not begin with one.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parseJson(bytes: Buffer, { values }: BodyCaps): unknown {
  try {
    if (bytes.length > LARGE_BYTES && hasMoreValues(bytes, values)) {
      throw new DomainError('invalid_request', { message: 'the body has too many values' });
    }
    return JSON.parse(UTF8.decode(bytes));
  } catch (error) {
    // The parser's message quotes the body, so only the fact is passed on.
    if (error instanceof SyntaxError || error instanceof TypeError) {
      throw new DomainError('invalid_request', { message: 'the body is not well-formed JSON in UTF-8' });
    }
    throw error;
  } finally {
    release(bytes);
  }
}

const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT] = Buffer.from('"\\,[{');

/**
 * Whether JSON has more values than that: 100 000 names take the parser 50 ms, and counting them takes 2. Empty lists
 * and objects count too, so twice as many are accepted here; the exact count follows when the values are read.
 */
function hasMoreValues(bytes: Buffer, maxValues: number): boolean {
  let remaining = 2 * maxValues + 1;
  let isText = false;
  for (let at = 0; at < bytes.length && remaining >= 0; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isText = !isText;
    else if (isText && byte === BACKSLASH) at++;
    else if (!isText && (byte === COMMA || byte === LIST || byte === OBJECT)) remaining--;
  }
  return remaining < 0;
}

function unsupported(): DomainError {
  return new DomainError('unsupported_media_type', { message: 'the body must be application/json in UTF-8' });
}
