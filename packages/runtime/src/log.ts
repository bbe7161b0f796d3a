import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';
import { createLines } from './lines.ts';
import { createLogSink } from './log-sink.ts';
import { KEY_ANYWHERE } from './secrets.ts';

export interface Log extends Pick<Logger, 'debug' | 'info' | 'warn' | 'error'> {
  /** One line about a request that is over. It may wait some milliseconds for others. */
  request(line: RequestLine): void;
}

/**
 * What is logged about a finished request: nothing that its caller wrote except the request id, which is checked
 * before.
 */
export interface RequestLine {
  readonly level: 'debug' | 'info' | 'warn';
  readonly requestId: string;
  readonly method: string;
  /** The template of its path; `null` for an unknown path. */
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
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
const toStderr = createLines(createLogSink(process.stderr), toRequestLine);

const currentRequest = new AsyncLocalStorage<string>();

/** Runs `work` so that every line it logs carries the id of the request, also from asynchronous code. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return currentRequest.run(requestId, work);
}

/**
 * The log of a process: JSON lines on stderr.
 *
 * No password, body, query string or header is written, and no more of a key than its prefix. The text of an error may
 * contain anything, so the finished line is searched for keys as well.
 *
 * @param write - Takes a finished line; given by tests only.
 */
export function createLog(level: LogLevel, write?: (line: string) => void): Log {
  const out = write ? { line: write, later: (entry: TimedRequestLine) => write(toRequestLine(entry)) } : toStderr;
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
  const logger = pino(options, { write: (line: string) => out.line(withoutKeys(line)) });
  return {
    debug: logger.debug.bind(logger),
    info: logger.info.bind(logger),
    warn: logger.warn.bind(logger),
    error: logger.error.bind(logger),
    request: (line) => {
      if (logger.isLevelEnabled(line.level)) out.later({ line, atMs: Date.now() });
    },
  };
}

function withoutKeys(line: string): string {
  return line.replaceAll(KEY_ANYWHERE, '$1...');
}

interface TimedRequestLine {
  readonly line: RequestLine;
  readonly atMs: number;
}

/** Formats a line as the logger would. All its members are known, so there is no need to search them for secrets. */
function toRequestLine({ line, atMs }: TimedRequestLine): string {
  const { level, requestId, method, route, status, ms, keyPrefix, isAborted } = line;
  const entry = { level, time: new Date(atMs).toISOString(), requestId, method, route, status, ms, keyPrefix };
  const whole = isAborted ? { ...entry, aborted: true, msg: 'request' } : { ...entry, msg: 'request' };
  return withoutKeys(`${JSON.stringify(whole)}\n`);
}

/** What is logged of an error. Other properties are left out: those of a parser's errors contain the parsed text. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { type: error.name, message: error.message, stack: error.stack, ...code, ...cause };
}
