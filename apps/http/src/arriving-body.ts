import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '@tarifario/core/service';

/** A request whose body may be still to come, and its answer. */
export interface Arriving {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What of a body has to come at least in a while, until all of it is there. */
export interface Pace {
  readonly bytes: number;
  readonly windowMs: number;
}

/** Slower than any line on which a file of 10 MB arrives within the time that a request may take. */
export const LEAST_PACE: Pace = { bytes: 10_000, windowMs: 10_000 };

/** Those that wait for `100 Continue`, and whether their connection would be kept. */
const waiting = new WeakMap<ServerResponse, boolean>();

/**
 * Takes note that a caller sends its body only when it is told to. Until then an answer closes the connection, because
 * nobody can say whether what follows on it is the body.
 */
export function awaitContinue({ request, response }: Arriving): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && Number(length) === 0) return;
  waiting.set(response, response.shouldKeepAlive);
  response.shouldKeepAlive = false;
}

/**
 * Begins to take a body: one that waits for it is told to come, and one that comes too slowly is given up, with the
 * connection.
 *
 * @param giveUp - Called once with DomainError `request_timeout`.
 * @returns What to call when the body is there, or is given up for another reason.
 */
export function beginBody(
  { request, response }: Arriving,
  pace: Pace,
  giveUp: (error: DomainError) => void,
): () => void {
  const wouldBeKept = waiting.get(response);
  if (wouldBeKept !== undefined) {
    waiting.delete(response);
    response.shouldKeepAlive = wouldBeKept;
    response.writeContinue();
  }
  const { socket } = request;
  let seenBytes = socket.bytesRead;
  const look = () => {
    const tooFew = socket.bytesRead - seenBytes < pace.bytes;
    seenBytes = socket.bytesRead;
    if (!tooFew || request.complete) return;
    end();
    response.shouldKeepAlive = false;
    giveUp(new DomainError('request_timeout', { message: 'the body comes too slowly' }));
  };
  // What came while this process stood still is read before it is counted.
  const timer = setInterval(() => setImmediate(() => isUnderWay && look()), pace.windowMs);
  let isUnderWay = true;
  const end = () => {
    isUnderWay = false;
    clearInterval(timer);
  };
  return end;
}
