import { expect, test } from 'vitest';
import { postgresDialect } from './dialects.ts';

test.each([
  ['in another language', 'llave duplicada viola restricción de unicidad «firms_name»', { constraint: 'firms_name' }],
  ['of a table that is divided', 'duplicate key value violates unique constraint "firms_name_102041"', {}],
])('a name that is taken is refused as such by an error of PostgreSQL %s', (_which, message, more) => {
  const error = Object.assign(new Error(message), { code: '23505', ...more });
  expect(postgresDialect.explain(error)).toMatchObject({ code: 'duplicate_name' });
});
