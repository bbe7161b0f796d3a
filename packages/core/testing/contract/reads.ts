import type { Store } from '../../src/service/ports/stores.ts';
import { type CaseOn, equal, failureOf } from './assertions.ts';
import { allOffers, at, EVERYTHING, firmTerms, luz, newTenant, storeSnapshot } from './world.ts';

/** What a read sees while others write. */
export const readCases: readonly CaseOn<Store>[] = [
  {
    name: 'a single read returns what is committed, whatever transactions are running',
    run: async (store) => {
      const { account, company } = await newTenant(store);
      const key = { accountId: account.id, firmId: null, name: null, prefix: 'p', fullAccess: true, scopes: [] };
      const look = async () => [
        await store.latest.changes.revisions(account.id),
        (await store.latest.keys.byHash('latest'))?.account.id,
      ];
      const before = [{ own: 1, catalog: 0 }, undefined];
      const reading = Promise.withResolvers<void>();
      equal(await look(), before, 'before');
      const writing = store.write(at(2), async (writer) => {
        await writer.offers.insert(account.id, [luz(company.id)]);
        await writer.keys.insert({ ...key, secretHash: 'latest' });
        equal(await look(), before, 'while it is written');
        await reading.promise;
      });
      await store.read(async (reader) => {
        equal(await reader.changes.revisions(account.id), { own: 1, catalog: 0 }, 'a reader from before');
        reading.resolve();
        await writing;
        equal(await look(), [{ own: 2, catalog: 0 }, account.id], 'as soon as it is committed');
        equal(await reader.changes.revisions(account.id), { own: 1, catalog: 0 }, 'the reader from before, still');
      });
      equal(
        await store.latest.changes.revisions(account.id + 1000),
        { own: 0, catalog: 0 },
        'of an account that is not there',
      );
      equal(await store.latest.keys.byHash('none'), null, 'of no key');
    },
  },
  {
    name: 'a read returns the result of its work, and rethrows its errors',
    run: async (store) => {
      const stop = new Error('stop');
      const attempt = store.read(async () => {
        throw stop;
      });
      equal(await failureOf(attempt, 'the read'), stop, 'what was thrown');
      equal(await store.read(async () => 42), 42, 'the answer of a read');
      equal(await store.write(at(1), async () => 43), 43, 'the answer of a write');
    },
  },
  {
    name: 'a read sees the state in which it started, whatever is written meanwhile',
    run: async (store) => {
      const { account, company, firm } = await newTenant(store);
      const [started, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const reading = store.read(async (reader) => {
        const before = await storeSnapshot(reader, account.id);
        started.resolve();
        await written.promise;
        return [before, await storeSnapshot(reader, account.id)] as const;
      });
      await started.promise;
      for (let i = 0; i < 3; i += 1) {
        await store.write(at(5 + i), async (writer) => {
          await writer.offers.insert(account.id, [luz(company.id), luz(company.id)]);
          await writer.firms.update(account.id, firm.id, firmTerms(`Nueva ${i}`));
          await writer.accounts.update(account.id, { name: `Nueva ${i}` });
        });
      }
      written.resolve();
      const [before, after] = await reading;
      equal(after, before, 'the second look of the same read');
      const later = await store.read((reader) => reader.offers.list(allOffers(account.id, 'LUZ'), EVERYTHING));
      equal([later.total, later.results.length], [7, 7], 'a read that starts later');
    },
  },
  {
    name: 'a read sees the state of its start, not of its first query',
    run: async (store) => {
      const { account, company } = await newTenant(store);
      const [started, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const reading = store.read(async (reader) => {
        started.resolve();
        await written.promise;
        return await reader.changes.revisions(account.id);
      });
      await started.promise;
      await store.write(at(5), (writer) => writer.offers.insert(account.id, [luz(company.id)]));
      written.resolve();
      equal(await reading, { own: 1, catalog: 0 }, 'revisions');
    },
  },
  {
    name: 'reads do not wait for a unit of work, and see nothing of it before its end',
    run: async (store) => {
      const { account, company } = await newTenant(store);
      const [changed, looked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const writing = store.write(at(5), async (writer) => {
        await writer.offers.insert(account.id, [luz(company.id)]);
        changed.resolve();
        await looked.promise;
        return await writer.offers.list(allOffers(account.id, 'LUZ'), EVERYTHING);
      });
      await changed.promise;
      const total = async () =>
        (await store.read((reader) => reader.offers.list(allOffers(account.id, 'LUZ'), EVERYTHING))).total;
      const seen = await Promise.all([total(), total(), total(), total(), total(), total()]);
      equal(seen, [1, 1, 1, 1, 1, 1], 'what reads see meanwhile');
      looked.resolve();
      equal((await writing).total, 2, 'what the writer sees');
      equal(await total(), 2, 'what a read sees afterwards');
    },
  },
  {
    name: 'lists and their totals agree while offers are written',
    run: async (store) => {
      const { account, company } = await newTenant(store);
      const writes = Array.from({ length: 15 }, (_, i) =>
        store.write(at(i), (writer) => writer.offers.insert(account.id, [luz(company.id), luz(company.id)])),
      );
      const reads = Array.from({ length: 40 }, async () => {
        const page = await store.read((reader) => reader.offers.list(allOffers(account.id, 'LUZ'), EVERYTHING));
        equal(page.results.length, page.total, 'offers listed');
        equal(page.total % 2, 1, 'offers come in pairs');
      });
      await Promise.all([...writes, ...reads]);
    },
  },
];
