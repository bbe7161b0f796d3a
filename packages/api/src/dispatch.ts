import { admit, type Deps, DomainError, permitScopes } from '@tarifario/core';
import { type ApiAnswer, answerTo } from './errors.ts';
import type { Operation } from './operation.ts';
import type { QueryParams } from './read-input.ts';

/** A request as a door received it. */
export interface ApiRequest {
  readonly operation: Operation;
  /** The header `X-API-Key` as received; `null` when there was none. */
  readonly apiKey: string | null;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryParams;
  /**
   * Reads and parses the JSON body. Called only for admitted callers, and only if the operation takes a body.
   *
   * @throws DomainError `invalid_request`, `too_large` or `unsupported_media_type`.
   */
  readBody(): Promise<unknown>;
}

export interface ApiDeps extends Deps {
  /** Told about every error that is no refusal; the caller only learns that something failed. */
  readonly reportBug: (error: unknown) => void;
}

/**
 * The way every call goes, whatever its door: key (401), account (403), scope (403), input (400), then the operation
 * (403, 404, 409, 422). The result never rejects.
 *
 * @see docs/assumptions.md, A-25
 */
export function createDispatch(deps: ApiDeps): (request: ApiRequest) => Promise<ApiAnswer> {
  return async (request) => {
    const { operation, apiKey, params, query } = request;
    try {
      const caller = await admit(deps, apiKey);
      permitScopes(caller, operation.scopes);
      const body = operation.input.body === null ? undefined : await request.readBody();
      const outcome = await operation.run({ deps, caller }, { params, query, body });
      return { status: outcome.status, headers: {}, body: outcome.body };
    } catch (error) {
      if (!(error instanceof DomainError)) deps.reportBug(error);
      return answerTo(error);
    }
  };
}
