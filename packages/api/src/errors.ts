import { DomainError, type Issue, type Message, type RefusalCode, withoutCups } from '@tarifario/core/service';
import type { Outcome } from './call.ts';
import { toWireRowErrors } from './nouns/bulk-files.ts';
import { toWireAlternatives, toWireOptions } from './nouns/taxes.ts';
import { toWireIssue } from './wire/paths.ts';

/** The answer that a transport sends. */
export interface ApiAnswer extends Outcome {
  readonly headers: Readonly<Record<string, string>>;
}

/** How many findings one answer lists at most. */
const MAX_ERRORS = 100;
/** The same for changes of several offers: enough to name each offer of a batch. */
const MAX_ERRORS_OF_OFFERS = 1000;
/** How many characters of a caller's input an error repeats at most. */
const MAX_ECHO = 60;

/** The status of each refusal, and its message where the refusal has none of its own. */
const REFUSALS: Readonly<Record<RefusalCode, readonly [status: number, message: Message]>> = {
  invalid_request: [400, 'the request is malformed'],
  unauthenticated: [
    401,
    'the API key in the header X-API-Key, or Authorization as Bearer, is missing, invalid or inactive',
  ],
  wrong_password: [401, 'the current password is wrong'],
  account_inactive: [403, 'the account is deactivated'],
  missing_scope: [403, 'the API key lacks a scope'],
  weight_needs_commissions: [403, 'w below 1 needs the scope commissions:read'],
  foreign_firm: [403, 'no access to that advisory firm'],
  bound_key: [403, 'a key bound to one advisory firm cannot do this'],
  firm_inactive: [403, 'the advisory firm of the API key is deactivated'],
  not_catalog_editor: [403, 'the account may not write the catalog'],
  not_full_access: [403, 'this needs a key with full access'],
  firm_limit_reached: [403, 'the plan allows no more active advisory firms'],
  storage_full: [403, 'the plan allows no more bytes of this kind'],
  quota_reached: [409, 'the plan allows no more records of this kind'],
  not_found: [404, 'not found'],
  no_subscription: [404, 'there is no active subscription'],
  method_not_allowed: [405, 'the method is not allowed here'],
  duplicate_name: [409, 'the name is already in use'],
  duplicate_email: [409, 'the e-mail address is already in use'],
  wrong_state: [409, 'the record is in a state that does not allow this'],
  precondition_failed: [412, 'the record is not as If-Match says: it was changed, or is not there'],
  unknown_cursor: [410, 'the cursor is not known here: read everything again, from a call without it'],
  idempotency_in_flight: [409, 'a request with this Idempotency-Key is being answered'],
  idempotency_rights_changed: [409, 'the rights of the API key have changed since this Idempotency-Key was used'],
  idempotency_mismatch: [422, 'another request was sent with this Idempotency-Key'],
  request_timeout: [408, 'the request did not arrive in time'],
  too_large: [413, 'the request is too large'],
  unsupported_media_type: [415, 'the content type is not supported'],
  business_rule: [422, 'the request breaks a rule'],
  rate_limited: [429, 'too many requests'],
  unavailable: [503, 'the service is not available for the moment'],
};

/** The message of a refusal that has none of its own. */
export function messageOf(code: RefusalCode | 'internal_error'): Message {
  return code === 'internal_error' ? 'internal error' : REFUSALS[code][1];
}

export function statusOf(code: RefusalCode): number {
  return REFUSALS[code][0];
}

/** One entry of `errors` in an answer. */
export interface WireError {
  readonly path: string;
  readonly error: Message;
  /** Only when several offers are changed at once. */
  readonly offer_id?: number;
}

interface WireDetail {
  readonly code: RefusalCode | 'internal_error';
  readonly message: Message;
  readonly missing_scope?: string;
  readonly errors?: readonly WireError[] | ReturnType<typeof toWireRowErrors>['errors'];
  /** The number of all wrong rows of a spreadsheet, including those not listed. */
  readonly error_count?: number;
  /** The values that open rates of bills may have. */
  readonly alternativas?: ReturnType<typeof toWireAlternatives>;
  /** What may be sent for them. */
  readonly opciones?: ReturnType<typeof toWireOptions>;
}

/**
 * Turns an error into an answer. Every refusal and failure has the same shape: `{ detail: { code, message, ... } }`. A
 * bug reveals no details. Its messages are values: `inLanguage` puts them in words.
 *
 * @param error - Anything thrown. Only a `DomainError` gives the caller details.
 * @see docs/assumptions.md, A-27
 */
export function answerTo(error: unknown): ApiAnswer {
  const detail = detailOf(error);
  if (!(error instanceof DomainError)) return answerWith(500, detail);
  const retryAfterSeconds = 'retryAfterSeconds' in error.details ? error.details.retryAfterSeconds : undefined;
  const status = statusOf(error.code);
  return answerWith(status, detail, {
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer realm="tarifario"' } : {}),
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
  });
}

/** The detail of a refusal, alone or as one of many. */
export function detailOf(error: unknown): WireDetail {
  if (!(error instanceof DomainError)) return { code: 'internal_error', message: messageOf('internal_error') };
  const { code, details } = error;
  const { missingScope } = code === 'missing_scope' ? details : {};
  const { rowErrors, openRates, rateOptions } = code === 'business_rule' ? details : {};
  const issues = 'issues' in details ? details.issues : undefined;
  // Issues of malformed input come from the wire schemas and have wire names; all others come from core and have core
  // names.
  const toError = (issue: Issue) => toWireError(code === 'invalid_request' ? issue : toWireIssue(issue));
  return {
    code,
    // The headers of a key are a matter of the api, not of core.
    message: (code === 'unauthenticated' ? undefined : details.message) ?? messageOf(code),
    ...(missingScope === undefined ? {} : { missing_scope: missingScope }),
    ...(issues === undefined ? {} : { errors: listed(issues).map(toError) }),
    ...(openRates === undefined ? {} : { alternativas: toWireAlternatives(openRates) }),
    ...(rateOptions === undefined ? {} : { opciones: toWireOptions(rateOptions) }),
    ...(rowErrors === undefined ? {} : toWireRowErrors(rowErrors)),
  };
}

function answerWith(status: number, detail: WireDetail, headers: Record<string, string> = {}): ApiAnswer {
  return { status, headers, body: { detail } };
}

function toWireError({ path, message, offerId }: Issue): WireError {
  // An unknown name may be a value in the wrong place, and as long as a body.
  const start = withoutCups(path.slice(0, 100 * MAX_ECHO));
  return { path: clipped(start), error: message, ...(offerId === undefined ? {} : { offer_id: offerId }) };
}

/** The issues that are listed, in their order. Every offer is represented, even if another has many issues. */
function listed(issues: readonly Issue[]): readonly Issue[] {
  const named = new Set<number>();
  const firsts = new Set<Issue>();
  for (const issue of issues) {
    if (issue.offerId === undefined || named.has(issue.offerId)) continue;
    named.add(issue.offerId);
    firsts.add(issue);
  }
  let room = (named.size > 0 ? MAX_ERRORS_OF_OFFERS : MAX_ERRORS) - firsts.size;
  return issues.filter((issue) => {
    if (firsts.has(issue)) return true;
    room -= 1;
    return room >= 0;
  });
}

/** The start of a text that a caller sent, well-formed and short enough to repeat. */
function clipped(text: string): string {
  const start = text.slice(0, 2 * MAX_ECHO);
  const characters = [...start.toWellFormed()];
  return text.length <= start.length && characters.length <= MAX_ECHO
    ? characters.join('')
    : `${characters.slice(0, MAX_ECHO - 1).join('')}…`;
}
