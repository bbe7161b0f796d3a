import { DomainError } from '@tarifario/core/service';

/** What a failure of the driver means for the unit of work in which it happened. */
export type Fault =
  /** Others were in the way: everything is undone, and the same work may succeed when it is done again. */
  | 'again'
  /** The database cannot be reached, is busy or full, or ended the work: nothing is wrong with the request. */
  | 'unavailable'
  /** The statement itself was refused. */
  | 'refused';

const AGAIN = new Set(['40001', '40P01']);
/** Named statements that are gone, or there before they were made. */
const FORGOTTEN = /^(26000|42P05)$/;
/** Connections, shutdowns, time-outs, resources (a full disk is 53100), input and output, a server that only reads. */
const UNAVAILABLE = /^(08|53|57P|58)|^(57014|55P03|25P03|25P04|25006|3D000|28000|28P01)$/;
/** After these, and after a connection that broke, nobody has said what became of a transaction. */
const SAYS_NOTHING = /^(08|57P)/;

/** What the driver threw: an error of the server has a code of five characters; all others are about the connection. */
export function faultOf(error: unknown): Fault {
  // Ours, thrown while values were read or given.
  if (error instanceof RangeError || error instanceof TypeError) return 'refused';
  const code = serverCodeOf(error);
  if (code === null) return 'unavailable';
  if (AGAIN.has(code)) return 'again';
  return UNAVAILABLE.test(code) || FORGOTTEN.test(code) ? 'unavailable' : 'refused';
}

/** Whether a statement failed because of a pooler that gives the sessions of the server to one after the other. */
export function isForgotten(error: unknown): boolean {
  return FORGOTTEN.test(serverCodeOf(error) ?? '');
}

/** Whether a failed `commit` may have been carried out all the same. */
export function leavesOpen(error: unknown): boolean {
  const code = serverCodeOf(error);
  return code === null || SAYS_NOTHING.test(code);
}

export function serverCodeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

const LOCK_TIME_OUT = '55P03';

/** What a caller is told of a failure. The reason is for the log. */
export function toldOf(error: unknown): DomainError {
  return serverCodeOf(error) === LOCK_TIME_OUT ? busy() : unavailable();
}

export function busy(): DomainError {
  return unavailable('the database is busy');
}

export function unavailable(message = 'the database cannot be used for now'): DomainError {
  return new DomainError('unavailable', { message, retryAfterSeconds: 1 });
}
