import { draftOffer } from '@tarifario/core/service';
import { createMemoryRateLimiter } from '@tarifario/runtime';
import { fillSample, goodCalls } from '@tarifario/testkit/api/sample';
import { fakeFile } from '@tarifario/testkit/api/workbooks';
import { createWorld, type World } from '@tarifario/testkit/api/world';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { codeOf, limitCalls } from './limit-calls.ts';

let world: World;

beforeEach(async () => {
  // A store takes turns of the event loop.
  vi.useFakeTimers({ toNotFake: ['setImmediate'] });
  world = await createWorld(undefined, createMemoryRateLimiter());
});
afterEach(() => {
  vi.useRealTimers();
});

const { newCaller, ask, passing } = limitCalls(() => world);

describe('the limits of single operations', () => {
  it.each([
    ['bulkPatchOffers', 'bulk_patch', 30, 60],
    ['updateAccount', 'account_edit', 30, 3600],
    ['createKey', 'key_create', 30, 3600],
    ['changePassword', 'password', 5, 300],
    ['testWebhook', 'webhook_sends', 30, 3600],
    ['redeliverWebhook', 'webhook_sends', 30, 3600],
    ['bulkUpdateOffers', 'bulk_update', 10, 3600],
    ['bulkUpdateCatalogOffers', 'catalog_bulk_update', 10, 3600],
  ])(
    'A-40: %s: %s allows %d in %d seconds to an account, whatever the key',
    async (id, name, points, windowSeconds) => {
      const sample = await fillSample(world);
      const sent = id === 'updateAccount' ? { body: { name: 'Cuenta' } } : goodCalls(sample)[id];
      const keys = [world.fullKey, await world.newKey(world.account.id)];
      let turn = 0;
      const call = () => world.send(id, { ...sent, key: keys[turn++ % 2] ?? null });
      const { passed, refused } = await passing(call);
      expect(passed).toBe(points);
      expect(refused.headers['RateLimit-Policy']).toContain(`"${name}";q=${points};w=${windowSeconds}`);
      expect(refused.headers.RateLimit).toMatch(new RegExp(`^"${name}";r=0;t=\\d+$`));
      // The other calls of the account go on, and those of other accounts.
      expect((await ask(world.fullKey)).status).toBe(200);
      vi.advanceTimersByTime((windowSeconds - 1) * 1000);
      expect((await call()).status).toBe(429);
      vi.advanceTimersByTime(1001);
      expect((await call()).status).toBeLessThan(300);
    },
  );

  it('a call that the ceiling refuses costs none of their points, and the other way round', async () => {
    const { accountId, key } = await newCaller('free');
    await world.subscribe(accountId, { callsPerMinute: 1 });
    await ask(key);
    for (let i = 0; i < 40; i += 1) {
      expect((await world.send('updateAccount', { key, body: { name: 'x' } })).headers.RateLimit).toMatch(/^"account"/);
    }
    await world.subscribe(accountId, { callsPerMinute: 100 });
    const { passed } = await passing(() => world.send('updateAccount', { key, body: { name: 'x' } }));
    expect(passed).toBe(30);
    for (let i = 0; i < 10; i += 1) await world.send('updateAccount', { key, body: { name: 'x' } });
    expect((await ask(key)).headers.RateLimit).toBe('"account";r=68;t=60');
  });

  it.each([
    ['changePassword', ['offers:read'], 'not_full_access', 5],
    ['updateAccount', ['offers:read'], 'not_full_access', 30],
    ['bulkPatchOffers', ['offers:read'], 'missing_scope', 30],
    ['bulkUpdateOffers', ['offers:read'], 'missing_scope', 10],
    ['bulkUpdateCatalogOffers', ['catalog:read'], 'missing_scope', 10],
  ] as const)('A-40: %s: keys that may not call it use none of its points', async (id, scopes, code, points) => {
    const sample = await fillSample(world);
    const sent = id === 'updateAccount' ? { body: { name: 'Cuenta' } } : goodCalls(sample)[id];
    const key = await world.newKey(world.account.id, { scopes });
    for (let i = 0; i < points + 1; i += 1) {
      const refused = await world.send(id, { ...sent, key });
      expect([refused.status, codeOf(refused)]).toEqual([403, code]);
      expect(refused.headers['RateLimit-Policy']).toBe('"account";q=400;w=60');
    }
    expect((await passing(() => world.send(id, sent))).passed).toBe(points);
  });
});

describe('ten files an hour', () => {
  const file = { bytes: fakeFile({}) };
  const wrong = { bytes: fakeFile({ borrar: [['offer_id'], [999_999]] }) };
  const unreadable = { bytes: new Uint8Array(4) };
  const queue = (key: string, kind: string) => world.send('createUpload', { key, form: { fields: { kind }, ...file } });

  it('are counted whatever the result: applied, wrong, unreadable, malformed, dry run or queued', async () => {
    const { key } = await newCaller('business');
    const statuses = [];
    for (const form of [file, wrong, unreadable, { ...file, fields: { x: '1' } }]) {
      statuses.push((await world.send('bulkUpdateOffers', { key, form })).status);
      statuses.push((await world.send('bulkUpdateOffers', { key, form, query: { dry_run: 'true' } })).status);
    }
    expect(statuses).toEqual([200, 200, 422, 422, 400, 400, 400, 400]);
    const queued = [await queue(key, 'offers_bulk_update'), await queue(key, 'offers_bulk_update')];
    expect(queued.map(({ status }) => status)).toEqual([202, 202]);
    for (const refused of [
      await world.send('bulkUpdateOffers', { key, form: file }),
      await queue(key, 'offers_bulk_update'),
    ]) {
      expect([refused.status, refused.headers['Retry-After']]).toEqual([429, '3600']);
      expect(refused.headers.RateLimit).toBe('"bulk_update";r=0;t=3600');
    }
    // An announced size alone is not a file.
    expect((await world.send('createUpload', { key, body: { file_name: 'x' } })).status).toBe(201);
    vi.advanceTimersByTime(3_600_001);
    expect((await queue(key, 'offers_bulk_update')).status).toBe(202);
  });

  it('are ten of own offers and ten of the catalog', async () => {
    const key = world.fullKey;
    for (const kind of ['offers_bulk_update', 'catalog_bulk_update']) {
      expect((await passing(() => queue(key, kind))).passed).toBe(10);
    }
    expect((await world.send('bulkUpdateCatalogOffers', { form: file })).status).toBe(429);
    const { key: stranger } = await newCaller('free');
    expect((await queue(stranger, 'offers_bulk_update')).status).toBe(202);
  });

  it("A-40: files for the catalog count among the key's writes to the catalog", async () => {
    const { accountId } = await newCaller('business');
    await world.store.write({ keyId: null, at: '2026-01-01T00:00:00.000Z' }, (writer) =>
      writer.accounts.update(accountId, { isCatalogEditor: true }),
    );
    const key = await world.newKey(accountId);
    const create = () => world.send('createCatalogCompany', { key, body: {} });
    expect((await passing(create)).passed).toBe(120);
    const refused = await world.send('bulkUpdateCatalogOffers', { key, form: file });
    expect([refused.status, refused.headers.RateLimit]).toEqual([429, '"catalog_write";r=0;t=60']);
  });
});

describe('A-65: a batch of offers', () => {
  /** A free account with 500 offers. */
  async function withOffers() {
    const { accountId, key, boundKey } = await newCaller('free');
    const [firm] = (await world.store.read((reader) => reader.changes.since(accountId, 0))).firms;
    const at = '2026-01-01T00:00:00.000Z';
    const ids = await world.store.write({ keyId: null, at }, async (writer) => {
      const terms = { firmId: firm?.id ?? 0, name: 'Iber', logoUrl: null, isActive: true };
      const company = await writer.companies.insert(accountId, terms);
      const required = { companyId: company.id, offerName: 'x', supplyType: 'LUZ', tariffType: '2.0TD' } as const;
      const rest = { territories: { peninsula: true }, accepts: { dni: true } };
      const offers = Array.from({ length: 500 }, () => draftOffer(required, rest).terms);
      return (await writer.offers.insert(accountId, offers)).map(({ id }) => id);
    });
    const patch = (by: string) =>
      world.send('bulkPatchOffers', { key: by, body: { offer_ids: ids, updates: { commission: 1 } } });
    return { key, boundKey, patch };
  }

  it('A-65: of 500 is one request of the account', async () => {
    const { key, patch } = await withOffers();
    expect((await patch(key)).status).toBe(200);
    expect((await ask(key)).headers.RateLimit).toBe('"account";r=58;t=60');
  });

  it('A-65: may be sent 30 times a minute, beside as many other requests as the ceiling leaves', async () => {
    const { key, boundKey, patch } = await withOffers();
    const { passed, refused } = await passing(() => patch(key));
    expect([passed, refused.headers.RateLimit]).toEqual([30, '"bulk_patch";r=0;t=60']);
    expect((await passing(() => ask(key))).passed).toBe(30);
    vi.advanceTimersByTime(60_001);
    expect((await passing(() => patch(boundKey))).passed).toBe(30);
  });
});
