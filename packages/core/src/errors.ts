import type { RowErrors } from './bulk/row-errors.ts';
import type { BulkFormat } from './bulk/sheets.ts';
import type { BucketState } from './ports/machine.ts';

/** One finding about one field. `path` uses core names, e.g. `energyEurPerKwh.0`; the doors translate it. */
export interface Issue {
  readonly path: string;
  readonly message: string;
  /** The offer it is about, where several are changed at once. */
  readonly offerId?: number;
}

/** Every reason for which a request is refused. The list is closed: each door maps it exhaustively. */
export const REFUSAL_CODES = [
  'invalid_request',
  'unauthenticated',
  'wrong_password',
  'account_inactive',
  'missing_scope',
  'weight_needs_commissions',
  'foreign_firm',
  'bound_key',
  'firm_inactive',
  'not_catalog_editor',
  'not_full_access',
  'firm_limit_reached',
  'quota_reached',
  'not_found',
  'no_subscription',
  'duplicate_name',
  'duplicate_email',
  'wrong_state',
  'precondition_failed',
  'idempotency_in_flight',
  'idempotency_rights_changed',
  'idempotency_mismatch',
  'request_timeout',
  'too_large',
  'unsupported_media_type',
  'method_not_allowed',
  'business_rule',
  'rate_limited',
  'unavailable',
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** What a caller may be told besides the code. Nothing in it comes from a driver, a parser or a library. */
export interface RefusalDetails {
  readonly message?: string;
  readonly issues?: readonly Issue[];
  readonly missingScope?: string;
  readonly retryAfterSeconds?: number;
  /** The limits that refused, where that is the reason. */
  readonly limits?: readonly BucketState[];
  /** What is wrong with the rows of a spreadsheet. */
  readonly rowErrors?: RowErrors & { readonly format: BulkFormat };
  /** Too many files wait: nothing was done, and the point of the operation is given back. */
  readonly isQueueFull?: true;
}

/** A refusal: the request was understood and will not be done. Answers are values, bugs are other errors. */
export class DomainError extends Error {
  readonly code: RefusalCode;
  readonly details: RefusalDetails;

  constructor(code: RefusalCode, details: RefusalDetails = {}) {
    super(details.message ?? code);
    this.name = 'DomainError';
    this.code = code;
    this.details = details;
  }
}

/**
 * The refusal of a stored field or rule (A-28: well-formed, and wrong for the business).
 *
 * @throws DomainError `business_rule` when there is at least one issue.
 */
export function refuseIfAny(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new DomainError('business_rule', { issues });
}

/**
 * States what must be true if the program is right.
 *
 * @throws RangeError when it is not: a bug, never a caller's mistake.
 */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new RangeError(message);
}
