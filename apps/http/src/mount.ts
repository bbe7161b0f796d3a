import type { ApiAnswer, Dispatch } from '@tarifario/api';
import type { Closing } from '@tarifario/core/service';
import type { Config, Log, Metrics } from '@tarifario/runtime';
import { MAX_BODY, readJsonBody } from './json-body.ts';
import type { RequestContext } from './request-context.ts';
import { headerOf } from './request-head.ts';

/** A request for a mounted handler, with any method. */
export interface MountedRequest {
  readonly method: string;
  /** A header by its name, in upper or lower case. The values of a repeated header are joined by a comma. */
  header(name: string): string | null;
  /** The key from `X-API-Key` or `Authorization: Bearer`; `null`: there is none. */
  readonly apiKey: string | null;
  /** As that of `Sender`. */
  readonly traceparent?: string | null;
  /** As that of `Sender`. */
  readonly closing?: Closing;
  /** The address of the client, according to trusted proxies. */
  readonly address: string;
  /**
   * The JSON value of the body.
   *
   * @throws DomainError `unsupported_media_type`, `too_large`, `request_timeout`, or `invalid_request` for what is not JSON
   *   in UTF-8; `unavailable` when too many large bodies arrive.
   */
  readBody(maxBytes: number, accountId: number): Promise<unknown>;
}

/**
 * A handler at a path of this server. It shares the request ids, the limits, the log and the draining of the server.
 */
export interface Mount {
  readonly path: string;
  /** Answers every method; what it throws is a bug. */
  handle(request: MountedRequest): Promise<ApiAnswer>;
}

/** Creates the handler for the service that the server runs. */
export type MakeMount = (parts: {
  readonly dispatch: Dispatch;
  readonly config: Pick<Config, 'host' | 'mcpAllowedOrigins' | 'mcpAllowedHosts'>;
  readonly log: Log;
  /** Absent: nobody counts. */
  readonly traffic?: Pick<Metrics, 'toolCallEnded'>;
}) => Mount;

export function toMountedRequest(context: RequestContext): MountedRequest {
  const { request } = context;
  const added: Pick<MountedRequest, 'method' | 'header' | 'readBody'> = {
    method: request.method ?? '',
    header: (name) => headerOf(request, name.toLowerCase()),
    readBody: (maxBytes, accountId) => readJsonBody(context, accountId, { ...MAX_BODY, bytes: maxBytes }),
  };
  return Object.assign(context, added);
}
