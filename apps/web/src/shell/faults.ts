import { TarifarioError } from '@tarifario/client';

/** What a refusal says of the members of a body, by their names. */
export function faultsOf(error: unknown): Readonly<Record<string, string>> {
  const errors = error instanceof TarifarioError ? error.errors : [];
  return Object.fromEntries(errors.flatMap((one) => ('path' in one ? [[one.path, one.error]] : [])));
}
