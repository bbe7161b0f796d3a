import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Log,
  type RequestLine,
  requestIdFor,
  shownPrefixFor,
  startRequestSpan,
  type Traffic,
  withRequestIds,
} from '@tarifario/runtime';
import { headerOf, keyOf } from './request-head.ts';

/** What is known about a request while it is processed. */
export interface RequestContext {
  readonly requestId: string;
  /**
   * The template of its path, because the path itself contains ids and, in a mistaken request, perhaps a secret.
   * `null`: unknown path.
   */
  route: string | null;
  /** That of its line in the log. */
  level: RequestLine['level'];
}

declare global {
  namespace Express {
    /** The response as express passes it on. */
    interface Locals {
      readonly context: RequestContext;
    }
  }
}

export interface RequestLoggerParts {
  readonly log: Pick<Log, 'request'>;
  readonly traffic?: Pick<Traffic, 'requestBegan' | 'requestEnded'> | undefined;
  /** Called after each finished request, also when its caller disconnected. */
  readonly whenOver?: (() => void) | undefined;
}

/** Gives a request its id and lets it be answered. When it is finished, it is counted and logged in one line. */
export function requestLogger({ log, traffic, whenOver }: RequestLoggerParts) {
  return (request: IncomingMessage, response: ServerResponse, answer: (context: RequestContext) => void): void => {
    const startedAt = performance.now();
    traffic?.requestBegan();
    const { method = '' } = request;
    const requestId = requestIdFor(headerOf(request, 'x-request-id') ?? undefined);
    const context: RequestContext = { requestId, route: null, level: 'info' };
    const traceparent = headerOf(request, 'traceparent');
    const span = startRequestSpan(method, { traceparent, tracestate: headerOf(request, 'tracestate') });
    const ids = { requestId, traceId: span.traceId };
    // What is read from here on is the span of this request, or nothing.
    request.headers.traceparent = span.traceparent;
    response.on('close', () => {
      const ms = performance.now() - startedAt;
      const { route, level } = context;
      const status = response.statusCode;
      traffic?.requestEnded({ method, route, status, seconds: ms / 1000 });
      span.end({ route, status });
      log.request({
        level,
        ...ids,
        method,
        route,
        status,
        ms: Math.round(ms * 10) / 10,
        keyPrefix: shownPrefixFor(keyOf(request) ?? undefined),
        isAborted: !response.writableFinished,
      });
      whenOver?.();
    });
    span.run(() => withRequestIds(ids, () => answer(context)));
  };
}
