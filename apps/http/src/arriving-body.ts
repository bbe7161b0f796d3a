import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError, type Message, say } from '@tarifario/core/service';
import { createYieldQueue } from '@tarifario/runtime';
import { collectBytes, release } from './collected-bytes.ts';
import type { RequestContext } from './request-context.ts';

/** A request, whose body may still be arriving, and its response. */
export type Arriving = Pick<RequestContext, 'request' | 'response'>;

/**
 * How many bytes of a body must arrive in each window. That is slower than any line that can send 10 MB within the time
 * limit of a request.
 */
const MIN_BYTES = 10_000;
const WINDOW_MS = 10_000;

/** Larger bodies are parsed one per turn of the event loop, because a parsed body takes many times its size. */
export const LARGE_BYTES = 64 * 1024;
const largeBodies = createYieldQueue();

/**
 * The bytes of unread bodies of all accounts together: bodies that are arriving, by their announced length, and bodies
 * that wait to be parsed.
 */
export const MAX_HELD_BYTES = 24 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 10;

interface HeldBody {
  readonly accountId: number;
  bytes: number;
  readonly abandon: (error: DomainError) => void;
}

/** The oldest first. */
const heldBodies = new Set<HeldBody>();
let heldBytes = 0;

/** Counts the bytes of a body, and makes room when the memory for bodies is full. */
function hold(body: HeldBody, bytes: number): void {
  if (bytes <= body.bytes || !heldBodies.has(body)) return;
  heldBytes += bytes - body.bytes;
  body.bytes = bytes;
  while (heldBytes > MAX_HELD_BYTES && heldBodies.has(body)) makeRoom(body);
}

/**
 * Drops the body that grows, unless another account holds more: then its oldest. So no account takes the place of
 * others that hold no more than itself, however often it sends.
 */
function makeRoom(growing: HeldBody): void {
  const byAccount = Map.groupBy(heldBodies, ({ accountId }) => accountId);
  const sizeOf = (bodies: readonly HeldBody[] = []) => bodies.reduce((sum, { bytes }) => sum + bytes, 0);
  const [largest] = [...byAccount.values()].sort((a, b) => sizeOf(b) - sizeOf(a));
  const message = 'too many large bodies arrive at once: send fewer';
  const details = { message, retryAfterSeconds: RETRY_AFTER_SECONDS, isQueueFull: true } as const;
  const isLess = sizeOf(byAccount.get(growing.accountId)) < sizeOf(largest);
  (isLess ? largest?.[0] : growing)?.abandon(new DomainError('unavailable', details));
}

/** Responses whose clients wait for `100 Continue`, and whether their connection would be kept alive. */
const waiting = new WeakMap<ServerResponse, boolean>();

/**
 * Notes that a client waits for `100 Continue` before it sends its body. Until then an answer closes the connection,
 * because it is unclear whether the following bytes are the body.
 */
export function awaitContinue({ request, response }: Arriving): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && Number(length) === 0) return;
  waiting.set(response, response.shouldKeepAlive);
  response.shouldKeepAlive = false;
}

function sendContinue(response: ServerResponse): void {
  const wouldBeKept = waiting.get(response);
  if (wouldBeKept === undefined) return;
  waiting.delete(response);
  response.shouldKeepAlive = wouldBeKept;
  response.writeContinue();
}

/**
 * Reads a body. It uses events, because an iterator would take as long as parsing the body. The rest of a body that is
 * refused is discarded, so that the client can read the answer and send further requests on the same connection. It is
 * closed after a body that arrives too slowly, or for which there is no room.
 *
 * @throws DomainError `too_large` before the bytes are read where their number is announced, `request_timeout`,
 *   `unavailable` with `isQueueFull`, or `invalid_request` when the client disconnects.
 */
export function readBytes(
  { request, response }: Arriving,
  accountId: number,
  {
    bytes: maxBytes,
    tooLarge = say('the body is larger than {bytes} bytes', { bytes: maxBytes }),
  }: { readonly bytes: number; readonly tooLarge?: Message },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const announcedBytes = Number(request.headers['content-length'] ?? 0);
    if (announcedBytes > maxBytes) throw new DomainError('too_large', { message: tooLarge });
    if (request.destroyed) throw endedEarly();
    sendContinue(response);
    const collected = collectBytes();
    const stop = () => {
      clearInterval(timer);
      request.off('data', take).off('end', end);
      if (heldBodies.delete(body)) heldBytes -= body.bytes;
    };
    const refuse = (error: DomainError) => {
      stop();
      request.on('data', release);
      collected.clear();
      reject(error);
    };
    const abandon = (error: DomainError) => {
      response.shouldKeepAlive = false;
      refuse(error);
    };
    const take = (chunk: Buffer) => {
      if (collected.length() + chunk.length > maxBytes) {
        refuse(new DomainError('too_large', { message: tooLarge }));
        return;
      }
      collected.add(chunk);
      hold(body, collected.length());
    };
    const end = async () => {
      if (collected.length() > LARGE_BYTES) await largeBodies(accountId);
      stop();
      resolve(collected.all());
    };
    // Only the connection can fail here: the client disconnected, or took too long. `close` also follows a complete
    // body.
    const fail = () => {
      if (!request.readableEnded) refuse(endedEarly());
    };
    const body: HeldBody = { accountId, bytes: 0, abandon };
    heldBodies.add(body);
    const timer = watchRate(request, () => heldBodies.has(body) && abandon(tooSlow()));
    request.on('data', take).on('end', end).on('error', fail).on('close', fail);
    hold(body, announcedBytes);
  });
}

/** Calls `whenSlow` after each window in which too few bytes of an incomplete request arrived. */
function watchRate(request: IncomingMessage, whenSlow: () => void): NodeJS.Timeout {
  const { socket } = request;
  let seenBytes = socket.bytesRead;
  const look = () => {
    const isSlow = socket.bytesRead - seenBytes < MIN_BYTES;
    seenBytes = socket.bytesRead;
    if (isSlow && !request.complete) whenSlow();
  };
  // `setImmediate`: bytes that arrived while this process was blocked are read before they are counted.
  return setInterval(() => setImmediate(look), WINDOW_MS);
}

function tooSlow(): DomainError {
  return new DomainError('request_timeout', { message: 'the body comes too slowly' });
}

function endedEarly(): DomainError {
  return new DomainError('invalid_request', { message: 'the body ended early' });
}
