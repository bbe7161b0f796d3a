import { storeContract } from '@tarifario/core/testing';
import { openStore } from '@tarifario/store';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newDatabase, onServer, postgresUrl, type TestDatabase } from './postgres/databases.ts';

describe.skipIf(postgresUrl === null)('the store on PostgreSQL', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await newDatabase();
  });
  afterAll(() => database.drop());

  // Emptying a database is ten times as fast as making one.
  const makeStore = async () => {
    await onServer(database.url, (client) =>
      client.query('truncate accounts, usage_endpoints, revisions restart identity cascade'),
    );
    return await openStore(database.url);
  };

  for (const { name, run } of storeContract(makeStore)) test(name, run);
});
