import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '@tarifario/core/service';
import { release } from './collected-bytes.ts';

/** Answers a request. @returns What is to be done once it is over, also when its caller disconnected. */
export type AnswerRequest = (request: IncomingMessage, response: ServerResponse) => () => void;

/** How many pipelined requests may wait on a connection. No real client needs more, so more is treated as an attack. */
const MAX_WAITING = 32;

export interface ConnectionLimits {
  /** For all clients together. */
  readonly maxConnections: number;
  /**
   * From one address, or one /64 of IPv6. Beyond it an idle connection of the same address is closed. Not used behind a
   * proxy.
   */
  readonly maxOfAddress: number;
  /** How long an idle connection is protected from being closed, because a request on it may not have been read yet. */
  readonly freshMs: number;
  /** How long a connection may be silent while its request is processed. */
  readonly idleMs: number;
  /** How long a client may stop reading its answer, which is held in memory until then. */
  readonly unreadMs: number;
}

interface ConnectionState {
  /** The client that it belongs to. */
  readonly owner: string;
  /** Since when the connection is idle, in milliseconds of `performance.now()`; `null`: a request is being answered. */
  idleSinceMs: number | null;
  /** Functions that start answering the waiting requests. */
  readonly waiting: (() => void)[];
}

/**
 * Limits the connections of a server, so that a client that opens many, or sends many requests without reading the
 * answers, cannot exhaust memory or connections.
 *
 * The requests of a connection are answered one after the other: the next starts when the previous answer has been
 * sent. If there are too many connections, the one that has been idle longest is closed for the new one.
 *
 * @param onDrop - Called for each connection that is closed because of a limit.
 * @returns `answer`, with the requests of each connection queued. `drain`: from now on every answer closes its connection,
 *   so that clients open their next one elsewhere.
 */
export function boundConnections(
  server: Server,
  parts: {
    readonly limits: ConnectionLimits;
    readonly isProxied: boolean;
    readonly onDrop: () => void;
    readonly answer: AnswerRequest;
  },
): { readonly answer: RequestListener; drain(): void } {
  const { limits, isProxied, onDrop, answer } = parts;
  const unanswered = new Set<ServerResponse>();
  let isDraining = false;
  const states = new WeakMap<Socket, ConnectionState>();
  /** Connections by client, the oldest first. */
  const owners = new Map<string, Set<Socket>>();
  const drop = (socket: Socket) => {
    socket.destroy();
    onDrop();
  };

  server.on('connection', (socket: Socket) => {
    const now = performance.now();
    const owner = isProxied ? 'proxy' : networkOf(socket.remoteAddress ?? 'unknown');
    states.set(socket, { owner, idleSinceMs: now, waiting: [] });
    const own = owners.get(owner) ?? new Set();
    const count = [...owners.values()].reduce((total, { size }) => total + size, 0);
    const isFull = count >= limits.maxConnections;
    const isOwnersBound = !isProxied && own.size >= limits.maxOfAddress;
    const ofOwn = isOwnersBound ? droppableIn(own, states, now - limits.freshMs) : null;
    const droppable = ofOwn ?? (isFull ? droppableIn(largestOf(owners), states, now) : null);
    if (droppable !== null) {
      drop(droppable);
      forget(droppable);
    } else if (isFull) {
      drop(socket);
      return;
    }
    owners.set(owner, own.add(socket));
    socket.once('close', () => forget(socket));
  });
  const forget = (socket: Socket) => {
    const owner = states.get(socket)?.owner ?? '';
    const own = owners.get(owner);
    own?.delete(socket);
    if (own?.size === 0) owners.delete(owner);
  };

  const drain = () => {
    isDraining = true;
    for (const response of unanswered) response.shouldKeepAlive = false;
  };
  const inTurn: RequestListener = (request, response) => {
    const { socket } = request;
    const state = states.get(socket);
    if (state === undefined) throw new RangeError('a request comes on a connection');
    const begin = () => {
      state.idleSinceMs = null;
      unanswered.add(response);
      if (isDraining) response.shouldKeepAlive = false;
      response.once('prefinish', () => {
        socket.setTimeout(limits.unreadMs);
        // The rest of a body that was refused is read, so that the client reads its answer.
        if (!request.complete) request.on('data', release);
      });
      let whenOver = () => {};
      response.once('close', () => {
        state.idleSinceMs = performance.now();
        unanswered.delete(response);
        whenOver();
        const next = state.waiting.shift();
        if (next === undefined || socket.destroyed) return;
        socket.setTimeout(limits.idleMs);
        next();
      });
      whenOver = answer(request, response);
    };
    if (state.idleSinceMs !== null) begin();
    else if (state.waiting.length < MAX_WAITING) state.waiting.push(begin);
    else if (!socket.destroyed) {
      drop(socket);
      stopReading(socket);
    }
  };
  return { answer: inTurn, drain };
}

/**
 * Stops the HTTP parser. Node would go on parsing the rest of a packet, which may contain thousands of requests,
 * although the connection is closed. Node has no option for it; the return value 2 means that another protocol begins
 * here.
 */
function stopReading(socket: Socket & { readonly parser?: object | null }): void {
  if (socket.parser) Object.assign(socket.parser, { onIncoming: () => 2 });
}

/**
 * The oldest connection that has been idle since then, or whose client does not read its answer; `null`: all are in
 * use.
 */
function droppableIn(
  sockets: Iterable<Socket>,
  states: WeakMap<Socket, ConnectionState>,
  sinceMs: number,
): Socket | null {
  for (const socket of sockets) {
    const idleSinceMs = states.get(socket)?.idleSinceMs ?? null;
    if ((idleSinceMs !== null && idleSinceMs <= sinceMs) || socket.writableLength > 0) return socket;
  }
  return null;
}

function largestOf(owners: ReadonlyMap<string, ReadonlySet<Socket>>): ReadonlySet<Socket> {
  let largest: ReadonlySet<Socket> = new Set();
  for (const sockets of owners.values()) if (sockets.size > largest.size) largest = sockets;
  return largest;
}
