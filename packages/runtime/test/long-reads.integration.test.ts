import type { Reader } from '@tarifario/core/service';
import { newDatabase, postgresUrl } from '@tarifario/testkit/postgres/databases';
import { askService, operatorOf } from '@tarifario/testkit/service';
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

    async function newKey(name: string): Promise<{ readonly accountId: number; readonly key: string }> {
      const operator = operatorOf(service);
      const accountId = await operator.addAccount(name);
      return { accountId, key: await operator.addKey(accountId, {}) };
    }

    const ask = async (id: string, key: string, query = '', body?: unknown) =>
      (await askService(service, key, id, { query, body })).status;

    it('A-61: a fourth curve of one account gets 503 while its first is read, and a curve of another account is answered', async () => {
      const [loud, other] = [await newKey('a'), await newKey('b')];
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
      const [loud, other] = [await newKey('a'), await newKey('b')];
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
