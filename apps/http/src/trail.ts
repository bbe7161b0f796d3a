import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Log, requestIdFor, shownPrefixFor, type Traffic, withRequestId } from '@tarifario/runtime';
import { headerOf, keyOf } from './sender.ts';

/** What is known of a request from when it comes until it is over. */
export interface Trail {
  readonly requestId: string;
  /** The template of its path: a path holds ids, and in a mistaken request perhaps a secret. `null`: none of ours. */
  route: string | null;
}

declare global {
  namespace Express {
    /** What express hands on with a response. */
    interface Locals {
      readonly trail: Trail;
    }
  }
}

interface FollowParts {
  readonly log: Pick<Log, 'request'>;
  readonly traffic?: Pick<Traffic, 'requestBegan' | 'requestEnded'> | undefined;
  /** Called after each request that is over, also when its caller went away. */
  readonly whenOver?: (() => void) | undefined;
}

/** Gives a request its id, then lets it be answered; when it is over it is counted and has one line in the log. */
export function follower({ log, traffic, whenOver }: FollowParts) {
  return (request: IncomingMessage, response: ServerResponse, answer: (trail: Trail) => void): void => {
    const startedAt = performance.now();
    traffic?.requestBegan();
    const trail: Trail = { requestId: requestIdFor(headerOf(request, 'x-request-id') ?? undefined), route: null };
    response.on('close', () => {
      const ms = performance.now() - startedAt;
      const { method = '' } = request;
      const { requestId, route } = trail;
      const status = response.statusCode;
      traffic?.requestEnded({ method, route, status, seconds: ms / 1000 });
      log.request({
        requestId,
        method,
        route,
        status,
        ms: Math.round(ms * 10) / 10,
        keyPrefix: shownPrefixFor(keyOf(request) ?? undefined),
        isAborted: !response.writableFinished,
      });
      whenOver?.();
    });
    withRequestId(trail.requestId, () => answer(trail));
  };
}
