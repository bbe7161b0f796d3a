import { operations } from '@tarifario/api';
import type { Reader } from '@tarifario/core/service';
import { newDatabase, postgresUrl } from '@tarifario/testkit/postgres/databases';
import { temporaryDatabase } from '@tarifario/testkit/temporary-database';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { compose, createLog, type Service } from '../src/index.ts';

const PLACES = [
  ['SQLite', () => temporaryDatabase().then(({ url, remove }) => ({ url, remove: async () => remove() }))],
  ['PostgreSQL', () => newDatabase().then(({ url, drop }) => ({ url, remove: drop }))],
] as const;

describe.each(PLACES)('on %s', (name, newPlace) => {
  describe.skipIf(name === 'PostgreSQL' && !postgresUrl)('while many long reads of one account are blocked', () => {
    let service: Service;
    let remove: () => Promise<void>;
    /** Accounts whose summaries are being read. */
    let reading: number[];
    let isReleased: Promise<void>;
    let release: () => void;

    beforeEach(async () => {
      const place = await newPlace();
      service = await compose(place.url, createLog('silent'));
      remove = place.remove;
      reading = [];
      ({ promise: isReleased, resolve: release } = Promise.withResolvers<void>());
      const { read } = service.store;
      vi.spyOn(service.store, 'read').mockImplementation((work) =>
        read((reader) => work({ ...reader, usage: { ...reader.usage, summary: holding(reader, isReleased) } })),
      );
    });
    afterEach(async () => {
      release();
      vi.restoreAllMocks();
      await service.close();
      await remove();
    });

    const holding =
      (reader: Reader, isReleased: Promise<void>): Reader['usage']['summary'] =>
      async (query) => {
        reading.push(query.accountId);
        await isReleased;
        return await reader.usage.summary(query);
      };

    async function newKey(email: string): Promise<{ readonly accountId: number; readonly key: string }> {
      const { key, prefix, secretHash } = service.secrets.newKey();
      const rights = { firmId: null, name: null, fullAccess: true, scopes: [] };
      const accountId = await service.store.write({ keyId: null, at: service.clock.now() }, async (writer) => {
        const terms = { name: 'A', email, passwordHash: '-', isCatalogEditor: false };
        const { id } = await writer.accounts.insert(terms);
        await writer.keys.insert({ accountId: id, prefix, secretHash, ...rights });
        return id;
      });
      return { accountId, key };
    }

    async function ask(id: string, key: string, query = '', body?: unknown) {
      const operation = operations.find((row) => row.id === id);
      if (!operation) throw new Error(`there is no operation ${id}`);
      const sent = { operation, apiKey: key, address: '::1', params: {}, query: new URLSearchParams(query) };
      return (await service.dispatch({ kind: 'operation', ...sent, readBody: async () => body })).status;
    }

    it('A-61: a fourth curve of one account gets 503 while its first is read, and a curve of another account is answered', async () => {
      const [loud, other] = [await newKey('a@tarifario.example'), await newKey('b@tarifario.example')];
      const csv = 'fecha;punta;llano;valle\n2026/01;1;2;3';
      const curve = (key: string) => ask('readConsumption', key, 'tariff_type=2.0TD&territory=peninsula', { csv });
      const { read } = service.store;
      vi.spyOn(service.store, 'read').mockImplementationOnce(async (work) => {
        await isReleased;
        return read(work);
      });
      const crowd = Array.from({ length: 4 }, () => curve(loud.key));
      expect(await Promise.race(crowd)).toBe(503);
      expect(await curve(other.key)).toBe(200);
      release();
      await Promise.all(crowd);
    });

    it('A-61: short reads of all, readiness and a long read of another account are answered', async () => {
      const [loud, other] = [await newKey('a@tarifario.example'), await newKey('b@tarifario.example')];
      const crowd = Array.from({ length: 40 }, () => ask('getUsageSummary', loud.key));
      await expect.poll(() => reading).toEqual([loud.accountId]);
      expect(await ask('listOffers', other.key, 'limit=5')).toBe(200);
      expect(await ask('listOffers', loud.key, 'limit=200')).toBe(200);
      expect(await service.isReady()).toBe(true);
      expect(await ask('exportOffers', other.key)).toBe(200);
      expect(await ask('bulkTemplateOffers', other.key)).toBe(200);
      // None of the crowd has begun meanwhile.
      expect(reading).toEqual([loud.accountId]);
      release();
      expect(new Set(await Promise.all(crowd))).toEqual(new Set([200]));
      expect(reading).toHaveLength(40);
    });
  });
});
