import { answerParent } from '../child.ts';
import { answerDatabase, type DatabaseDriver } from '../database-peer.ts';
import { createTables, rankingQuery, tableRows } from '../sql.ts';

/** As much of pg as is used here. */
interface Pg {
  readonly default: { readonly Client: new (options: { readonly connectionString: string }) => Client };
}

interface Client {
  connect(): Promise<void>;
  end(): Promise<void>;
  query<Row>(query: string | object, values?: readonly unknown[]): Promise<{ readonly rows: readonly Row[] }>;
}

const specifier: string = 'pg';
const { default: pg }: Pg = await import(specifier);
const client = new pg.Client({ connectionString: process.argv[2] ?? '' });
await client.connect();

/** PostgreSQL with a named prepared statement on one connection. Arguments: the address of a database. */
const driver: DatabaseDriver = {
  form: {
    parameter: (n) => `$${n}::float8`,
    double: 'float8',
    id: 'bigint',
    clustered: '',
    greatest: (a, b) => `greatest(${a}, ${b})`,
    least: (a, b) => `least(${a}, ${b})`,
  },
  async load(offers) {
    await client.query('drop schema if exists tarifario_bench cascade');
    await client.query('create schema tarifario_bench');
    await client.query('set search_path to tarifario_bench');
    for (const sql of createTables(driver.form)) await client.query(sql);
    for (const { table, columns, rows } of tableRows(offers)) {
      const types = columns.map((name) => (name.endsWith('id') ? 'bigint[]' : 'float8[]'));
      const unnested = types.map((type, i) => `$${i + 1}::${type}`);
      const values = columns.map((_, column) => rows.map((row) => row[column]));
      await client.query(`insert into ${table} (${columns}) select * from unnest(${unnested})`, values);
    }
    await client.query('analyze');
    const text = rankingQuery(driver.form);
    return async (values) => {
      const { rows } = await client.query<[string]>({ name: 'rank', text, values, rowMode: 'array' });
      return rows.map(([id]) => Number(id));
    };
  },
};

answerParent(answerDatabase(driver), async () => {
  await client.query('drop schema if exists tarifario_bench cascade');
  await client.end();
});
