import type { toWireRanking } from '@tarifario/api';

export type RankingAnswer = ReturnType<typeof toWireRanking>;
export type Result = RankingAnswer['results'][number];

/** An answer that is not the one asked for; `status` 0: there was none. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly missingScope: string | null;
  readonly retryAfterSeconds: number | null;
  readonly errors: readonly { readonly path: string; readonly error: string }[];

  constructor(status: number, detail: Record<string, unknown> = {}, retryAfter: string | null = null) {
    super(typeof detail.message === 'string' ? detail.message : `HTTP ${status}`);
    this.status = status;
    this.code = String(detail.code ?? '');
    this.missingScope = typeof detail.missing_scope === 'string' ? detail.missing_scope : null;
    this.retryAfterSeconds = retryAfter === null ? null : Number(retryAfter);
    this.errors = Array.isArray(detail.errors) ? detail.errors : [];
  }
}

export interface Sent {
  /** A record goes as JSON, and a file as it is. */
  readonly body?: object | Blob;
  readonly method?: string;
  readonly signal?: AbortSignal;
}

/** Calls of the API with one key, which goes in a header and nowhere else. */
export type Api = <T = unknown>(path: string, sent?: Sent) => Promise<T>;

export function createApi(key: string): Api {
  return async (path, { body, method = body ? 'POST' : 'GET', signal } = {}) => {
    const isFile = body instanceof Blob;
    const response = await fetch(path, {
      method,
      signal: signal ?? null,
      headers: { 'X-API-Key': key, ...(body ? { 'Content-Type': isFile ? 'text/csv' : 'application/json' } : {}) },
      body: body === undefined || isFile ? (body ?? null) : JSON.stringify(body),
    }).catch((error: unknown) => {
      throw signal?.aborted ? error : new ApiError(0);
    });
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const text = await response.text();
    const answer = isJson ? JSON.parse(text) : text;
    if (response.ok) return answer;
    throw new ApiError(response.status, answer?.detail, response.headers.get('retry-after'));
  };
}
