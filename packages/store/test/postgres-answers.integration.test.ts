import { DomainError, type StoredAnswer } from '@tarifario/core/service';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newDatabase, onServer, postgresUrl, type TestDatabase, untilWaiting } from './postgres/databases.ts';
import { type OpenedStore, openWith } from './postgres/tenant-on.ts';

// Units of work about different things run at the same time here, and nowhere else: what is kept under a name is decided
// by the index, and by what a statement sees that had to wait for a row.

const DAY = ['2026-03-01', '2026-03-02', '2026-03-03'].map((date) => `${date}T12:00:00.000Z`) as [
  string,
  string,
  string,
];

describe.skipIf(postgresUrl === null)('stored answers on PostgreSQL', () => {
  let database: TestDatabase;
  let keyId: number;
  const opened: OpenedStore[] = [];
  const open = () => {
    const one = openWith(database.url);
    opened.push(one);
    return one.store;
  };
  const about = (at: string) => ({ keyId: null, at, concerns: [] });

  beforeAll(async () => {
    database = await newDatabase();
  });
  beforeEach(async () => {
    await onServer(database.url, (client) => client.query('truncate accounts restart identity cascade'));
    keyId = await open().write({ keyId: null, at: DAY[0] }, async (writer) => {
      const terms = { name: 'A', email: 'a@example.es', passwordHash: '-', isCatalogEditor: true };
      const { id: accountId } = await writer.insertAccount(terms);
      const rights = { firmId: null, name: null, fullAccess: true, scopes: [] };
      return (await writer.insertKey({ accountId, prefix: 'p', secretHash: 's', ...rights })).id;
    });
  });
  afterEach(async () => {
    for (const { store } of opened.splice(0)) await store.close();
  });
  afterAll(() => database.drop());

  const answerOf = (answer: string): StoredAnswer => {
    return { keyId, idempotencyKey: 'alta', fingerprint: 'f', rights: 'r', answer };
  };
  const stored = () => open().read((reader) => reader.storedAnswer(keyId, 'alta'));
  test('A-53: of units of work without a common concern, the unique index lets one store an answer', async () => {
    const [store, other] = [open(), open()];
    let second: Promise<unknown> = Promise.resolve();
    await store.write(about(DAY[0]), async (writer) => {
      await writer.storeAnswer(answerOf('first'), { replacesOlderThan: DAY[0] });
      second = other
        .write(about(DAY[0]), (late) => late.storeAnswer(answerOf('second'), { replacesOlderThan: DAY[0] }))
        .catch((error) => error);
      await untilWaiting(database);
    });
    const refusal = await second;
    expect(refusal).toBeInstanceOf(DomainError);
    expect(refusal).toMatchObject({ code: 'idempotency_in_flight' });
    expect((await stored())?.answer).toBe('first');
  });

  test('a unit of work whose rival rolls back stores its answer', async () => {
    const [store, other] = [open(), open()];
    let second: Promise<unknown> = Promise.resolve();
    const first = store.write(about(DAY[0]), async (writer) => {
      await writer.storeAnswer(answerOf('first'), { replacesOlderThan: DAY[0] });
      second = other.write(about(DAY[0]), (late) =>
        late.storeAnswer(answerOf('second'), { replacesOlderThan: DAY[0] }),
      );
      await untilWaiting(database);
      throw new Error('given up');
    });
    await expect(first).rejects.toThrow('given up');
    await second;
    expect((await stored())?.answer).toBe('second');
  });

  test('A-53: an answer that replaced an old one is not deleted with the old ones', async () => {
    const [store, sweeper] = [open(), open()];
    await store.write(about(DAY[0]), (writer) => writer.storeAnswer(answerOf('old'), { replacesOlderThan: DAY[0] }));
    let swept: Promise<number> = Promise.resolve(-1);
    await store.write(about(DAY[2]), async (writer) => {
      await writer.storeAnswer(answerOf('new'), { replacesOlderThan: DAY[1] });
      swept = sweeper.write(about(DAY[2]), (late) => late.deleteAnswersBefore(DAY[1], 10));
      await untilWaiting(database);
    });
    expect(await swept).toBe(0);
    expect((await stored())?.answer).toBe('new');
  });
});
