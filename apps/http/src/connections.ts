import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '@tarifario/core/service';

/** Requests that may wait on a connection for those before them: what no client has any use for is an attack. */
const MAX_WAITING = 32;

export interface ConnectionLimits {
  /** Of all callers together. */
  readonly maxConnections: number;
  /** From one address, or one /64 of IPv6, before an idle one of it is closed; not where it is that of a proxy. */
  readonly maxOfAddress: number;
  /** How long a connection may be idle all the same: a request on it may not have been read yet. */
  readonly freshMs: number;
  /** How long nothing may move on a connection while its request is worked on. */
  readonly idleMs: number;
  /** How long nothing may move once the answer is there: it is held in memory until its caller has read it. */
  readonly unreadMs: number;
}

/** What is known of a connection. */
interface Line {
  /** Since when no request of it is being answered, by the clock of `performance`; `null`: one is. */
  idleSinceMs: number | null;
  /** Begins the answers of those that wait. */
  readonly waiting: (() => void)[];
}

/**
 * Keeps the connections of a server within bounds, so that a caller who opens many, or asks for much on one and reads
 * nothing, takes no memory and no place from the others.
 *
 * The requests of a connection are answered one after the other: the next begins when the answer before it has left.
 * Where there are too many connections, the one that has been of no use for longest makes room for the new one.
 *
 * @param onDrop - Called for each connection that is closed for a bound.
 * @returns `answer` with its requests in line.
 */
export function boundConnections(
  server: Server,
  given: {
    readonly limits: ConnectionLimits;
    readonly isProxied: boolean;
    readonly onDrop: () => void;
    readonly answer: RequestListener;
  },
): RequestListener {
  const { limits, isProxied, onDrop, answer } = given;
  const lines = new WeakMap<Socket, Line>();
  /** By whom they were opened, the oldest first. */
  const owners = new Map<string, Set<Socket>>();
  const drop = (socket: Socket) => {
    socket.destroy();
    onDrop();
  };

  server.on('connection', (socket: Socket) => {
    const now = performance.now();
    lines.set(socket, { idleSinceMs: now, waiting: [] });
    const owner = isProxied ? 'proxy' : networkOf(socket.remoteAddress ?? 'unknown');
    const own = owners.get(owner) ?? new Set();
    const count = [...owners.values()].reduce((total, { size }) => total + size, 0);
    const isFull = count >= limits.maxConnections;
    const isOwnersBound = !isProxied && own.size >= limits.maxOfAddress;
    const ofOwn = isOwnersBound ? uselessIn(own, lines, now - limits.freshMs) : null;
    const useless = ofOwn ?? (isFull ? uselessIn(largestOf(owners), lines, now) : null);
    if (useless !== null) {
      drop(useless);
      forget(useless);
    } else if (isFull) {
      drop(socket);
      return;
    }
    owners.set(owner, own.add(socket));
    ownerOf.set(socket, owner);
    socket.once('close', () => forget(socket));
  });
  const ownerOf = new WeakMap<Socket, string>();
  const forget = (socket: Socket) => {
    const owner = ownerOf.get(socket) ?? '';
    const own = owners.get(owner);
    own?.delete(socket);
    if (own?.size === 0) owners.delete(owner);
  };

  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket);
    if (line === undefined) throw new RangeError('a request comes on a connection');
    const begin = () => {
      line.idleSinceMs = null;
      response.once('prefinish', () => socket.setTimeout(limits.unreadMs));
      response.once('close', () => {
        line.idleSinceMs = performance.now();
        const next = line.waiting.shift();
        if (next === undefined || socket.destroyed) return;
        socket.setTimeout(limits.idleMs);
        next();
      });
      answer(request, response);
    };
    if (line.idleSinceMs !== null) begin();
    else if (line.waiting.length < MAX_WAITING) line.waiting.push(begin);
    else if (!socket.destroyed) {
      drop(socket);
      stopReading(socket);
    }
  };
}

/**
 * Leaves the rest of a packet unread, which Node would go on to take apart: thousands of requests, on a connection that
 * is closed. Node has no option for it; 2 is what says that another protocol begins here.
 */
function stopReading(socket: Socket & { readonly parser?: object | null }): void {
  if (socket.parser) Object.assign(socket.parser, { onIncoming: () => 2 });
}

/** The oldest connection on which nothing was asked since then, or nobody reads the answer; `null`: all are of use. */
function uselessIn(sockets: Iterable<Socket>, lines: WeakMap<Socket, Line>, sinceMs: number): Socket | null {
  for (const socket of sockets) {
    const idleSinceMs = lines.get(socket)?.idleSinceMs ?? null;
    if ((idleSinceMs !== null && idleSinceMs <= sinceMs) || socket.writableLength > 0) return socket;
  }
  return null;
}

function largestOf(owners: ReadonlyMap<string, ReadonlySet<Socket>>): ReadonlySet<Socket> {
  let largest: ReadonlySet<Socket> = new Set();
  for (const sockets of owners.values()) if (sockets.size > largest.size) largest = sockets;
  return largest;
}
