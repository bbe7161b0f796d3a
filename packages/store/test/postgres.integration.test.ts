import { type Reader, retryUpload } from '@tarifario/core/service';
import { callerOf } from '@tarifario/core/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PostgresOptions } from '../src/postgres-pool.ts';
import { emptyOut, newDatabase, onServer, postgresUrl, type TestDatabase, untilWaiting } from './postgres/databases.ts';
import { countOffers, insert, type OpenedStore, openWith, type Tenant } from './postgres/tenant-on.ts';
import { luzTerms, manyOffers, NOW, sampleTenant } from './sample-offers.ts';

describe.skipIf(postgresUrl === null)('a PostgreSQL database', () => {
  let database: TestDatabase;
  let tenant: Tenant;
  let store: OpenedStore['store'];
  const opened: OpenedStore[] = [];

  /** As a process of its own has it. */
  const open = (options: PostgresOptions = {}) => {
    const one = openWith(database.url, options);
    opened.push(one);
    return one.store;
  };
  const sql = (text: string, parameters?: readonly unknown[]) =>
    onServer(database.url, (client) => client.query(text, parameters && [...parameters]));

  beforeAll(async () => {
    database = await newDatabase();
  });
  beforeEach(async () => {
    await emptyOut(database);
    store = open();
    tenant = await sampleTenant(store);
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.store.close();
  });
  afterAll(() => database.drop());

  describe('refuses in the database itself', () => {
    test('a value of another type, or out of its bounds', async () => {
      await insert(store, tenant, 1);
      for (const change of [
        "update offers set energy_1 = 'dear'",
        "update offers set is_active = 'yes'",
        'update offers set is_active = 2',
        "update offers set supply_type = 'AGUA'",
        'update offers set gas_energy = 0.1',
        'update offers set offer_name = null',
        "insert into monthly_prices (offer_id, month, supply_type) select id, '2026-01-02', 'LUZ' from offers",
        `insert into uploads (account_id, kind, file_name, status, result, created_at, updated_at)
         select id, 'file', 'a', 'pending', '{"a":', '', '' from accounts`,
      ]) {
        await expect(sql(change), change).rejects.toThrow(/violates|invalid input syntax/);
      }
    });

    test('changes of what is append-only', async () => {
      await insert(store, tenant, 1);
      await store.write(NOW, async (writer) => {
        const counts = { companies: { total: 0, active: 0 }, offers: { total: 0, active: 0 }, months: 0 };
        const what = { operation: 'bulk_update', recordId: null, fileHash: null } as const;
        await writer.recordCatalogWrite({ ...what, accountId: tenant.account.id, before: counts, after: counts });
      });
      for (const table of ['offer_versions', 'catalog_audit']) {
        await expect(sql(`update ${table} set key_id = 1`)).rejects.toThrow(`${table} is append-only`);
        await expect(sql(`delete from ${table}`)).rejects.toThrow(`${table} is append-only`);
      }
      await expect(sql('delete from offers')).rejects.toThrow('foreign key');
    });

    test('rows that point into another account, or from the catalog into one', async () => {
      await insert(store, tenant, 1);
      await sql(`insert into accounts (id, name, email, email_folded, password_hash, is_active, is_catalog_editor, created_at)
          values (77, 'b', 'b', 'b', 'x', 1, 0, '');
        insert into firms (id, account_id, name, name_folded, catalog_default, is_active, revision, created_at, updated_at)
          values (77, 77, 'f', 'f', 'all', 1, 1, '', '');
        insert into companies (id, account_id, firm_id, name, name_folded, is_active, revision, created_at, updated_at)
          values (77, 77, 77, 'c', 'c', 1, 1, '', '')`);
      for (const change of [
        'update offers set company_id = 77',
        'update offers set account_id = null',
        'update offers set account_id = 77',
        'update companies set firm_id = 77 where id <> 77',
        'update firms set account_id = 77 where id <> 77',
        `insert into catalog_subscriptions (firm_id, company_id, account_id, is_subscribed, revision)
         values (77, 77, 77, 1, 1)`,
      ]) {
        await expect(sql(change), change).rejects.toThrow('foreign key');
      }
    });
  });

  test('damaged scopes never give full access, nor scopes that were not given', async () => {
    const terms = { accountId: tenant.account.id, firmId: null, name: null, prefix: 'p', secretHash: 'h' };
    await store.write(NOW, (writer) => writer.insertKey({ ...terms, fullAccess: false, scopes: ['offers:read'] }));
    for (const scopes of ['', 'null', '[]', '["bogus"]', '{}', '"*"', 'true', '[["offers:write"]]', '["offers:rea']) {
      await sql('update api_keys set scopes = $1', [scopes]);
      const record = await store.read((reader) => reader.keyByHash('h'));
      expect(record?.key, scopes).toMatchObject({ fullAccess: false, scopes: [] });
    }
  });

  test('a running program is not affected by new columns', async () => {
    const ask = async () => [await store.latest.keyByHash('h'), await store.latest.revisions(tenant.account.id)];
    const terms = { accountId: tenant.account.id, firmId: null, name: null, prefix: 'p', secretHash: 'h' };
    await store.write(NOW, (writer) => writer.insertKey({ ...terms, fullAccess: true, scopes: [] }));
    const before = await ask();
    expect(before).toMatchObject([{ key: { fullAccess: true } }, { own: 1 }]);
    const tables = ['api_keys', 'accounts', 'firms', 'subscriptions', 'revisions'];
    for (const table of tables) await sql(`alter table ${table} add column later text`);
    try {
      expect(await ask()).toEqual(before);
    } finally {
      for (const table of tables) await sql(`alter table ${table} drop column later`);
    }
    expect(await ask()).toEqual(before);
  });

  describe('values', () => {
    test('numbers are read back exactly, of any size', async () => {
      const numbers = [0.1, 1 / 3, 5e-324, Number.MIN_VALUE, Number.MAX_VALUE, 1e21, 123456789.12345679, 2 ** 53 + 2];
      const offers = numbers.map((commissionValue) => luzTerms(tenant.company.id, { commissionValue }));
      await store.write(NOW, (writer) => writer.insertOffers(tenant.account.id, offers));
      const { offers: read } = await store.read((reader) => reader.changesSince(tenant.account.id, 0));
      expect(read.map(({ offer }) => offer.commissionValue)).toEqual(numbers);
    });

    test('a number that would be rounded is refused when it is read', async () => {
      await sql('update revisions set revision = 9007199254740993');
      await expect(store.read((reader) => reader.revisions(tenant.account.id))).rejects.toThrow('too great');
      await expect(store.latest.revisions(tenant.account.id)).rejects.toThrow('too great');
    });

    test('unknown ids of any size find nothing, without an error', async () => {
      const lookUp = (id: number) => (reader: Reader) => reader.offersById(tenant.account.id, [id]);
      for (const id of [0, -1, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
        expect(await store.read(lookUp(id)), String(id)).toEqual([]);
        expect(await store.read((reader) => reader.firm(tenant.account.id, id))).toBeNull();
        expect(await store.read((reader) => reader.account(id))).toBeNull();
      }
    });

    test('neither the time zone nor the formats of a session change what is read', async () => {
      const third = luzTerms(tenant.company.id, { commissionValue: 1 / 3 });
      await store.write(NOW, (writer) => writer.insertOffers(tenant.account.id, [third]));
      const storeSnapshot = () =>
        openWith(database.url).store.read((reader) => reader.changesSince(tenant.account.id, 0));
      const before = await storeSnapshot();
      for (const setting of [
        "timezone = 'Asia/Kathmandu'",
        "datestyle = 'German'",
        "intervalstyle = 'sql_standard'",
        'extra_float_digits = 0',
      ]) {
        await sql(`alter database ${database.name} set ${setting}`);
      }
      expect(await storeSnapshot()).toEqual(before);
      await sql(`alter database ${database.name} reset all`);
    });
  });

  describe('several processes', () => {
    test('a write of another process is visible in the next read', async () => {
      const other = open();
      for (let i = 1; i <= 20; i += 1) {
        await insert(other, tenant, 1);
        expect(await store.read((reader) => reader.revisions(tenant.account.id))).toEqual({ own: 1 + i, catalog: 0 });
        expect(await countOffers(store, tenant)).toBe(i);
      }
    });

    test('A-63: twenty units of work that count before they insert cannot exceed a limit together', async () => {
      const stores = [store, open(), open(), open()];
      const { account, company } = tenant;
      const add = (one: typeof store) =>
        one.write({ ...NOW, concerns: [account.id] }, async (writer) => {
          const { offers } = await writer.recordTotals(account.id);
          if (offers >= 7) return false;
          await writer.insertOffers(account.id, manyOffers(company.id, 1));
          return true;
        });
      const outcomes = await Promise.all(Array.from({ length: 20 }, (_, i) => add(stores[i % 4] ?? store)));
      expect(outcomes.filter((isDone) => isDone)).toHaveLength(7);
      expect(await countOffers(store, tenant)).toBe(7);
      const { offers } = await store.read((reader) => reader.recordTotals(account.id));
      expect(offers).toBe(7);
    });

    test('units of work with a common concern wait for each other, others do not, and one without concerns waits for all', async () => {
      const other = open();
      const [began, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const holding = store.write({ ...NOW, concerns: [tenant.account.id] }, async (writer) => {
        await writer.insertOffers(tenant.account.id, manyOffers(tenant.company.id, 1));
        began.resolve();
        await released.promise;
      });
      await began.promise;
      const done: string[] = [];
      const note = (what: string) => () => done.push(what);
      const same = insert(other, tenant, 1).then(note('same'));
      const context = { ...NOW, concerns: ['catalog'] } as const;
      const terms = { firmId: null, name: 'Catálogo', logoUrl: null, isActive: true };
      await other.write(context, (writer) => writer.insertCompany('catalog', terms)).then(note('other'));
      const everything = other.write(NOW, async (writer) => (await writer.accounts()).length).then(note('everything'));
      expect(done).toEqual(['other']);
      released.resolve();
      await Promise.all([holding, same, everything]);
      expect(done.toSorted()).toEqual(['everything', 'other', 'same']);
    });

    test('calls of one account are numbered without a gap, whichever process records them', async () => {
      const [account, endpoints] = [tenant.account.id, ['/a', '/b', '/c', '/d']];
      const call = (i: number) => ({
        accountId: account,
        firmId: null,
        endpoint: endpoints[i % 4] ?? '',
        method: 'GET',
        statusCode: 200,
        responseTimeMs: i,
        createdAt: NOW.at,
      });
      const writers = [store, open(), open()];
      await Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          writers[i % 3]?.write({ ...NOW, concerns: ['usage'] }, (writer) =>
            writer.insertUsage([call(i), call(i + 1)]),
          ),
        ),
      );
      const all = { accountId: account, firmId: null, endpoint: null, statusCode: null, from: null, to: null };
      const { results } = await store.read((reader) => reader.usage(all, { limit: 100, offset: 0 }));
      expect(results.map(({ id }) => id)).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
    });

    const queue = { ...NOW, concerns: ['queue'] } as const;
    const LEASE = '2026-01-01T00:02:00.000Z';
    const claim = (one: typeof store) => one.write(queue, (writer) => writer.claimUpload(LEASE));
    const enqueue = (count: number) =>
      store.write({ ...NOW, concerns: [tenant.account.id] }, async (writer) => {
        const file = {
          firmId: null,
          kind: 'offers_bulk_update',
          fileName: 'a.xlsx',
          sizeBytes: 3,
          status: 'pending',
        } as const;
        for (let i = 0; i < count; i += 1) {
          await writer.insertUpload(tenant.account.id, { ...file, file: new Uint8Array([0, 255, i]) });
        }
      });

    test('queued uploads are each taken once, with their bytes, until no upload waits', async () => {
      await enqueue(12);
      const claimed = await Promise.all(Array.from({ length: 15 }, (_, i) => claim(i % 2 === 0 ? store : open())));
      const files = claimed.flatMap((one) => (one === null ? [] : [[...one.file]]));
      expect(files.toSorted((a, b) => (a[2] ?? 0) - (b[2] ?? 0))).toEqual(
        Array.from({ length: 12 }, (_, i) => [0, 255, i]),
      );
    });

    test('a queued upload that is being changed is skipped, and the next one is taken', async () => {
      await enqueue(2);
      const [changed, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const cancelling = store.write({ ...NOW, concerns: [tenant.account.id] }, async (writer) => {
        await writer.updateUpload(tenant.account.id, 1, { from: 'pending', to: 'cancelled', finishedAt: NOW.at });
        changed.resolve();
        await released.promise;
      });
      await changed.promise;
      expect([(await claim(open()))?.upload.id, await claim(open())]).toEqual([2, null]);
      released.resolve();
      await cancelling;
      expect(await claim(open())).toBeNull();
    });

    describe('the file of a failed upload that is deleted during a retry', () => {
      const LATER = '2027-01-01T00:00:00.000Z';
      const own = () => ({ ...NOW, concerns: [tenant.account.id] });
      const sweep = (one: typeof store) => one.write(queue, (writer) => writer.sweepUploadFiles(LATER, 0));
      const upload = () => store.read((reader) => reader.upload(tenant.account.id, 1));
      const retry = (one: typeof store) => {
        const imports = {
          wake: () => {},
          expectFile: () => {},
          run: () => Promise.reject(new Error('nothing is run')),
        };
        const clock = { now: () => NOW.at, monotonicMs: () => 0 };
        const limiter = { take: async () => ({ accepted: true, states: [] }), giveBack: async () => {} };
        return retryUpload({ store: one, clock, imports, limiter }, callerOf({ accountId: tenant.account.id }), {
          id: 1,
          firmId: null,
        });
      };

      beforeEach(async () => {
        await enqueue(1);
        await store.write(own(), (writer) =>
          writer.updateUpload(tenant.account.id, 1, { from: 'pending', to: 'failed', finishedAt: NOW.at }),
        );
      });

      test('remains when the retry was first', async () => {
        const [changed, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const retrying = store.write(own(), async (writer) => {
          await writer.updateUpload(tenant.account.id, 1, { from: 'failed', to: 'pending', finishedAt: null });
          changed.resolve();
          await released.promise;
        });
        await changed.promise;
        expect(await sweep(open())).toBe(0);
        released.resolve();
        await retrying;
        expect(await upload()).toMatchObject({ status: 'pending', hasFile: true });
      });

      test('is gone when the deletion was first, and the retry is refused', async () => {
        const [swept, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const sweeping = store.write(queue, async (writer) => {
          expect(await writer.sweepUploadFiles(LATER, 0)).toBe(1);
          swept.resolve();
          await released.promise;
        });
        await swept.promise;
        const refusal = expect(retry(open())).rejects.toMatchObject({ code: 'wrong_state' });
        await untilWaiting(database);
        released.resolve();
        await Promise.all([sweeping, refusal]);
        expect(await upload()).toMatchObject({ status: 'failed', hasFile: false });
      });
    });

    test('a bulk write of one account blocks neither the queue nor other accounts', async () => {
      await enqueue(1);
      const [began, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const writing = store.write({ ...NOW, concerns: ['catalog', tenant.account.id + 1] }, async (writer) => {
        await writer.insertCompany('catalog', { firmId: null, name: 'C', logoUrl: null, isActive: true });
        began.resolve();
        await released.promise;
      });
      await began.promise;
      expect((await claim(open()))?.upload.id).toBe(1);
      await insert(open({ lockMs: 1000 }), tenant, 1);
      released.resolve();
      await writing;
    });

    test('old calls are deleted once, however many processes do it', async () => {
      const call = {
        accountId: tenant.account.id,
        firmId: null,
        endpoint: '/a',
        method: 'GET',
        statusCode: 200,
        responseTimeMs: 1,
      };
      const calls = Array.from({ length: 300 }, () => ({ ...call, createdAt: NOW.at }));
      await store.write(NOW, (writer) => writer.insertUsage(calls));
      const sweep = (one: typeof store) =>
        one.write({ ...NOW, concerns: ['usage'] }, (writer) =>
          writer.deleteUsageBefore('2027-01-01T00:00:00.000Z', 100),
        );
      const deleted = await Promise.all([store, open(), open(), open()].map(sweep));
      expect(deleted.toSorted((a, b) => b - a)).toEqual([100, 100, 100, 0]);
    });
  });

  test('tiers that change back and forth are stored once for each owner, for good', async () => {
    await insert(store, tenant, 10);
    const shared = await store.write(NOW, async (writer) => {
      const terms = { firmId: null, name: 'Catálogo', logoUrl: null, isActive: true };
      return (await writer.insertCompany('catalog', terms)).id;
    });
    await store.write(NOW, (writer) => writer.insertOffers('catalog', manyOffers(shared, 2)));
    for (const [owner, companyId] of [
      [tenant.account.id, tenant.company.id],
      ['catalog', shared],
    ] as const) {
      const own = owner === 'catalog' ? 'shelf_id = 0' : 'shelf_id > 0';
      const { rows: offers } = await sql(`select id::int from offers where ${own}`);
      for (const value of [1, 2, 1, 2, 1]) {
        const consumptionTiers = [{ from: 0, to: null, value, type: 'fixed' as const }];
        const terms = luzTerms(companyId, { consumptionTiers });
        await store.write(NOW, (writer) =>
          writer.updateOffers(
            owner,
            offers.map(({ id }) => ({ offerId: Number(id), terms })),
          ),
        );
      }
      // Of consumption as inserted and two more, of power one.
      const { rows } = await sql(`select count(*)::int as n from tier_lists where ${own}`);
      expect(rows).toEqual([{ n: 4 }]);
    }
    await expect(sql('update tier_lists set shelf_id = 1')).rejects.toThrow('tier_lists is append-only');
    await expect(sql('delete from tier_lists where id not in (select 0)')).rejects.toThrow('tier_lists is append-only');
  });
});
