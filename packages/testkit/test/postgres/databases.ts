import { migrate } from '@tarifario/store';
import pg from 'pg';
import { expect, inject } from 'vitest';

/** A server to test with, or `null` where there is none; the beginning of the run says so aloud. */
export const postgresUrl = inject('postgresUrl');

/** The driver's connections, for tests of other packages, which do not know the driver. */
export const PostgresClient = pg.Client;

export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  drop(): Promise<void>;
}

const TEMPLATE_LOCK = 7_299_999_999_999_998;

let databaseCount = 0;

/**
 * A database of its own for a test, with the current tables and nothing in them.
 *
 * @param server - The address of any database of the server: that of the run, unless a test has a server to itself.
 */
export async function newDatabase(server = postgresUrl): Promise<TestDatabase> {
  const template = await templateOn(server);
  return await createDatabase(server, `template ${template}`);
}

/** A database of its own with all that is in another one, which nobody uses at that moment. */
export function copyOf(database: TestDatabase): Promise<TestDatabase> {
  return createDatabase(postgresUrl, `template ${database.name}`);
}

const EMPTY_OUT = `do $$
declare
  names text[] := array(select format('%I', tablename) from pg_tables where schemaname = 'public' and tablename <> 'migrations');
  name text;
begin
  set local session_replication_role = replica;
  if exists (select from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_table_size(oid) > 262144) then
    execute 'truncate ' || array_to_string(names, ', ');
  else
    foreach name in array names loop
      execute 'delete from ' || name;
    end loop;
  end if;
  perform setval(format('%I', sequencename)::regclass, 1, false) from pg_sequences where schemaname = 'public';
end $$`;

/**
 * Takes everything out of a database that is in use no more, and lets ids begin at 1. `delete` takes a twentieth of the
 * time of `truncate`, which makes new files of all tables and indexes, but leaves the space of what was deleted.
 */
export async function emptyOut({ url }: TestDatabase): Promise<void> {
  await onServer(url, emptyBy);
}

/** The same over a connection that there is. */
export async function emptyBy(client: Pick<pg.Client, 'query'>): Promise<void> {
  await client.query(EMPTY_OUT);
}

/** A database without tables. */
export async function emptyDatabase(server = postgresUrl): Promise<TestDatabase> {
  return await createDatabase(server, 'template template0');
}

async function createDatabase(server: string | null, from: string): Promise<TestDatabase> {
  databaseCount += 1;
  const name = `tarifario_${process.pid}_${Date.now().toString(36)}_${databaseCount}`;
  await aloneOn(server, `create database ${name} ${from}`);
  return {
    name,
    url: urlOf(server, name),
    drop: () => aloneOn(server, `drop database if exists ${name} with (force)`),
  };
}

const OBJECT_IN_USE = '55006';
const ALONE_MS = 60_000;

/** Does something that fails while others are connected to a database: it is tried again when they have left. */
async function aloneOn(server: string | null, text: string): Promise<void> {
  const began = performance.now();
  for (;;) {
    try {
      await onServer(server, (client) => client.query(text));
      return;
    } catch (error) {
      if (Object(error).code !== OBJECT_IN_USE || performance.now() - began > ALONE_MS) throw error;
    }
  }
}

/**
 * Lets the clock of a database stand still, for all who connect from now on.
 *
 * @returns What moves it on by so many milliseconds.
 */
export async function stopClock({ url, name }: TestDatabase): Promise<(milliseconds: number) => Promise<void>> {
  await onServer(url, (client) =>
    client.query(`create schema stopped;
      create table stopped.clock (moment timestamptz not null);
      insert into stopped.clock values (clock_timestamp());
      create function stopped.clock_timestamp() returns timestamptz language sql volatile as
        'select moment from stopped.clock';
      alter database ${name} set search_path = stopped, pg_catalog, public`),
  );
  const move = 'update stopped.clock set moment = moment + make_interval(secs => $1)';
  return async (milliseconds) => {
    await onServer(url, (client) => client.query(move, [milliseconds / 1000]));
  };
}

/** Ends every connection to a database, and waits until they are gone. */
export async function endConnections({ name }: TestDatabase): Promise<void> {
  await onServer(postgresUrl, (client) =>
    client.query('select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = $1', [name]),
  );
}

/** Waits until so many connections to a database wait for what another one holds. */
export async function untilWaiting({ name }: TestDatabase, count = 1): Promise<void> {
  const waiting = "select 1 from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'";
  const counted = async () => (await onServer(postgresUrl, (client) => client.query(waiting, [name]))).rowCount;
  await expect.poll(counted).toBe(count);
}

/** The first caller makes it; the others wait. */
async function templateOn(server: string | null): Promise<string> {
  const name = inject('postgresTemplate');
  await onServer(server, async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) {
      await client.query(`create database ${name} template template0`);
      await migrate(urlOf(server, name));
    }
    await client.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  });
  return name;
}

function urlOf(server: string | null, database: string): string {
  const url = new URL(server ?? '');
  url.pathname = `/${database}`;
  return url.href;
}

/** Does something over a connection of its own, past the store. */
export async function onServer<T>(url: string | null, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url ?? '');
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
