import { type Config, compose, createMetrics, exposureOf, type Log, migrate } from '@tarifario/runtime';
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
 * Brings the database up to date and serves it. `close` drains, then writes what is not recorded yet and closes the
 * database; metrics can be read to the end.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, log, mounts = [], servesRest = true } = options;
  const { host, metricsPort } = config;
  const { applied } = await migrate(config.databaseUrl);
  if (applied.length > 0) log.info({ applied }, 'migrations applied');
  const { usageRetentionDays, databasePoolMax: maxConnections } = config;
  const parts = { usageRetentionDays, maxConnections, worksOnUploads: servesRest };
  const service = await compose(config.databaseUrl, log, parts);
  const opened: Pick<Door, 'close'>[] = [service];
  const close = async () => {
    for (const part of opened.toReversed()) await part.close();
  };
  try {
    const metrics = metricsPort === null ? null : createMetrics(service.counts);
    const metricsDoor = metrics && (await openMetricsDoor(metrics, { host, port: metricsPort ?? 0 }));
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
    return { url: door.url, metricsUrl: metricsDoor?.url ?? null, close };
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
 * Resolves once a SIGTERM, SIGINT or SIGHUP has come and `close` is done. What is not closed after 25 seconds, as with a
 * database that hangs, ends with the process and status 1. Another signal later ends it at once.
 *
 * @param stopMs - Given by tests only.
 */
export async function closeOnSignal(close: () => Promise<void>, log: Log, stopMs = STOP_MS): Promise<void> {
  let firstAt: number | null = null;
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    const stop = (received: NodeJS.Signals) => {
      if (firstAt !== null && performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(1);
      firstAt ??= performance.now();
      resolve(received);
    };
    process.on('SIGTERM', stop).on('SIGINT', stop).on('SIGHUP', stop);
  });
  log.info({ signal }, 'draining');
  const deadline = setTimeout(() => {
    log.error('not everything could be closed in time: it is left as it is');
    process.exit(1);
  }, stopMs);
  await close().finally(() => clearTimeout(deadline));
  log.info('closed');
  // Lines that nobody takes would keep the process.
  setTimeout(() => process.exit(), LAST_LINES_MS).unref();
}
