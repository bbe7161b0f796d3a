import { type Config, compose, type Log, migrate } from '@tarifario/runtime';
import { type Door, openDoor } from './door.ts';

/** Brings the database up to date and serves it. `close` drains, then closes the database. */
export async function startServer(options: { readonly config: Config; readonly log: Log }): Promise<Door> {
  const { config, log } = options;
  const { applied } = await migrate(config.databaseUrl);
  if (applied.length > 0) log.info({ applied }, 'migrations applied');
  const service = await compose(config.databaseUrl, log);
  try {
    const door = await openDoor({ config, log, service });
    return { url: door.url, close: () => door.close().finally(() => service.close()) };
  } catch (error) {
    await service.close();
    throw error;
  }
}

// One Ctrl+C may arrive twice: from the terminal, and from npm, which passes it on.
const SAME_SIGNAL_MS = 1000;

/** Resolves once a SIGTERM or SIGINT has come and `close` is done. Another signal later ends the process at once. */
export async function closeOnSignal(close: () => Promise<void>, log: Log): Promise<void> {
  let firstAt: number | null = null;
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    const stop = (received: NodeJS.Signals) => {
      if (firstAt !== null && performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(1);
      firstAt ??= performance.now();
      resolve(received);
    };
    process.on('SIGTERM', stop).on('SIGINT', stop);
  });
  log.info({ signal }, 'draining');
  await close();
  log.info('closed');
}
