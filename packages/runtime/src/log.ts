import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';
import { createLines } from './lines.ts';
import { createLogSink } from './log-sink.ts';
import { KEY_ANYWHERE } from './secrets.ts';

export interface Log extends Pick<Logger, 'debug' | 'info' | 'warn' | 'error'> {
  /** One line about a request that is over, at the level `info`. It may wait some milliseconds for others. */
  request(line: RequestLine): void;
}

/** What is told of a request that is over: nothing that its caller wrote but the id, which is harmless. */
export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  /** The template of its path; `null` for every path that is none of ours. */
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
  /** The part of a key that may be shown. */
  readonly keyPrefix: string | null;
  /** Its caller went away before the answer was sent. */
  readonly isAborted: boolean;
}

// Names whose values stay out of the log whoever logs them: at the top, inside an object and inside an error.
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

/** One for the process: lines of all its logs come in their order. */
const toStderr = createLines(createLogSink(process.stderr), toRequestLine);

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
export function createLog(level: LogLevel, write?: (line: string) => void): Log {
  const out = write ? { line: write, later: (told: ToldRequest) => write(toRequestLine(told)) } : toStderr;
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
  const tellsRequests = logger.isLevelEnabled('info');
  return {
    debug: logger.debug.bind(logger),
    info: logger.info.bind(logger),
    warn: logger.warn.bind(logger),
    error: logger.error.bind(logger),
    request: (line) => {
      if (tellsRequests) out.later({ line, atMs: Date.now() });
    },
  };
}

function withoutKeys(line: string): string {
  return line.replaceAll(KEY_ANYWHERE, '$1...');
}

interface ToldRequest {
  readonly line: RequestLine;
  readonly atMs: number;
}

/** As the logger would write it. Its members are known one by one, so no name of a secret is looked for among them. */
function toRequestLine({ line, atMs }: ToldRequest): string {
  const { requestId, method, route, status, ms, keyPrefix, isAborted } = line;
  const told = { level: 'info', time: new Date(atMs).toISOString(), requestId, method, route, status, ms, keyPrefix };
  const whole = isAborted ? { ...told, aborted: true, msg: 'request' } : { ...told, msg: 'request' };
  return withoutKeys(`${JSON.stringify(whole)}\n`);
}

/** What is kept of an error. Not its other properties: those of a parser's errors hold the text that was parsed. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { type: error.name, message: error.message, stack: error.stack, ...code, ...cause };
}
