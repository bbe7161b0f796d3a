import { type ImportJob, runImport, type Store } from '@tarifario/core/service';
import { callerOf, createMemoryWorkbooks, importContract, toSheetRows } from '@tarifario/core/testing';
import { openStore } from '@tarifario/store';
import { runsOf } from '@tarifario/testkit/share';
import { type TemporaryDatabase, temporaryDatabase } from '@tarifario/testkit/temporary-database';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, test } from 'vitest';

const databases = new Map<Store, TemporaryDatabase>();

afterEach(() => {
  for (const database of databases.values()) database.remove();
  databases.clear();
});

async function makeStore() {
  const database = await temporaryDatabase();
  const store = await openStore(database.url);
  databases.set(store, database);
  return store;
}

/** The tables with rows that a refused upload leaves. */
const LEFT_OUT = ['uploads', 'upload_files'];

/** Every row of every other table, the last id of each table among them. */
async function dump(store: Store): Promise<unknown> {
  const handle = new Database(databases.get(store)?.path ?? '', { readonly: true, fileMustExist: true });
  try {
    const tables = handle.prepare<[], string>("select name from sqlite_master where type = 'table'").pluck().all();
    const compared = tables.filter((name) => !LEFT_OUT.includes(name));
    if (compared.length < 10) throw new Error('a database without its tables');
    return compared.map((name) => {
      const rows = handle.prepare(
        `select * from "${name}"${name === 'sqlite_sequence' ? " where name <> 'uploads'" : ''}`,
      );
      return [name, rows.all()];
    });
  } finally {
    handle.close();
  }
}

describe('files applied to the store on SQLite', () => {
  for (const { name, run } of importContract(makeStore, { dump, runs: runsOf(25, 300) })) test(name, run);
});

describe('files applied to the store on SQLite, as far as it can be read', () => {
  for (const { name, run } of importContract(makeStore, { runs: runsOf(1, 12) })) test(name, run);
});

const CONTEXT = { keyId: null, at: '2026-01-01T00:00:00.000Z' };
const HEADER = [
  'cliente',
  'company_name',
  'offer_name',
  'supply_type',
  'tariff_type',
  'acepta_dni',
  'territory_peninsula',
];

test('concurrent files over two connections are each planned on the state after the other', async () => {
  const database = await temporaryDatabase();
  const stores = [await openStore(database.url), await openStore(database.url)] as const;
  databases.set(stores[0], database);
  const accountId = await stores[0].write(CONTEXT, async (writer) => {
    const terms = { name: 'Asesores', email: 'a@example.es', passwordHash: '$', isCatalogEditor: false };
    const account = await writer.accounts.insert(terms);
    await writer.firms.insert(account.id, { name: 'Norte', imageUrl: null, catalogDefault: 'all', isActive: true });
    return account.id;
  });
  const workbooks = createMemoryWorkbooks();
  const caller = callerOf({ accountId });
  const jobOf = (name: string): ImportJob => {
    const rows = toSheetRows([HEADER, ['Norte', 'Iber', name, 'LUZ', '2.0TD', true, true]]);
    const bytes = workbooks.fileOf([{ sheet: 0, name: 'ofertas', dates1904: false, rows }]);
    const file = { fileName: 'a.xlsx', bytes, dryRun: false, uploadId: null, idempotencyRequest: null };
    return { caller, format: 'own', firmId: null, ...file };
  };
  const clock = { now: () => CONTEXT.at };
  const names = Array.from({ length: 10 }, (_, index) => `Oferta ${index}`);
  const reports = await Promise.all(
    names.map((name, index) => {
      const store = stores[index % 2] ?? stores[0];
      return runImport({ store, clock, workbooks, sha256: () => '' }, jobOf(name));
    }),
  );
  expect(reports.map(({ counts }) => counts.companiesCreated).toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  const records = await stores[1].read((reader) => reader.changes.since(accountId, 0));
  expect(records.offers.map(({ offer }) => offer.offerName).toSorted()).toEqual(names);
  expect(records.companies).toHaveLength(1);
  for (const store of stores) await store.close();
});
