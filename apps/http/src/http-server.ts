import { createServer, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { answerTo, bodyIn } from '@tarifario/api';
import { DomainError, type Message, type RefusalCode, say } from '@tarifario/core/service';
import { type Config, type Log, requestIdFor, type Service, type Traffic } from '@tarifario/runtime';
import { type AppParts, createApp } from './app.ts';
import { awaitContinue } from './arriving-body.ts';
import { boundConnections, type ConnectionLimits } from './connections.ts';
import { listenOnMany } from './listen.ts';

/** How long requests may take to finish after `stop` was called. */
const DRAIN_MS = 20_000;
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  maxHeaderSize: 16 * 1024,
  // How often the two time-outs above are checked.
  connectionsCheckingInterval: 1_000,
  // Nothing depends on the Host header, and Node would refuse a missing one in its own format.
  requireHostHeader: false,
};
/** A slow connection costs some kilobytes until one of the time-outs above ends it. */
const CONNECTIONS: ConnectionLimits = {
  maxConnections: 2_000,
  maxOfAddress: 1_000,
  freshMs: 3_000,
  idleMs: 120_000,
  unreadMs: 20_000,
};

export interface HttpServer {
  /** Where it accepts requests, e.g. `http://127.0.0.1:3000`. */
  readonly url: string;
  /** From now on `/readyz` answers 503, and every answer closes its connection. Calls are still accepted. */
  drain(): void;
  /**
   * Stops accepting connections, finishes running requests, then closes every connection, at the latest 20 seconds
   * after draining began.
   */
  close(): Promise<void>;
}

/** Opens the HTTP server of a service. Closing the server does not close the service: close the service after it. */
export async function openHttpServer(
  options: Partial<Pick<AppParts, 'mounts' | 'servesRest'>> & {
    readonly config: Pick<Config, 'host' | 'port' | 'trustedProxyHops'> & Partial<Pick<Config, 'oauth'>>;
    readonly log: Log;
    readonly service: Pick<Service, 'dispatch' | 'isReady'>;
    /** How long requests may take to finish once the server drains; 20 seconds by default. */
    readonly drainMs?: number;
    /** Counts requests and connections. */
    readonly traffic?: Traffic;
    /** Other limits, for tests only. */
    readonly limits?: Partial<ConnectionLimits>;
  },
): Promise<HttpServer> {
  const { config, log, service, drainMs = DRAIN_MS, traffic, mounts = [], servesRest = true } = options;
  let drainingSinceMs: number | null = null;
  let isClosing = false;
  const app = createApp({
    dispatch: service.dispatch,
    log,
    isReady: async () => drainingSinceMs === null && (await service.isReady()),
    trustedProxyHops: config.trustedProxyHops,
    oauth: config.oauth ?? null,
    traffic,
    mounts,
    servesRest,
  });
  const limits = { ...CONNECTIONS, ...options.limits };
  const server = createServer(LIMITS);
  // A client that half-closes its connection still waits for its answer. Node supports this but has no option for it.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.setTimeout(limits.idleMs);
  const isProxied = config.trustedProxyHops > 0;
  const onDrop = () => traffic?.connectionDropped();
  const { answer, drain: drainConnections } = boundConnections(server, {
    ...{ limits, isProxied, onDrop },
    answer: (request, response) => {
      const whenOver = app(request, response);
      return () => {
        whenOver();
        // An idle connection would otherwise stay open for the keep-alive time.
        if (isClosing) setImmediate(() => server.closeIdleConnections());
      };
    },
  });
  const drain = (): number => {
    drainConnections();
    drainingSinceMs ??= performance.now();
    return drainingSinceMs;
  };
  server.on('request', answer);
  server.on('checkContinue', (request, response) => {
    awaitContinue({ request, response });
    answer(request, response);
  });
  // An unknown `Expect` may be ignored; Node would refuse it without a body.
  server.on('checkExpectation', answer);
  server.on('clientError', (error, socket) => {
    const status = refuseBrokenRequest(error, socket);
    if (status !== null) traffic?.requestBroken(status);
  });
  const listening = await listenOnMany(server, { host: config.host, port: config.port, setting: 'PORT' });
  return {
    url: listening.url,
    drain: () => void drain(),
    close: () => {
      isClosing = true;
      return finish(server, listening.close, drain() + drainMs - performance.now());
    },
  };
}

async function finish(server: Server, close: () => Promise<void>, withinMs: number): Promise<void> {
  // Accepts connections that have just arrived: closing would drop them without an answer.
  await nextTurn();
  // Connections without a request in progress are closed at once.
  const closed = close();
  const deadline = setTimeout(() => server.closeAllConnections(), withinMs);
  await closed;
  clearTimeout(deadline);
}

interface BrokenRequest {
  readonly status: number;
  readonly message: Message;
  readonly code?: RefusalCode;
}

const BROKEN_REQUESTS: Readonly<Record<string, BrokenRequest>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: say('the address and headers are larger than {bytes} bytes', { bytes: LIMITS.maxHeaderSize }),
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'request_timeout', message: 'the request did not arrive in time' },
};
const NOT_HTTP: BrokenRequest = { status: 400, message: 'the request is not well-formed HTTP' };

/**
 * Answers a request that the HTTP parser refused, so the application never sees it.
 *
 * @returns The status, or `null` when the client is gone.
 */
function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): number | null {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return null;
  }
  const { status, code = 'invalid_request', message } = BROKEN_REQUESTS[error.code ?? ''] ?? NOT_HTTP;
  const body = JSON.stringify(bodyIn(answerTo(new DomainError(code, { message })).body));
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
