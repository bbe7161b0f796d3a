import { createServer, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerTo } from '@tarifario/api';
import { DomainError } from '@tarifario/core';
import { type Config, type Log, requestIdFor, type Service, type Traffic } from '@tarifario/runtime';
import { createApp } from './app.ts';
import { listen } from './listen.ts';
import type { Mount } from './mount.ts';

const DRAIN_MS = 20_000;
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  maxHeaderSize: 16 * 1024,
  // How often the two time-outs above are looked after.
  connectionsCheckingInterval: 1_000,
  // Nothing depends on the Host header, and Node would refuse its absence in a shape of its own.
  requireHostHeader: false,
};
/** More are closed as they come. Slow ones cost some kilobytes each until the time-outs above end them. */
const MAX_CONNECTIONS = 2_000;
/** A connection on which nothing moves for so long is closed, also when it is the caller who does not read. */
const IDLE_MS = 120_000;

export interface Door {
  /** Where it accepts requests, e.g. `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Stops accepting, finishes what has begun for at most 20 seconds, then closes every connection. */
  close(): Promise<void>;
}

/** Opens the REST door to a service. Whoever closes the door closes the service after it. */
export async function openDoor(options: {
  readonly config: Pick<Config, 'host' | 'port' | 'trustedProxyHops'>;
  readonly log: Log;
  readonly service: Pick<Service, 'dispatch' | 'isReady'>;
  /** How long requests may take to finish once the server closes; 20 seconds. */
  readonly drainMs?: number;
  /** Doors at paths of their own. */
  readonly mounts?: readonly Mount[];
  /** `false`: only the mounted doors, `/healthz` and `/readyz`. */
  readonly servesRest?: boolean;
  /** Told about all that comes and goes. */
  readonly traffic?: Traffic;
  /** Other limits than those of every server; given by tests only. */
  readonly limits?: { readonly maxConnections?: number; readonly idleMs?: number };
}): Promise<Door> {
  const { config, log, service, drainMs = DRAIN_MS, traffic, limits = {}, mounts = [], servesRest = true } = options;
  let isDraining = false;
  const app = createApp({
    dispatch: service.dispatch,
    log,
    isReady: async () => !isDraining && (await service.isReady()),
    trustedProxyHops: config.trustedProxyHops,
    traffic,
    // A kept connection would outlive its last request by the keep-alive time.
    whenOver: () => isDraining && setImmediate(() => server.closeIdleConnections()),
    mounts,
    servesRest,
  });
  const server = createServer(LIMITS);
  server.maxConnections = limits.maxConnections ?? MAX_CONNECTIONS;
  server.setTimeout(limits.idleMs ?? IDLE_MS);
  server.on('request', app);
  // An unknown expectation may be ignored; Node would refuse it without a body.
  server.on('checkExpectation', app);
  server.on('clientError', (error, socket) => {
    const status = refuseBrokenRequest(error, socket);
    if (status !== null) traffic?.requestBroken(status);
  });
  server.on('drop', () => traffic?.connectionDropped());
  const url = await listen(server, { host: config.host, port: config.port, setting: 'PORT' });
  return {
    url,
    close: () => {
      isDraining = true;
      return drain(server, drainMs);
    },
  };
}

async function drain(server: Server, drainMs: number): Promise<void> {
  // Connections without a request in progress are closed at once.
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearTimeout(deadline);
}

interface BrokenRequest {
  readonly status: number;
  readonly message: string;
}

const BROKEN_REQUESTS: Readonly<Record<string, BrokenRequest>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: `the address and headers are larger than ${LIMITS.maxHeaderSize} bytes`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'the request did not arrive in time' },
};
const NOT_HTTP: BrokenRequest = { status: 400, message: 'the request is not well-formed HTTP' };

/**
 * Answers what the parser refused, before there is a request that the app could answer.
 *
 * @returns The status, or `null` when nobody is there to be answered.
 */
function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): number | null {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return null;
  }
  const { status, message } = BROKEN_REQUESTS[error.code ?? ''] ?? NOT_HTTP;
  const body = JSON.stringify(answerTo(new DomainError('invalid_request', { message })).body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestIdFor(undefined)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  return status;
}
