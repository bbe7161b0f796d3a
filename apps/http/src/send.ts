import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import type { ApiAnswer } from '@tarifario/api';
import { release } from './collected-bytes.ts';
import type { RequestContext } from './request-context.ts';

/** The response, and the id that it gets. */
type Answered = Pick<RequestContext, 'requestId' | 'response'>;

/** Sends an answer. Resolves when a streamed answer has been sent, and at once for other answers. */
export function send(context: Answered, answer: ApiAnswer): Promise<void> | undefined {
  const { response } = context;
  const { text, bytes, json, body } = answer;
  if (text !== undefined) {
    if (Array.isArray(text)) response.once('finish', () => text.forEach(release));
    return sendPieces(withHead(context, answer), text);
  }
  if (bytes !== undefined) {
    return sendPieces(withHead(context, answer).setHeader('Content-Length', bytes.length), piecesOf(bytes));
  }
  if (json === undefined && body === undefined) withHead(context, answer).end();
  else {
    const made = json ?? Buffer.from(JSON.stringify(body));
    // Not where the client left before: the system may still read the bytes then.
    response.once('finish', () => release(made));
    const head = headOf(context, answer);
    head.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(made.length));
    response.writeHead(answer.status, head).end(made);
  }
  return undefined;
}

/** Names and values alternately, which Node writes fastest. */
function headOf({ requestId }: Answered, { headers }: ApiAnswer): string[] {
  const head = ['X-Request-Id', requestId, 'X-Content-Type-Options', 'nosniff'];
  if (headers['Cache-Control'] === undefined) head.push('Cache-Control', 'no-store');
  for (const name in headers) head.push(name, headers[name] ?? '');
  return head;
}

/** The head is sent with the first bytes, so that another answer can replace this one before that. */
function withHead(context: Answered, answer: ApiAnswer): ServerResponse {
  const { response } = context;
  const head = headOf(context, answer);
  response.statusCode = answer.status;
  for (let i = 0; i < head.length; i += 2) response.setHeader(head[i] ?? '', head[i + 1] ?? '');
  return response;
}

/**
 * The system accepts this many bytes in some 50 microseconds, also for a caller who reads nothing: it buffers megabytes
 * for each.
 */
const PIECE_BYTES = 64 * 1024;

export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

/**
 * Streams a body in pieces as fast as the client reads it: the next piece is generated when there is room, and other
 * requests are served between two pieces. A client that disconnects early is not an error.
 */
async function sendPieces(response: ServerResponse, pieces: Iterable<string | Uint8Array>): Promise<void> {
  try {
    await pipeline(withPauses(pieces), response);
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (!isGone) throw error;
  }
}

/** Pieces between which other requests are served. */
export async function* withPauses<Piece>(pieces: Iterable<Piece>): AsyncGenerator<Piece> {
  for (const piece of pieces) {
    yield piece;
    await setImmediate();
  }
}
