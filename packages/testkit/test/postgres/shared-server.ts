import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { findBinaries, startPostgres } from './server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL server for the tests, as the address of its first database; `null`: there is none. */
    readonly postgresUrl: string | null;
    /** The database that those of this run are copied from. Made by the first test that needs it. */
    readonly postgresTemplate: string;
  }
}

/** One server for the whole run: that of `TEST_PG_URL`, else one from npm's binaries. Stopped at the end. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const template = `tarifario_template_${process.pid}_${Date.now().toString(36)}`;
  project.provide('postgresTemplate', template);
  const url = process.env.TEST_PG_URL;
  const binaries = url === undefined ? findBinaries() : null;
  if (binaries === null) {
    project.provide('postgresUrl', url ?? null);
    if (url === undefined) {
      process.stderr.write(
        `\n*** No PostgreSQL for ${process.platform}-${process.arch}: its tests are SKIPPED. Name a server in TEST_PG_URL.\n\n`,
      );
      return undefined;
    }
    // A server that outlives the run keeps nothing of it.
    return () => dropDatabase(url, template);
  }
  const server = await startPostgres(binaries);
  project.provide('postgresUrl', server.url());
  return () => server.stop();
}

async function dropDatabase(server: string, name: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`drop database if exists ${name} with (force)`);
  await client.end();
}
