import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Config,
  compose,
  createMetrics,
  exposureOf,
  type Log,
  migrate,
  refuseForgetfulPooler,
} from '@tarifario/runtime';
import { type Door, openDoor } from './door.ts';
import { isLoopback } from './listen.ts';
import { openMetricsDoor } from './metrics-door.ts';
import type { MakeMount } from './mount.ts';

export interface RunningServer extends Door {
  /** Where `/metrics` is; `null` when there are none. */
  readonly metricsUrl: string | null;
}

export interface ServerOptions {
  readonly config: Config;
  readonly log: Log;
  /** Doors at paths of their own, beside REST. */
  readonly mounts?: readonly MakeMount[];
  /** `false`: only the mounted doors, `/healthz` and `/readyz`. */
  readonly servesRest?: boolean;
}

/**
 * Brings the database up to date and serves it. `close` finishes what has begun, then writes what is not recorded yet and closes the
 * database; metrics can be read to the end.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, log, mounts = [], servesRest = true } = options;
  const { host, metricsPort, mcpAllowedHosts: allowedHosts } = config;
  await refuseForgetfulPooler(config.databaseUrl);
  const { applied } = await migrate(config.databaseUrl);
  if (applied.length > 0) log.info({ applied }, 'migrations applied');
  const { usageRetentionDays, cacheMb, databasePoolMax: maxConnections } = config;
  const parts = { usageRetentionDays, cacheMb, maxConnections, worksOnUploads: servesRest };
  const service = await compose(config.databaseUrl, log, parts);
  const opened: Pick<Door, 'close'>[] = [service];
  const close = async () => {
    for (const part of opened.toReversed()) await part.close();
  };
  try {
    const metrics = metricsPort === null ? null : createMetrics(service.counts);
    const metricsDoor = metrics && (await openMetricsDoor(metrics, { host, port: metricsPort ?? 0, allowedHosts }));
    if (metricsDoor) opened.push(metricsDoor);
    const mounted = mounts.map((make) => make({ dispatch: service.dispatch, config, log }));
    const traffic = metrics ? { traffic: metrics } : {};
    const door = await openDoor({ config, log, service, mounts: mounted, servesRest, ...traffic });
    opened.push(door);
    if (!isLoopback(host)) {
      log.warn({ host }, 'plain HTTP beyond this machine: keys are readable on the way unless a proxy adds TLS');
    }
    const exposure = exposureOf(config.databaseUrl);
    if (exposure !== null) log.warn(EXPOSURES[exposure]);
    return { url: door.url, metricsUrl: metricsDoor?.url ?? null, drain: door.drain, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const EXPOSURES = {
  plain:
    'the database is reached without encryption: prices and passwords are readable on the way unless sslmode is set',
  unverified: 'whoever answers is taken for the database: only with sslmode=verify-full is its certificate checked',
} as const;

// One Ctrl+C may arrive twice: from the terminal, and from npm, which passes it on.
const SAME_SIGNAL_MS = 1000;
/** More than draining takes, and less than `deploy/` gives a process that it stops. */
const STOP_MS = 25_000;
/** How long the last lines of the log wait for whoever reads them. */
const LAST_LINES_MS = 2000;

/**
 * Resolves once a SIGTERM, SIGINT or SIGHUP has come and the server is closed. Before that it drains for some seconds, so
 * that load balancers find out; not on SIGINT, which a person at a terminal sends. Another signal later ends the
 * draining, and one after that the process. What is not closed after 25 seconds, as with a database that hangs, ends with
 * the process and status 1.
 *
 * @param options - `drainSeconds`: none without. `stopMs`: given by tests only.
 */
export async function closeOnSignal(
  server: Pick<Door, 'drain' | 'close'>,
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
  // Lines that nobody takes would keep the process.
  setTimeout(() => process.exit(), LAST_LINES_MS).unref();
}
