import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import {
  type Config,
  compose,
  createMetrics,
  exposureOf,
  type Log,
  migrate,
  refuseForgottenStatements,
} from '@tarifario/runtime';
import { type HttpServer, openHttpServer } from './http-server.ts';
import { isLoopback } from './listen.ts';
import { openMetricsServer } from './metrics-server.ts';
import type { MakeMount } from './mount.ts';

/**
 * How much the heap may grow, in percent of what is in use, until the engine collects it. By itself it waits for up to
 * 300 percent after a burst, and keeps that memory.
 */
const HEAP_GROWTH_PERCENT = 100;

export interface RunningServer extends HttpServer {
  /** The address of `/metrics`; `null` without metrics. */
  readonly metricsUrl: string | null;
}

export interface ServerOptions {
  readonly config: Config;
  readonly log: Log;
  /** Handlers mounted at their own paths, beside REST. */
  readonly mounts?: readonly MakeMount[];
  /** `false`: only the mounted handlers, `/healthz` and `/readyz`. */
  readonly servesRest?: boolean;
}

/**
 * Migrates the database and starts the server. `close` finishes running requests, writes calls that are not yet
 * recorded and closes the database; metrics can be read until the end.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, log, mounts = [], servesRest = true } = options;
  const { host, metricsPort, mcpAllowedHosts: allowedHosts } = config;
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  await refuseForgottenStatements(config.databaseUrl);
  const { applied } = await migrate(config.databaseUrl, log);
  if (applied.length > 0) log.info({ applied }, 'migrations applied');
  const { usageRetentionDays, cacheMb, oauth, regulatedRowsFile, imprint, databasePoolMax: maxConnections } = config;
  const { takesLocalReceivers } = config;
  const parts = {
    usageRetentionDays,
    cacheMb,
    oauth,
    regulatedRowsFile,
    imprint,
    takesLocalReceivers,
    maxConnections,
    worksOnQueues: servesRest,
  };
  const service = await compose(config.databaseUrl, log, parts);
  const openFrom = service.counts().openRatesFrom?.() ?? null;
  if (openFrom !== null)
    log.info({ openFrom }, 'taxes or regulated prices end or are undecided: tarifario taxes --due');
  const opened: Pick<HttpServer, 'close'>[] = [service];
  const close = async () => {
    for (const part of opened.toReversed()) await part.close();
  };
  try {
    const metrics = metricsPort === null ? null : createMetrics(service.counts);
    const metricsServer = metrics && (await openMetricsServer(metrics, { host, port: metricsPort ?? 0, allowedHosts }));
    if (metricsServer) opened.push(metricsServer);
    const traffic = metrics ? { traffic: metrics } : {};
    const mounted = mounts.map((make) => make({ dispatch: service.dispatch, config, log, ...traffic }));
    const httpServer = await openHttpServer({ config, log, service, mounts: mounted, servesRest, ...traffic });
    opened.push(httpServer);
    if (!isLoopback(host)) {
      log.warn({ host }, 'plain HTTP beyond this machine: keys are readable on the way unless a proxy adds TLS');
    }
    if (takesLocalReceivers) log.warn('WEBHOOK_LOOPBACK is on: webhooks may send requests to programs of this machine');
    const exposure = exposureOf(config.databaseUrl);
    if (exposure !== null) log.warn(EXPOSURES[exposure]);
    return { url: httpServer.url, metricsUrl: metricsServer?.url ?? null, drain: httpServer.drain, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const EXPOSURES = {
  plain:
    'the database is reached without encryption: prices and passwords are readable on the way unless sslmode is set',
  unverified:
    'any server that answers is taken for the database: only with sslmode=verify-full is its certificate checked',
} as const;

// One Ctrl+C may arrive twice: from the terminal, and from npm, which forwards it.
const SAME_SIGNAL_MS = 1000;
/** Longer than draining takes, and shorter than the time that `deploy/` gives a process to stop. */
const STOP_MS = 25_000;
/** How long the process waits for the last lines of the log to be read. */
const LAST_LINES_MS = 2000;

/**
 * Waits for SIGTERM, SIGINT or SIGHUP, closes the server and resolves. Before closing, the server drains for some
 * seconds so that load balancers notice; not on SIGINT, which a person at a terminal sends. A second signal ends the
 * draining, a third one the process. If closing takes more than 25 seconds, for example because the database hangs, the
 * process exits with status 1.
 *
 * @param options - `drainSeconds`: 0 by default. `stopMs`: for tests only.
 */
export async function closeOnSignal(
  server: Pick<HttpServer, 'drain' | 'close'>,
  log: Log,
  { drainSeconds = 0, stopMs = STOP_MS }: { readonly drainSeconds?: number; readonly stopMs?: number } = {},
): Promise<void> {
  let lastAt: number | null = null;
  let isClosing = false;
  const enough = new AbortController();
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    const stop = (received: NodeJS.Signals) => {
      const isAnother = lastAt !== null && performance.now() - lastAt > SAME_SIGNAL_MS;
      if (isAnother && isClosing) process.exit(1);
      if (isAnother || received === 'SIGINT') enough.abort();
      if (isAnother || lastAt === null) lastAt = performance.now();
      resolve(received);
    };
    process.on('SIGTERM', stop).on('SIGINT', stop).on('SIGHUP', stop);
  });
  log.info({ signal }, 'draining');
  const deadline = setTimeout(() => {
    log.error('not everything could be closed in time: it is left as it is');
    process.exit(1);
  }, stopMs);
  server.drain();
  if (drainSeconds > 0) await sleep(1000 * drainSeconds, null, { signal: enough.signal }).catch(() => null);
  isClosing = true;
  await server.close().finally(() => clearTimeout(deadline));
  log.info('closed');
  // Unread log lines would keep the process alive.
  setTimeout(() => process.exit(), LAST_LINES_MS).unref();
}
