import { storeContract } from '@tarifario/core/testing';
import { openStore } from '@tarifario/store';
import { afterEach, describe, test } from 'vitest';
import { runsOfContract } from './share.ts';
import { type TemporaryDatabase, temporaryDatabase } from './temporary-database.ts';

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
  for (const { name, run } of storeContract(makeStore, { runs: runsOfContract })) test(name, run);
});
