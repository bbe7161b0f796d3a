import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Language, Sender } from '@tarifario/api';
import {
  type Log,
  type RequestLine,
  requestIdFor,
  shownPrefixFor,
  startRequestSpan,
  type Traffic,
  withRequestIds,
} from '@tarifario/runtime';
import { closingOf, createAddressReader, headerOf, keyOf, languageOf } from './request-head.ts';

/**
 * A request from its arrival until it is over: who sends it, and how it is answered and logged. A route adds what its
 * handler needs, so that the same object is passed on.
 */
export interface RequestContext extends Sender {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly language: Language;
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

/** What is needed to know who sends a request, and to count and log it. */
export interface ArrivalParts {
  readonly log: Pick<Log, 'request'>;
  readonly traffic?: Pick<Traffic, 'requestBegan' | 'requestEnded'> | undefined;
  readonly trustedProxyHops: number;
}

/**
 * Gives a request its id and its context, and lets it be answered.
 *
 * @returns What counts and logs it in one line, to be called once it is over, also when its caller disconnected.
 */
export function createArrival({ log, traffic, trustedProxyHops }: ArrivalParts) {
  const addressOf = createAddressReader(trustedProxyHops);
  return (
    request: IncomingMessage,
    response: ServerResponse,
    answer: (context: RequestContext) => void,
  ): (() => void) => {
    const startedAt = performance.now();
    traffic?.requestBegan();
    const { method = '' } = request;
    const requestId = requestIdFor(headerOf(request, 'x-request-id') ?? undefined);
    const sent = { traceparent: headerOf(request, 'traceparent'), tracestate: headerOf(request, 'tracestate') };
    const span = startRequestSpan(method, sent);
    const ids = { requestId, traceId: span.traceId };
    const context: RequestContext = {
      ...{ request, response, requestId, route: null, level: 'info' },
      apiKey: keyOf(request),
      address: addressOf(request),
      // The span of this request, or nothing.
      traceparent: span.traceparent ?? null,
      language: languageOf(request),
      closing: closingOf(request.socket),
    };
    span.run(() => withRequestIds(ids, () => answer(context)));
    return () => {
      const ms = performance.now() - startedAt;
      const { route, level, apiKey } = context;
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
        keyPrefix: shownPrefixFor(apiKey ?? undefined),
        isAborted: !response.writableFinished,
      });
    };
  };
}
