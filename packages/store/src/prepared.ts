import { assert } from '@tarifario/core/service';
import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Dialect, Session } from './dialects.ts';
import type { Schema } from './schema.ts';

/**
 * A query of every request, built once for each kind of database, because building and compiling it takes longer than
 * SQLite needs to answer it.
 *
 * @param build - Uses each parameter once, in the order given, and adds no value of its own.
 */
export function prepared<Parameters extends readonly (string | number)[], Row>(
  build: (db: Kysely<Schema>, ...parameters: Parameters) => Compilable<Row>,
): (session: Session, ...parameters: Parameters) => Promise<readonly Row[]> {
  const compiled = compiledOnce<Parameters, Row>((session, ...parameters) => build(session.db, ...parameters));
  return (session, ...parameters) => session.rows(compiled(session, parameters), parameters);
}

/** The same with rows as arrays of values. */
export function preparedLists<Parameters extends readonly unknown[]>(
  build: (session: Session, ...parameters: Parameters) => Compilable<unknown>,
): (session: Session, ...parameters: Parameters) => Promise<unknown[][]> {
  const compiled = compiledOnce(build);
  return (session, ...parameters) => session.lists(compiled(session, parameters), parameters);
}

function compiledOnce<Parameters extends readonly unknown[], Row>(
  build: (session: Session, ...parameters: Parameters) => Compilable<Row>,
): (session: Session, parameters: Parameters) => CompiledQuery<Row> {
  const compiled = new WeakMap<Dialect, CompiledQuery<Row>>();
  return (session, parameters) => {
    const earlier = compiled.get(session.dialect);
    if (earlier) return earlier;
    const query = build(session, ...parameters).compile();
    assert(
      query.parameters.length === parameters.length && query.parameters.every((value, i) => value === parameters[i]),
      'a prepared query has the parameters it is given',
    );
    compiled.set(session.dialect, query);
    return query;
  };
}
