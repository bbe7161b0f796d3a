import { DomainError, type StoredAnswer } from '@tarifario/core/service';
import { postgresUrl, untilWaiting } from '@tarifario/testkit/postgres/databases';
import { beforeEach, describe, expect, test } from 'vitest';
import { tenantOnPostgres } from './tenant-on-postgres.ts';

// Units of work about different things run at the same time here, and nowhere else: what is kept under a name is decided
// by the index, and by what a statement sees that had to wait for a row.

const DAY = ['2026-03-01', '2026-03-02', '2026-03-03'].map((date) => `${date}T12:00:00.000Z`) as [
  string,
  string,
  string,
];

describe.skipIf(postgresUrl === null)('stored answers on PostgreSQL', () => {
  const { world, open } = tenantOnPostgres();
  let keyId: number;
  const about = (at: string) => ({ keyId: null, at, concerns: [] });

  beforeEach(async () => {
    const rights = { firmId: null, name: null, fullAccess: true, scopes: [] };
    const terms = { accountId: world.account.id, prefix: 'p', secretHash: 's', ...rights };
    keyId = (await world.store.write({ keyId: null, at: DAY[0] }, (writer) => writer.keys.insert(terms))).id;
  });

  const answerOf = (answer: string): StoredAnswer => {
    return { keyId, idempotencyKey: 'alta', fingerprint: 'f', rights: 'r', answer };
  };
  const stored = () => world.store.read((reader) => reader.answers.get(keyId, 'alta'));
  test('A-53: of units of work without a common concern, the unique index lets one store an answer', async () => {
    const [store, other] = [world.store, open().store];
    let second: Promise<unknown> = Promise.resolve();
    await store.write(about(DAY[0]), async (writer) => {
      await writer.answers.store(answerOf('first'), { replacesOlderThan: DAY[0] });
      second = other
        .write(about(DAY[0]), (late) => late.answers.store(answerOf('second'), { replacesOlderThan: DAY[0] }))
        .catch((error) => error);
      await untilWaiting(world.database);
    });
    const refusal = await second;
    expect(refusal).toBeInstanceOf(DomainError);
    expect(refusal).toMatchObject({ code: 'idempotency_in_flight' });
    expect((await stored())?.answer).toBe('first');
  });

  test('a unit of work whose rival rolls back stores its answer', async () => {
    const [store, other] = [world.store, open().store];
    let second: Promise<unknown> = Promise.resolve();
    const first = store.write(about(DAY[0]), async (writer) => {
      await writer.answers.store(answerOf('first'), { replacesOlderThan: DAY[0] });
      second = other.write(about(DAY[0]), (late) =>
        late.answers.store(answerOf('second'), { replacesOlderThan: DAY[0] }),
      );
      await untilWaiting(world.database);
      throw new Error('given up');
    });
    await expect(first).rejects.toThrow('given up');
    await second;
    expect((await stored())?.answer).toBe('second');
  });

  test('A-53: an answer that replaced an old one is not deleted with the old ones', async () => {
    const [store, sweeper] = [world.store, open().store];
    await store.write(about(DAY[0]), (writer) => writer.answers.store(answerOf('old'), { replacesOlderThan: DAY[0] }));
    let swept: Promise<number> = Promise.resolve(-1);
    await store.write(about(DAY[2]), async (writer) => {
      await writer.answers.store(answerOf('new'), { replacesOlderThan: DAY[1] });
      swept = sweeper.write(about(DAY[2]), (late) => late.answers.deleteBefore(DAY[1], 10));
      await untilWaiting(world.database);
    });
    expect(await swept).toBe(0);
    expect((await stored())?.answer).toBe('new');
  });
});
