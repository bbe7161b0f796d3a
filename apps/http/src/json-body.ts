import { DomainError } from '@tarifario/core/service';
import { createYieldQueue } from '@tarifario/runtime';
import { beginBody, type HttpExchange, MINIMUM_RATE } from './arriving-body.ts';
import { collectBytes, release } from './collected-bytes.ts';
import { keyOf } from './request-head.ts';

/** Larger bodies are parsed one per turn of the event loop. */
const LARGE_BYTES = 64 * 1024;
const largeBodies = createYieldQueue();

/** The limits on a body. */
export interface JsonCaps {
  readonly bytes: number;
  /** Entries of lists and members of objects, at any depth. */
  readonly values: number;
}

export const MAX_BODY: JsonCaps = { bytes: 1024 * 1024, values: 40_000 };

/**
 * The JSON value of a body. Read here and not by a library, so that refusals come before the bytes are read and no
 * error contains the text that was sent.
 *
 * @throws DomainError `unsupported_media_type`, `too_large`, `request_timeout`, or `invalid_request` for what is not
 *   JSON in UTF-8.
 */
export async function readJsonBody(exchange: HttpExchange, caps = MAX_BODY): Promise<unknown> {
  const { 'content-type': contentType, 'content-encoding': encoding = 'identity' } = exchange.request.headers;
  if (contentType !== undefined && !isUtf8Json(contentType)) throw unsupported();
  if (encoding.trim().toLowerCase() !== 'identity') throw unsupported();
  const bytes = await readBytes(exchange, caps.bytes);
  if (bytes.length === 0) throw new DomainError('invalid_request', { message: 'a JSON body is required' });
  if (contentType === undefined) throw unsupported();
  return parseJson(bytes, caps);
}

/**
 * The body of a request that should have none; `undefined`: there is none.
 *
 * @throws DomainError `too_large`, `request_timeout`, or `invalid_request` for what is not JSON in UTF-8.
 */
export async function readUnexpectedBody(exchange: HttpExchange, caps: JsonCaps): Promise<unknown> {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = exchange.request.headers;
  if (encoding === undefined && length === '0') return undefined;
  const bytes = await readBytes(exchange, caps.bytes);
  return bytes.length === 0 ? undefined : parseJson(bytes, caps);
}

function isUtf8Json(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return type === 'application/json' && /^(charset=("utf-8"|utf-8))?$/.test(charset ?? '');
}

/** Uses events, because an iterator would take as long as parsing the body. */
export function readBytes(exchange: HttpExchange, maxBytes: number): Promise<Buffer> {
  const { request } = exchange;
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    if (request.destroyed) throw endedEarly();
    const collected = collectBytes();
    const take = (chunk: Buffer) => {
      if (collected.length() + chunk.length <= maxBytes) {
        collected.add(chunk);
        return;
      }
      // Discards the rest, so that the client can read the answer and send further requests on the same connection.
      passOver(tooLarge(maxBytes));
    };
    const passOver = (refusal: DomainError) => {
      endRateCheck();
      request.off('data', take).off('end', end).on('data', release);
      collected.clear();
      reject(refusal);
    };
    const endRateCheck = beginBody(exchange, MINIMUM_RATE, passOver);
    const end = async () => {
      // A parsed body takes many times its size, so large bodies are parsed one after the other.
      if (collected.length() > LARGE_BYTES) await largeBodies(keyOf(request) ?? '');
      endRateCheck();
      resolve(collected.all());
    };
    // Only the connection can fail here: the client disconnected, or took too long. `close` also follows a complete
    // body.
    const fail = () => {
      if (request.readableEnded) return;
      endRateCheck();
      collected.clear();
      reject(endedEarly());
    };
    request.on('data', take).on('end', end).on('error', fail).on('close', fail);
  });
}

// A byte order mark is not removed, so the parser refuses it: JSON does not begin with one.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parseJson(bytes: Buffer, { values }: JsonCaps): unknown {
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

/** The refusal of a body whose client is gone. */
export function endedEarly(): DomainError {
  return new DomainError('invalid_request', { message: 'the body ended early' });
}

function tooLarge(maxBytes: number): DomainError {
  return new DomainError('too_large', { message: `the body is larger than ${maxBytes} bytes` });
}

function unsupported(): DomainError {
  return new DomainError('unsupported_media_type', { message: 'the body must be application/json in UTF-8' });
}
