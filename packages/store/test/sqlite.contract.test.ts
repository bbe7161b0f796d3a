import { storeContract } from '@tarifario/core/testing';
import { openStore } from '@tarifario/store';
import { type TemporaryDatabase, temporaryDatabase } from '@tarifario/testkit/temporary-database';
import { afterEach, describe, test } from 'vitest';

const databases: TemporaryDatabase[] = [];

afterEach(() => {
  for (const database of databases.splice(0)) database.remove();
});

async function makeStore() {
  const database = await temporaryDatabase();
  databases.push(database);
  return await openStore(database.url);
}

describe('the store on SQLite', () => {
  for (const { name, run } of storeContract(makeStore)) test(name, run);
});
