import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';
import { KEY_ANYWHERE } from './secrets.ts';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

// Names whose values stay out of the log whoever logs them: at the top, inside an object and inside an error.
const SECRET_NAMES = ['password', 'key', 'apiKey', 'secret', 'body', 'query', 'url', 'originalUrl', 'headers'];

const currentRequest = new AsyncLocalStorage<string>();

/** Runs `work` so that all it logs, also later and elsewhere, carries the id of the request. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return currentRequest.run(requestId, work);
}

/**
 * The log of a process: JSON lines on stderr.
 *
 * No password, body, query string or header is written, and of a key no more than its prefix, wherever in a line it
 * stands: an error's text is made elsewhere, so the finished line is searched too.
 *
 * @param write - Takes a finished line; given by tests only.
 */
export function createLog(level: LogLevel, write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: describeError },
    redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`]), remove: true },
    mixin: () => {
      const requestId = currentRequest.getStore();
      return requestId === undefined ? {} : { requestId };
    },
  };
  return pino(options, { write: (line: string) => write(line.replaceAll(KEY_ANYWHERE, '$1...')) });
}

/** What is kept of an error. Not its other properties: those of a parser's errors hold the text that was parsed. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { type: error.name, message: error.message, stack: error.stack, ...code, ...cause };
}
