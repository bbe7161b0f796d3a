import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';
import { createLogSink } from './log-sink.ts';
import { KEY_ANYWHERE } from './secrets.ts';

export interface Log extends Pick<Logger, 'debug' | 'info' | 'warn' | 'error'> {
  /** One line about a request that is over. */
  request(line: RequestLine): void;
}

/**
 * What is logged about a finished request: nothing that its caller wrote except the request id, which is checked
 * before.
 */
export interface RequestLine {
  readonly level: 'debug' | 'info' | 'warn';
  readonly requestId: string;
  /** Left out: the request belongs to none. */
  readonly traceId?: string | undefined;
  readonly method: string;
  /** The template of its path; `null` for an unknown path. */
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
  /** Of these the time that its writes waited for others of the same account, where it was long. */
  readonly waitedMs?: number;
  /** The part of a key that may be shown. */
  readonly keyPrefix: string | null;
  /** The caller disconnected before the answer was sent. */
  readonly isAborted: boolean;
}

// Property names whose values are never logged: at the top level, inside an object and inside an error.
const SECRET_NAMES = [
  'password',
  'key',
  'apiKey',
  'secret',
  'body',
  'query',
  'url',
  'originalUrl',
  'headers',
  'authorization',
];

/** Shared by all logs of the process, so that their lines stay in order. */
const toStderr = createLogSink(process.stderr);

/** What tells which request a line is about. */
export type RequestIds = Pick<RequestLine, 'requestId' | 'traceId' | 'waitedMs'>;

const currentRequest = new AsyncLocalStorage<RequestIds>();

/** Has the lines of the present request, if there is one, say that a write of it waited. */
export function addWait(ms: number): void {
  const ids = currentRequest.getStore();
  if (ids) Object.assign(ids, { waitedMs: Math.round((ids.waitedMs ?? 0) + ms) });
}

/** Runs `work` so that every line it logs carries the ids of the request, also from asynchronous code. */
export function withRequestIds<T>(ids: RequestIds, work: () => T): T {
  return currentRequest.run(ids, work);
}

/**
 * The log of a process: JSON lines on stderr.
 *
 * No password, body, query string or header is written, and no more of a key than its prefix. The text of an error may
 * contain anything, so the finished line is searched for keys as well.
 *
 * @param write - Takes a finished line; given by tests only.
 */
export function createLog(level: LogLevel, write: (line: string) => void = toStderr): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: describeError },
    redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`]), remove: true },
    mixin: () => ({ ...currentRequest.getStore() }),
  };
  const logger = pino(options, { write: (line: string) => write(line.replaceAll(KEY_ANYWHERE, '$1...')) });
  return {
    debug: logger.debug.bind(logger),
    info: logger.info.bind(logger),
    warn: logger.warn.bind(logger),
    error: logger.error.bind(logger),
    request: ({ level: ofLine, isAborted, ...line }) => {
      logger[ofLine](isAborted ? { ...line, aborted: true } : line, 'request');
    },
  };
}

/** What is logged of an error. Other properties are left out: those of a parser's errors contain the parsed text. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { type: error.name, message: error.message, stack: error.stack, ...code, ...cause };
}
