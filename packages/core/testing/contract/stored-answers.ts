import type { StoredAnswer } from '../../src/service/access/idempotency.ts';
import type { ApiKey } from '../../src/service/accounts/account.ts';
import type { Store } from '../../src/service/ports/stores.ts';
import { activeFirmCount } from '../../src/service/usecases/requests/stats.ts';
import { type CaseOn, equal, fails, failureOf, holds, refused } from './assertions.ts';
import { at, firmTerms, moment, newAccount } from './world.ts';

async function newKey(store: Store, secretHash: string): Promise<ApiKey> {
  const { id: accountId } = await newAccount(store);
  const shown = { name: null, prefix: 'tfk_', fullAccess: true, scopes: [] };
  return store.write(at(1), (writer) => writer.keys.insert({ accountId, firmId: null, secretHash, ...shown }));
}

function answerOf(keyId: number, changes: Partial<StoredAnswer> = {}): StoredAnswer {
  return { keyId, idempotencyKey: 'alta-1', fingerprint: 'f1', rights: 'all', answer: '{"status":201}', ...changes };
}

/** Keeps an answer at a moment; one that is older than another moment gives way. */
function keep(
  store: Store,
  answer: StoredAnswer,
  { n, replacesOlderThan = 0 }: { n: number; replacesOlderThan?: number },
) {
  return store.write(at(n), (writer) => writer.answers.store(answer, { replacesOlderThan: moment(replacesOlderThan) }));
}

function look(store: Store, keyId: number, idempotencyKey = 'alta-1') {
  return store.read((reader) => reader.answers.get(keyId, idempotencyKey));
}

/** Answers that are stored together with their effect. */
export const storedAnswerCases: readonly CaseOn<Store>[] = [
  {
    name: 'a stored answer is found only under its API key and idempotency key, unchanged',
    run: async (store) => {
      const [own, other] = [await newKey(store, 'a'), await newKey(store, 'b')];
      const long = answerOf(own.id, { idempotencyKey: '~'.repeat(255), answer: `"${'ñ€😀'.repeat(10_000)}"` });
      await keep(store, answerOf(own.id), { n: 5 });
      await keep(store, long, { n: 6 });
      equal(await look(store, own.id), { ...answerOf(own.id), storedAt: moment(5) }, 'the answer');
      equal(await look(store, own.id, long.idempotencyKey), { ...long, storedAt: moment(6) }, 'a long one');
      equal(await look(store, other.id), null, 'that of another key');
      for (const name of ['ALTA-1', 'alta-1 ', 'alta', 'alta_1', 'alta%']) {
        equal(await look(store, own.id, name), null, `the name ${name}`);
      }
      const theirs = answerOf(other.id, { answer: 'another' });
      await keep(store, theirs, { n: 7 });
      equal(await look(store, other.id), { ...theirs, storedAt: moment(7) }, 'the same name of another key');
      equal((await look(store, own.id))?.answer, answerOf(own.id).answer, 'the first is untouched');
    },
  },
  {
    name: 'an answer is replaced by another only when it is old enough',
    run: async (store) => {
      const { id } = await newKey(store, 'a');
      await keep(store, answerOf(id), { n: 100 });
      const next = answerOf(id, { fingerprint: 'f2', rights: 'less', answer: 'next' });
      await refused('idempotency_in_flight', keep(store, next, { n: 200, replacesOlderThan: 100 }), 'the very instant');
      equal(await look(store, id), { ...answerOf(id), storedAt: moment(100) }, 'what is kept');
      await keep(store, next, { n: 201, replacesOlderThan: 101 });
      equal(await look(store, id), { ...next, storedAt: moment(201) }, 'what is kept instead');
    },
  },
  {
    name: 'A-53: an answer is stored with its unit of work or not at all',
    run: async (store) => {
      const { id, accountId } = await newKey(store, 'a');
      const stop = new Error('stop');
      const attempt = store.write(at(5), async (writer) => {
        await writer.answers.store(answerOf(id), { replacesOlderThan: moment(0) });
        equal((await writer.answers.get(id, 'alta-1'))?.answer, answerOf(id).answer, 'inside');
        throw stop;
      });
      equal(await failureOf(attempt, 'the unit of work'), stop, 'what was thrown');
      equal(await look(store, id), null, 'after a failure');
      await keep(store, answerOf(id), { n: 5 });
      const second = store.write(at(6), async (writer) => {
        await writer.firms.insert(accountId, firmTerms('Firma'));
        await writer.answers.store(answerOf(id), { replacesOlderThan: moment(0) });
      });
      await refused('idempotency_in_flight', second, 'the same again');
      equal(await store.read((reader) => activeFirmCount(reader, accountId)), 0, 'firms of the second');
      await fails(keep(store, answerOf(999), { n: 7 }), 'an answer for no key');
    },
  },
  {
    name: 'A-53: of 20 units of work that store an answer under one name at once, one succeeds',
    run: async (store) => {
      const { id, accountId } = await newKey(store, 'a');
      const attempts = Array.from({ length: 20 }, (_, i) =>
        store.write(at(i), async (writer) => {
          await writer.firms.insert(accountId, firmTerms(`Firma ${i}`));
          await writer.answers.store(answerOf(id, { answer: `Firma ${i}` }), { replacesOlderThan: moment(0) });
        }),
      );
      const outcomes = await Promise.allSettled(attempts);
      const done = outcomes.findIndex(({ status }) => status === 'fulfilled');
      equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1, 'units of work that were kept');
      equal((await look(store, id))?.answer, `Firma ${done}`, 'the answer');
      equal(await store.read((reader) => activeFirmCount(reader, accountId)), 1, 'firms');
    },
  },
  {
    name: 'old answers are deleted, the oldest first, up to the given number',
    run: async (store) => {
      const { id } = await newKey(store, 'a');
      const names = [3, 1, 4, 2, 5].map((n) => [`name ${n}`, n] as const);
      for (const [idempotencyKey, n] of names) await keep(store, answerOf(id, { idempotencyKey }), { n });
      const remove = (n: number, limit: number) =>
        store.write(at(30), (writer) => writer.answers.deleteBefore(moment(n), limit));
      const remaining = async () => {
        const present = await Promise.all(names.map(async ([name, n]) => ((await look(store, id, name)) ? [n] : [])));
        return present.flat().sort();
      };
      equal(await remove(1, 100), 0, 'the instant itself stays');
      equal(await remove(4, 2), 2, 'two of three');
      equal(await remaining(), [3, 4, 5], 'after two of three');
      equal(await remove(4, 2), 1, 'the third');
      equal(await remaining(), [4, 5], 'after the third');
      await keep(store, answerOf(id, { idempotencyKey: 'name 1' }), { n: 40 });
      holds((await look(store, id, 'name 1')) !== null, 'a name may come again');
    },
  },
];
