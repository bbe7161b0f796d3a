import { DomainError, type RefusalCode } from '../../src/engine/errors.ts';

/** One behaviour of a store. `run` gets a fresh, empty store and throws when the store misbehaves. */
export interface StoreCase {
  readonly name: string;
  run(): Promise<void>;
}

/** How many random examples a law is tried with, of so many at full length. */
export type Runs = (full: number) => number;

/** The same while it is written: the suite makes the store and closes it. */
export interface CaseOn<T> {
  readonly name: string;
  readonly run: (subject: T, runs: Runs) => Promise<void>;
}

/** Of all random examples: who runs a suite twice gets the same answer twice. */
export const SEED = 20_261_120;

/** Equal in every field and every bit, except for the sign of zero, which stores may lose. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Map || b instanceof Map) {
    return a instanceof Map && b instanceof Map && isEqual([...a], [...b]);
  }
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const remaining = new Map(Object.entries(a));
  const right = new Map(Object.entries(b));
  return (
    remaining.size === right.size &&
    [...remaining].every(([key, value]) => right.has(key) && isEqual(value, right.get(key)))
  );
}

function shown(value: unknown): string {
  const text = JSON.stringify(value instanceof Map ? [...value] : value) ?? String(value);
  return text.length > 2000 ? `${text.slice(0, 2000)}...` : text;
}

/** @throws Error that shows both, when `actual` is not what was expected. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  if (!isEqual(actual, expected))
    throw new Error(`${what}\n  expected ${shown(expected)}\n  got      ${shown(actual)}`);
}

export function holds(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

/** The value, which must be there. */
export function present<T>(value: T | null | undefined, what: string): T {
  holds(value !== null && value !== undefined, `${what}: missing`);
  return value;
}

/** What a promise was rejected with. */
export async function failureOf(attempt: Promise<unknown>, what: string): Promise<unknown> {
  let answer: unknown;
  try {
    answer = await attempt;
  } catch (error) {
    return error;
  }
  throw new Error(`${what}: should have failed, answered ${shown(answer)}`);
}

/** The attempt is refused with this code. */
export async function refused(code: RefusalCode, attempt: Promise<unknown>, what: string): Promise<void> {
  const error = await failureOf(attempt, what);
  const got = error instanceof DomainError ? error.code : error;
  if (got !== code) throw new Error(`${what}: should be refused with ${code}, failed with ${String(got)}`);
}

/** The attempt fails as a bug does: not as a refusal, which a caller would get. */
export async function fails(attempt: Promise<unknown>, what: string): Promise<void> {
  const error = await failureOf(attempt, what);
  holds(!(error instanceof DomainError), `${what}: is a bug of the program, not a refusal (${String(error)})`);
}
