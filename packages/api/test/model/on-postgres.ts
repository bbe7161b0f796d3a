import { openStore } from '@tarifario/store';
import { copyOf, newDatabase, PostgresClient } from '@tarifario/testkit/postgres/databases';
import { type ServiceFactory, type System, systemOver } from './systems.ts';

/** Also a unit of work that changes nothing locks its row. */
const TABLES = `
  select table_name as name from information_schema.tables
  where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'write_locks' order by table_name`;
/** A failed insertion, and one that becomes an update, use up an id here and in no other store. */
const CLOSE_GAPS = `
  do $$ declare sequence record; last bigint; begin
    for sequence in
      select table_name as name, pg_get_serial_sequence(table_name, 'id') as path from information_schema.columns
      where table_schema = 'public' and is_identity = 'YES'
    loop
      execute format('select max(id) from %I', sequence.name) into last;
      perform setval(sequence.path, coalesce(last, 1), last is not null);
    end loop;
  end $$`;

/** Services over databases of their own on the server of this run. */
export async function onPostgresServer(setUp: (system: System) => Promise<void>): Promise<ServiceFactory> {
  const template = await newDatabase();
  const first = await openStore(template.url);
  await setUp(systemOver(first));
  await first.close();
  const make = async () => {
    const database = await copyOf(template);
    const store = await openStore(database.url);
    const client = new PostgresClient(database.url);
    await client.connect();
    await client.query(CLOSE_GAPS);
    const { rows: names } = await client.query<{ name: string }>(TABLES);
    const lookAt = (tables: typeof names) => {
      const queries = tables.map(({ name }) => `select '${name}' as name, ${name}::text as row from ${name}`);
      return `${queries.join(' union all ')} order by 1, 2`;
    };
    const all = lookAt(names);
    const rest = lookAt(names.filter(({ name }) => !name.startsWith('upload')));
    return {
      ...systemOver(store),
      name: 'PostgreSQL',
      readsCannotWrite: true,
      tables: async (but?: 'uploads') => JSON.stringify((await client.query(but === 'uploads' ? rest : all)).rows),
      closeGaps: async () => {
        await client.query(CLOSE_GAPS);
      },
      close: async () => {
        await client.end();
        await store.close();
        await database.drop();
      },
    };
  };
  return { make, remove: () => template.drop() };
}
