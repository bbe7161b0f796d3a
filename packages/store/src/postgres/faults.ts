import { DomainError } from '@tarifario/core/service';
import { BUSY, unavailable } from '../unavailable.ts';

/** What an error of the driver means for the unit of work. */
export type Fault =
  /** A conflict with another transaction: everything is rolled back, and the same work may succeed when repeated. */
  | 'again'
  /** The database cannot be reached, is busy or full, or ended the transaction; the request itself is valid. */
  | 'unavailable'
  /** The statement itself was rejected. */
  | 'refused';

const RETRYABLE = new Set(['40001', '40P01']);
/** Prepared statements that are missing, or already exist. */
const FORGOTTEN = /^(26000|42P05)$/;
/** Connections, shutdowns, time-outs, resources (a full disk is 53100), I/O errors, a read-only server. */
const UNAVAILABLE = /^(08|53|57P|58)|^(57014|55P03|25P03|25P04|25006|3D000|28000|28P01)$/;
/** After these, and after a broken connection, the outcome of a commit is unknown. */
const OUTCOME_UNKNOWN = /^(08|57P)/;

/**
 * Classifies an error of the driver. Errors of the server have a code of five characters; all others are about the
 * connection.
 */
export function faultOf(error: unknown): Fault {
  // Our own errors, thrown while values were read or written.
  if (error instanceof RangeError || error instanceof TypeError) return 'refused';
  const code = serverCodeOf(error);
  if (code === null) return 'unavailable';
  if (RETRYABLE.has(code)) return 'again';
  return UNAVAILABLE.test(code) || FORGOTTEN.test(code) ? 'unavailable' : 'refused';
}

/** Whether a statement failed because a pooler switched the session. */
export function isForgotten(error: unknown): boolean {
  return FORGOTTEN.test(serverCodeOf(error) ?? '');
}

/** Whether a failed `commit` may have been carried out after all. */
export function isOutcomeUnknown(error: unknown): boolean {
  const code = serverCodeOf(error);
  return code === null || OUTCOME_UNKNOWN.test(code);
}

export function serverCodeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

export const LOCK_TIME_OUT = '55P03';

/** The error for the caller. The reason is only logged. */
export function callerErrorOf(error: unknown): DomainError {
  return serverCodeOf(error) === LOCK_TIME_OUT ? new DomainError('unavailable', BUSY) : unavailable();
}
