import type { Outcome } from './call.ts';
import type { Operation } from './operation.ts';

/** Gives the location at which a created or queued record can be read. */
export type Locate = (call: Pick<Operation, 'path'> & { readonly params: Params }, outcome: Outcome) => Outcome;

type Params = Readonly<Record<string, string>>;

/** Parameters that name a record at the end of a path, and the fields of its answer that have their values. */
const NAMES = [
  ['id', 'id'],
  ['month', 'reference_month'],
] as const;

/** Adds `Location` to the answers 201 and 202: the path at which the table reads the record. */
export function createLocate(table: readonly Operation[]): Locate {
  const readable = new Set(table.filter(({ method }) => method === 'GET').map(({ path }) => path));
  return ({ path, params }, outcome) => {
    const { status, headers, body } = outcome;
    if (status !== 201 && status !== 202) return outcome;
    const name = NAMES.find(([parameter]) => readable.has(`${path}/{${parameter}}`));
    if (name === undefined) return outcome;
    const list = path.replaceAll(/\{(\w+)\}/g, (_braces, parameter) => encodeURIComponent(params[parameter] ?? ''));
    const { [name[1]]: value } = body as Params;
    return { ...outcome, headers: { Location: `${list}/${value}`, ...headers } };
  };
}
