import { styleText } from 'node:util';
import { closeOnSignal, type HttpServer } from '@tarifario/http';
import { createLog, readConfig } from '@tarifario/runtime';
import type { Run } from '../command.ts';
import { withDatabase } from '../database.ts';
import { progressFor } from '../progress.ts';
import { type Paint, PLAIN } from '../ranking-view.ts';
import { runDemo } from './run.ts';
import { seedDemo } from './seed.ts';

export const seed: Run = (args) =>
  withDatabase(async (service) => {
    const progress = progressFor(args);
    const json = await seedDemo(service, progress).finally(progress.end);
    return { json };
  });

export const run: Run = async (args) => {
  // Only warnings and errors by default, because a line for each request would mix with the tables.
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env });
  const log = createLog(config.logLevel);
  const write = (text: string) => process.stdout.write(text);
  const start = (port: number): Promise<HttpServer> =>
    runDemo({
      config: { ...config, port },
      ...{ log, write, paint: paintFor(process.stdout) },
      ...{ isFull: args.flag('full'), isFresh: args.flag('fresh') },
    });
  const server = await start(config.port).catch((error: unknown) => {
    if (process.env.PORT !== undefined || !isPortTaken(error)) throw error;
    return start(0);
  });
  write(`listening on ${server.url}\n`);
  await closeOnSignal(server, log);
  return null;
};

function isPortTaken(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
}

/** Colours on a terminal, unless they are disabled. */
function paintFor(stream: NodeJS.WriteStream): Paint {
  if (!stream.isTTY || process.env.NO_COLOR) return PLAIN;
  return {
    strong: (text) => styleText('bold', text),
    weak: (text) => styleText('dim', text),
    good: (text) => styleText(['bold', 'green'], text),
  };
}
