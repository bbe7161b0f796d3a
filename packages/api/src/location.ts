import type { Outcome } from './call.ts';
import type { Operation } from './operation.ts';

/** Gives the location at which what was created or queued can be read. */
export type Locate = (
  call: Pick<Operation, 'path' | 'shownAt'> & { readonly params: Params },
  outcome: Outcome,
) => Outcome;

type Params = Readonly<Record<string, string>>;

/** Parameters that name a record at the end of a path, and the fields of its answer that have their values. */
const NAMES = [
  ['id', 'id'],
  ['month', 'reference_month'],
] as const;

/** A path with the values of its parameters. */
export function filled(path: string, params: Params): string {
  return path.replaceAll(/\{(\w+)\}/g, (_braces, parameter) => encodeURIComponent(params[parameter] ?? ''));
}

/** Adds `Location` to the answers 201 and 202: `shownAt`, or the path at which the table reads the record. */
export function createLocate(table: readonly Operation[]): Locate {
  const readable = new Set(table.filter(({ method }) => method === 'GET').map(({ path }) => path));
  return ({ path, shownAt, params }, outcome) => {
    const { status, headers, body } = outcome;
    if (status !== 201 && status !== 202) return outcome;
    if (shownAt !== null) return { ...outcome, headers: { Location: filled(shownAt, params), ...headers } };
    const name = NAMES.find(([parameter]) => readable.has(`${path}/{${parameter}}`));
    if (name === undefined) return outcome;
    const { [name[1]]: value } = body as Params;
    return { ...outcome, headers: { Location: `${filled(path, params)}/${value}`, ...headers } };
  };
}
