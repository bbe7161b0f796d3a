import { CommandError } from './command.ts';

/**
 * Whether an error is shown by its message alone: one of the command, of a database that cannot be used, or of the system,
 * such as a missing file or a port in use. Any other is a bug, which is shown with its stack.
 */
export function isExpected(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const chain = [error, error.cause];
  return error instanceof CommandError || isNamed(error, 'DatabaseProblem') || chain.some(isOfSystem);
}

/** By its name, because importing the class would load the whole service. */
export function isNamed<E extends Error>(error: unknown, name: E['name']): error is E {
  return error instanceof Error && error.name === name;
}

/** Errors of the system have a code such as `ENOENT`; those of misused modules of Node one such as `ERR_INVALID_STATE`. */
function isOfSystem(error: unknown): boolean {
  return isNamed(error, 'Error') && 'code' in error && /^E[A-Z\d]+$/.test(String(error.code));
}
