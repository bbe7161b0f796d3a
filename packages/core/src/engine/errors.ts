import { inWords, type Message } from './messages/message.ts';

/** One finding about one field. `path` uses core names, e.g. `energyEurPerKwh.0`; the api translates it. */
export interface Issue {
  readonly path: string;
  readonly message: Message;
  /** The id of the offer, where several are changed at once. */
  readonly offerId?: number;
}

/** The position of an error or change: a row of a sheet. */
export interface RowPosition {
  /** The name of a known sheet, or for an unknown one its name in the file. */
  readonly sheet: string;
  /** The number that the spreadsheet gives it: the first one is 1, and the header counts. */
  readonly row: number;
}

// A-27 and A-43
/**
 * An error in a row of a spreadsheet.
 */
export interface RowError extends RowPosition {
  /** The id of the offer that the row names; `null`: none. */
  readonly id: number | null;
  /** The header of the column; `null`: the row as a whole. */
  readonly column: string | null;
  readonly message: Message;
}

/** The first of many errors, by sheet and row, and how many there are in all. */
export interface RowErrors {
  readonly errors: readonly RowError[];
  /** How many there are, with those that are not shown. */
  readonly errorCount: number;
}

/** `own`: offers of an account's firms. `catalog`: those of the shared catalog, which have no firm. */
export const BULK_FORMATS = ['own', 'catalog'] as const;
export type BulkFormat = (typeof BULK_FORMATS)[number];

/** The state of a budget of points per fixed time window after a call. */
export interface BucketState {
  /** The name in the headers of an answer. */
  readonly name: string;
  /** The number of points of one window, at least 1. */
  readonly points: number;
  /** Seconds. */
  readonly windowSeconds: number;
  /** The number of points that remain in this window, never negative. */
  readonly remaining: number;
  /** Seconds until the window ends, rounded up. */
  readonly resetSeconds: number;
}

/** Every reason for which a request is refused. The list is closed: the api maps it exhaustively. */
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
  'storage_full',
  'not_found',
  'no_subscription',
  'duplicate_name',
  'duplicate_email',
  'wrong_state',
  'precondition_failed',
  'unknown_cursor',
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

/** What a refusal may contain besides the code. Nothing in it comes from a driver, a parser or a library. */
interface CommonDetails {
  readonly message?: Message;
}

interface Issues {
  readonly issues?: readonly Issue[];
}

/** A rate of bills that is undecided or not known on the day of a question. */
export interface OpenRate {
  readonly concept: string;
  readonly kind: string;
  /** The values that it may have; empty: not known. */
  readonly values: readonly {
    /** In the unit of the concept: %, EUR/MWh, EUR/kWh, EUR a month or a year. */
    readonly value: number;
    readonly condition: Message;
  }[];
}

/** Rates with which a bill of such a day may be asked for, in the units of the concepts. */
export interface RateOption {
  /** By the names of `SentRates`: all that the bill needs. */
  readonly rates: Readonly<Record<string, number | undefined>>;
  /** When these are the rates of the law. */
  readonly condition: Message;
}

/** The details of refusals of some codes, besides the message. */
interface MoreDetails {
  readonly invalid_request: Issues;
  readonly not_found: Issues;
  readonly business_rule: Issues & {
    /** What is wrong with the rows of a spreadsheet. */
    readonly rowErrors?: RowErrors & { readonly format: BulkFormat };
    /** Without these no bill can be computed. */
    readonly openRates?: readonly OpenRate[];
    /** Each choice among them; left out where a value is not known. */
    readonly rateOptions?: readonly RateOption[];
  };
  readonly missing_scope: { readonly missingScope?: string };
  readonly rate_limited: {
    /** Seconds until the next try. */
    readonly retryAfterSeconds?: number;
    /** The limits that refused the call. */
    readonly limits?: readonly BucketState[];
  };
  readonly unavailable: {
    /** Seconds until the next try. */
    readonly retryAfterSeconds?: number;
    // A-40
    /** Too many files wait, or too many bodies arrive: nothing was done, and the point of the operation is given back. */
    readonly isQueueFull?: true;
  };
}

/** The details of a refusal by its code: for several codes a union. */
export type RefusalDetails<C extends RefusalCode = RefusalCode> = C extends keyof MoreDetails
  ? CommonDetails & MoreDetails[C]
  : CommonDetails;

interface Refusal<C extends RefusalCode> extends Error {
  readonly code: C;
  readonly details: RefusalDetails<C>;
}

/**
 * A refusal: the request was understood but is not performed. Answers are values, bugs are other errors. It is a union
 * by code: after `error.code === 'business_rule'` the compiler knows the details.
 */
export type DomainError = { readonly [C in RefusalCode]: Refusal<C> }[RefusalCode];

interface DomainErrorClass {
  new <C extends RefusalCode>(code: C, details?: RefusalDetails<C>): Extract<DomainError, { readonly code: C }>;
  readonly prototype: DomainError;
}

/** A class cannot declare that its instances are a union, so the type is declared beside it. */
export const DomainError = class DomainError extends Error {
  readonly code: RefusalCode;
  readonly details: RefusalDetails;

  constructor(code: RefusalCode, details: RefusalDetails = {}) {
    super(details.message === undefined ? reasonOf(code, details) : inWords(details.message));
    this.name = 'DomainError';
    this.code = code;
    this.details = details;
  }
} as DomainErrorClass;

/** How many issues the message of a refusal lists. */
const MAX_LISTED_ISSUES = 3;

/** The message of an error: for a broken rule its first issues, for any other refusal the code. */
function reasonOf(code: RefusalCode, details: RefusalDetails): string {
  const issues = code === 'business_rule' && 'issues' in details ? (details.issues ?? []) : [];
  if (issues.length === 0) return code;
  const listed = issues.slice(0, MAX_LISTED_ISSUES).map(({ path, message }) => `${path} ${inWords(message)}`);
  return `${listed.join('; ')}${issues.length > listed.length ? `, and ${issues.length - listed.length} more` : ''}`;
}

/**
 * The refusal of a stored field or rule (A-28): well-formed, and wrong for the business.
 *
 * @throws DomainError `business_rule` when there is at least one issue.
 */
export function refuseIfAny(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new DomainError('business_rule', { issues });
}

/**
 * Checks an invariant of the program.
 *
 * @throws RangeError when it does not hold: a bug, never a caller's mistake.
 */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new RangeError(message);
}
