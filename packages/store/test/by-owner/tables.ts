import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'libpg-query';

/** What divides the tables over the nodes of a distributed engine. */
export const DIVISION = readFileSync(join(import.meta.dirname, '../../../../deploy/citus.sql'), 'utf8');

const { stmts: calls = [] } = await parse(DIVISION);

/** The arguments of each call of a function, those that are texts. */
function callsOf(name: string): readonly (readonly string[])[] {
  const texts = (node: unknown): readonly string[] =>
    Object.entries(typeof node === 'object' ? (node ?? {}) : {}).flatMap(([key, value]) =>
      key === 'sval' && typeof value === 'string' ? [value] : texts(value),
    );
  return calls.filter(({ stmt }) => JSON.stringify(stmt).includes(`"${name}"`)).map(({ stmt }) => texts(stmt).slice(1));
}

/** Divided by owner, all rows of one owner in one place: the column that says whose a row is. */
const divided = callsOf('create_distributed_table').map(([table = '', column = '']) => [table, column] as const);
export const OWNER_COLUMNS: ReadonlyMap<string, string> = new Map(divided);

/** Copied to each node, because every call or every owner needs them. */
const copied = callsOf('create_reference_table').flat();
export const REFERENCE_TABLES: ReadonlySet<string> = new Set(copied);

/** On one node: of the installation, or taken from by whoever is first. */
const [, local = ''] = / On the coordinator: ([^.]*)\./.exec(DIVISION.replaceAll('\n-- ', ' ')) ?? [];

/** Each table once for each place that it has. */
export const PLACED: readonly string[] = [...divided.map(([table]) => table), ...copied, ...local.split(', ')];
