import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerTo } from '@tarifario/api';
import { DomainError } from '@tarifario/core';
import { type Config, type Log, requestIdFor, type Service } from '@tarifario/runtime';
import { createApp } from './app.ts';

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
}): Promise<Door> {
  const { config, log, service, drainMs = DRAIN_MS } = options;
  let isDraining = false;
  const app = createApp({
    dispatch: service.dispatch,
    log,
    isReady: async () => !isDraining && (await service.isReady()),
    trustedProxyHops: config.trustedProxyHops,
  });
  const server = createServer(LIMITS);
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    // A kept connection would outlive its last request by the keep-alive time.
    response.once('finish', () => isDraining && setImmediate(() => server.closeIdleConnections()));
    app(request, response);
  };
  server.on('request', answer);
  // An unknown expectation may be ignored; Node would refuse it without a body.
  server.on('checkExpectation', answer);
  server.on('clientError', refuseBrokenRequest);
  await listen(server, config);
  return {
    url: urlOf(server, config.host),
    close: () => {
      isDraining = true;
      return drain(server, drainMs);
    },
  };
}

function listen(server: Server, { host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function urlOf(server: Server, host: string): string {
  const { port } = addressOf(server);
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new RangeError('the server listens on a port');
  return address;
}

async function drain(server: Server, drainMs: number): Promise<void> {
  // Connections without a request in progress are closed at once.
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearTimeout(deadline);
}

const BROKEN_REQUESTS: Readonly<Record<string, { readonly status: string; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    message: `the address and headers are larger than ${LIMITS.maxHeaderSize} bytes`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', message: 'the request did not arrive in time' },
};
const NOT_HTTP = { status: '400 Bad Request', message: 'the request is not well-formed HTTP' };

/** Answers what the parser refused, before there is a request that the app could answer. */
function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, message } = BROKEN_REQUESTS[error.code ?? ''] ?? NOT_HTTP;
  const body = JSON.stringify(answerTo(new DomainError('invalid_request', { message })).body);
  const head = [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestIdFor(undefined)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
