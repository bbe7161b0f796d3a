import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '@tarifario/core/service';

/** A request, whose body may still be arriving, and its response. */
export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The minimum speed of a body: how many bytes must arrive in each window. */
export interface Pace {
  readonly bytes: number;
  readonly windowMs: number;
}

/** Slower than any line that can send 10 MB within the time limit of a request. */
export const LEAST_PACE: Pace = { bytes: 10_000, windowMs: 10_000 };

/** Responses whose clients wait for `100 Continue`, and whether their connection would be kept alive. */
const waiting = new WeakMap<ServerResponse, boolean>();

/**
 * Notes that a client waits for `100 Continue` before it sends its body. Until then an answer closes the connection,
 * because it is unclear whether the following bytes are the body.
 */
export function awaitContinue({ request, response }: HttpExchange): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && Number(length) === 0) return;
  waiting.set(response, response.shouldKeepAlive);
  response.shouldKeepAlive = false;
}

/**
 * Starts receiving a body: sends `100 Continue` if the client waits for it, and gives up a body that arrives too
 * slowly, closing the connection.
 *
 * @param giveUp - Called once with DomainError `request_timeout`.
 * @returns A function to call when the body is complete, or is given up for another reason.
 */
export function beginBody(
  { request, response }: HttpExchange,
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
  // `setImmediate`: bytes that arrived while this process was blocked are read before they are counted.
  const timer = setInterval(() => setImmediate(() => isUnderWay && look()), pace.windowMs);
  let isUnderWay = true;
  const end = () => {
    isUnderWay = false;
    clearInterval(timer);
  };
  return end;
}
