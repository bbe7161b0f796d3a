import type { Refusal } from './generated.ts';

type Detail = Refusal['detail'];

/**
 * Why a call failed: a code of the service, `unreachable` when no answer came, or `unexpected_answer` when it is none of
 * the service, such as the page of a proxy.
 */
export type TarifarioErrorCode = Detail['code'] | 'unreachable' | 'unexpected_answer';

/**
 * Every failure of a call except an abort, which rejects with the reason of its signal. Its message has the first of
 * `errors`, and never the API key.
 */
export class TarifarioError extends Error {
  readonly code: TarifarioErrorCode;
  /** The HTTP status; 0 when no answer came. */
  readonly status: number;
  /** The id of the request in the log of the service. */
  readonly requestId: string | null;
  /** Seconds to wait before the next try; `null` without a `Retry-After` that says so. */
  readonly retryAfterSeconds: number | null;
  /** The errors in the fields of the request, or in the rows of its file. */
  readonly errors: NonNullable<Detail['errors']>;
  /** The whole detail of the answer; `null` when there was none. */
  readonly detail: Detail | null;

  constructor(
    code: TarifarioErrorCode,
    facts: {
      readonly message: string;
      readonly response?: Response;
      readonly detail?: Detail;
      readonly cause?: unknown;
    },
  ) {
    super(facts.message, facts.cause === undefined ? {} : { cause: facts.cause });
    this.name = 'TarifarioError';
    this.code = code;
    this.status = facts.response?.status ?? 0;
    this.requestId = facts.response?.headers.get('X-Request-Id') ?? null;
    this.retryAfterSeconds = facts.response ? retryAfterOf(facts.response) : null;
    this.detail = facts.detail ?? null;
    this.errors = facts.detail?.errors ?? [];
  }
}

/** The seconds of `Retry-After`, which a proxy may write as a date; `null`: it is missing or neither. */
export function retryAfterOf({ headers }: Response): number | null {
  const text = headers.get('Retry-After')?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  // `Date.parse` finds a year in '1.5' too.
  const at = /^[A-Z][a-z]+, \d.* GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

/** The error of an answer that is not a success, or not of the expected kind. */
export function errorOf(response: Response, text: string): TarifarioError {
  const detail = parsed(text)?.detail;
  if (typeof detail?.code === 'string') {
    return new TarifarioError(detail.code, { message: messageOf(detail), response, detail });
  }
  const message = `answered ${response.status} by something else than the service`;
  return new TarifarioError('unexpected_answer', { message, response });
}

/** With the first error, which says what to change: most programs print no more than this. */
function messageOf({ message, errors: [first] = [] }: Detail): string {
  if (!first) return message;
  const place = 'path' in first ? first.path : `${first.sheet} ${first.row}`;
  return [message, place, first.error].filter((text) => text !== '').join(': ');
}

/** A JSON value; `undefined` if the text is none. */
export function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Converts what `fetch` throws into an error, unless the call was aborted. */
export function unreachable(signal: AbortSignal | null | undefined): (cause: unknown) => never {
  return (cause) => {
    signal?.throwIfAborted();
    throw new TarifarioError('unreachable', { message: 'the service cannot be reached', cause });
  };
}
