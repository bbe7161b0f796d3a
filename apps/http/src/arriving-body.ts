import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '@tarifario/core/service';
import { keyOf } from './request-head.ts';

/** A request, whose body may still be arriving, and its response. */
export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The minimum speed of a body: how many bytes must arrive in each window. */
export interface MinimumRate {
  readonly bytes: number;
  readonly windowMs: number;
}

/** Slower than any line that can send 10 MB within the time limit of a request. */
export const MINIMUM_RATE: MinimumRate = { bytes: 10_000, windowMs: 10_000 };

/**
 * The bytes of unread bodies of all callers together: bodies that are arriving, by their announced length, and bodies
 * that wait to be parsed.
 */
export const MAX_HELD_BYTES = 24 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 10;

interface HeldBody {
  readonly key: string;
  bytes: number;
  readonly giveUp: (error: DomainError) => void;
}

/** The oldest first. */
const heldBodies = new Set<HeldBody>();
let heldBytes = 0;

/**
 * Drops one body when the memory for bodies is full. It is a body of the key with most bytes, so that one key cannot
 * use the memory of others: the body that grows, if it is of that key, otherwise the oldest.
 */
function makeRoom(growing: HeldBody): void {
  const byKey = Map.groupBy(heldBodies, ({ key }) => key);
  const sizeOf = (bodies: readonly HeldBody[]) => bodies.reduce((sum, { bytes }) => sum + bytes, 0);
  const [largest = []] = [...byKey.values()].sort((a, b) => sizeOf(b) - sizeOf(a));
  const message = 'too many large bodies arrive at once: send fewer';
  const refusal = new DomainError('unavailable', { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
  (largest.includes(growing) ? growing : largest[0])?.giveUp(refusal);
}

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
 * Starts receiving a body: sends `100 Continue` if the client waits for it, and abandons a body that arrives too
 * slowly, or for which there is no room, by closing the connection.
 *
 * @param giveUp - Called once with DomainError `request_timeout` or `unavailable`.
 * @returns A function to call when the body is read, or is abandoned for another reason.
 */
export function beginBody(
  { request, response }: HttpExchange,
  rate: MinimumRate,
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
  const stop = (error: DomainError) => {
    end();
    response.shouldKeepAlive = false;
    giveUp(error);
  };
  const look = () => {
    const tooFew = socket.bytesRead - seenBytes < rate.bytes;
    seenBytes = socket.bytesRead;
    if (!tooFew || request.complete) return;
    stop(new DomainError('request_timeout', { message: 'the body comes too slowly' }));
  };
  const body: HeldBody = { key: keyOf(request) ?? '', bytes: 0, giveUp: stop };
  const grow = (bytes: number) => {
    if (bytes <= body.bytes || !heldBodies.has(body)) return;
    heldBytes += bytes - body.bytes;
    body.bytes = bytes;
    if (heldBytes > MAX_HELD_BYTES) makeRoom(body);
  };
  let receivedBytes = 0;
  const count = ({ length }: Buffer) => {
    receivedBytes += length;
    grow(receivedBytes);
  };
  heldBodies.add(body);
  request.on('data', count);
  // Called later, because the caller cannot handle it yet.
  queueMicrotask(() => grow(Number(request.headers['content-length'] ?? 0)));
  // `setImmediate`: bytes that arrived while this process was blocked are read before they are counted.
  const timer = setInterval(() => setImmediate(() => heldBodies.has(body) && look()), rate.windowMs);
  const end = () => {
    clearInterval(timer);
    request.off('data', count);
    if (heldBodies.delete(body)) heldBytes -= body.bytes;
  };
  return end;
}
