import { storeContract } from '@tarifario/core/testing';
import { openStore } from '@tarifario/store';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { emptyOut, newDatabase, postgresUrl, type TestDatabase } from './postgres/databases.ts';

describe.skipIf(postgresUrl === null)('the store on PostgreSQL', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await newDatabase();
  });
  afterAll(() => database.drop());

  const makeStore = async () => {
    await emptyOut(database);
    return await openStore(database.url);
  };

  for (const { name, run } of storeContract(makeStore)) test(name, run);
});
