import type { ApiAnswer, Dispatch } from '@tarifario/api';
import type { Config, Log } from '@tarifario/runtime';
import type { Arriving } from './arriving-body.ts';
import { readJsonBody } from './json-body.ts';
import { headerOf, type ReadSender } from './sender.ts';

/** A request for a mounted door, whatever its method. */
export interface MountedRequest {
  readonly method: string;
  /** By its name in any case. One that was sent twice arrives joined by a comma. */
  header(name: string): string | null;
  /** As `X-API-Key` or as `Authorization: Bearer`; `null`: there is none. */
  readonly apiKey: string | null;
  /** The address of the client, as far as trusted proxies say. */
  readonly address: string;
  /**
   * The JSON value that it carries.
   *
   * @throws DomainError `unsupported_media_type`, `too_large`, `request_timeout`, or `invalid_request` for what is not JSON
   *   in UTF-8.
   */
  readBody(maxBytes: number): Promise<unknown>;
}

/** Another door at a path of this server: it has its id of requests, its limits, its log and its draining. */
export interface Mount {
  readonly path: string;
  /** Answers every method; what it throws is a bug. */
  handle(request: MountedRequest): Promise<ApiAnswer>;
}

/** Makes a door for the service that the server opens. */
export type MakeMount = (parts: {
  readonly dispatch: Dispatch;
  readonly config: Pick<Config, 'host' | 'mcpAllowedOrigins' | 'mcpAllowedHosts'>;
  readonly log: Log;
}) => Mount;

export function toMountedRequest(arriving: Arriving, readSender: ReadSender): MountedRequest {
  const { request } = arriving;
  return {
    method: request.method ?? '',
    header: (name) => headerOf(request, name.toLowerCase()),
    ...readSender(request),
    readBody: (maxBytes) => readJsonBody(arriving, maxBytes),
  };
}
