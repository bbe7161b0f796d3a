import { findBinaries, startPostgres } from '@tarifario/testkit/postgres/server';
import pg from 'pg';
import type { NotRun } from './line.ts';

/** An empty database of a PostgreSQL to compare with. */
export interface PostgresPeer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Measures over a database of `findPostgres`, or says why not. */
export async function onPostgres<T>(measure: (url: string) => Promise<T>): Promise<T | NotRun> {
  const postgres = await findPostgres();
  if (!postgres) return { notRun: 'there is no PostgreSQL: TEST_PG_URL can name one.' };
  try {
    return await measure(postgres.url);
  } finally {
    await postgres.stop();
  }
}

/**
 * A database of its own on the server that TEST_PG_URL names, else on one of the binaries that npm installs; `null`
 * where there is neither.
 */
export async function findPostgres(): Promise<PostgresPeer | null> {
  const url = process.env.TEST_PG_URL;
  if (url) return await databaseOn(url, async () => undefined);
  const binaries = findBinaries();
  if (binaries === null) return null;
  // As in production: a commit is on the disk.
  const server = await startPostgres(binaries, ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on']);
  return await databaseOn(server.url(), server.stop);
}

async function databaseOn(server: string, stop: () => Promise<void>): Promise<PostgresPeer> {
  const name = `tarifario_bench_${process.pid}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  const run = async (statement: string) => {
    const client = new pg.Client(server);
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await run(`create database ${name}`);
  return {
    url: url.href,
    stop: async () => {
      await run(`drop database ${name} with (force)`);
      await stop();
    },
  };
}
