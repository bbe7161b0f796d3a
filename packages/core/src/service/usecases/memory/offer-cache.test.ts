import { holdsAlways } from '@tarifario/testkit/core/laws';
import { entriesOf, gasOffer } from '@tarifario/testkit/core/simple-offers';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { assert, expect, test, vi } from 'vitest';
import { company, createWorld, firm, flat, flats } from '../../../../test/cache-world.ts';
import type { OfferWithHistory } from '../../../engine/offers/offer.ts';
import { pricesAt } from '../../../engine/price/table.ts';
import type { RecordOwner } from '../../ports/lists.ts';
import type { Reader } from '../../ports/stores.ts';
import { createOfferCache, type OfferCache, type OwnedOffers } from './offer-cache.ts';

/** The cached records of one owner, as plain lists. */
function contentOf(owned: OwnedOffers) {
  const { LUZ, GAS } = owned.universes;
  const entries = [LUZ, GAS].map(({ tables }) => tables.flatMap(entriesOf));
  const byId = <T>(records: ReadonlyMap<unknown, T>, keyOf: (record: T) => number) =>
    [...records.values()].sort((a, b) => keyOf(a) - keyOf(b));
  return {
    revision: owned.revision,
    firms: byId(owned.firms, ({ id }) => id),
    companies: byId(owned.companies, ({ id }) => id),
    subscriptions: byId(owned.subscriptions, ({ firmId, companyId }) => firmId * 100 + companyId),
    entries,
    offerCount: owned.offerCount,
  };
}

/** The offers that a reader must see, from an empty cache. */
async function truthFor(reader: Reader, accountId: number) {
  const { own, catalog } = await createOfferCache().current(reader, accountId);
  return [contentOf(own), contentOf(catalog)];
}

async function contentFor(cache: OfferCache, reader: Reader, accountId: number) {
  const { own, catalog } = await cache.current(reader, accountId);
  return [contentOf(own), contentOf(catalog)];
}

/** The same as a ranking has it: what is ready needs no reader. */
async function contentNow(cache: OfferCache, reader: Reader, accountId: number) {
  const ready = cache.ready(accountId, await reader.changes.revisions(accountId));
  return ready ? [contentOf(ready.own), contentOf(ready.catalog)] : await contentFor(cache, reader, accountId);
}

test('an owner without any write has no offers, and nothing is read for it', async () => {
  const world = createWorld();
  const { own, catalog } = await createOfferCache().current(world.open(), 1);
  expect(contentOf(own)).toEqual(contentOf(catalog));
  expect(contentOf(own)).toMatchObject({ revision: 0, offerCount: 0, entries: [[], []] });
  expect(world.reads).toEqual([]);
});

test('an entry of the cache has everything that was written: firms, companies, subscriptions and offers of both supplies', async () => {
  const world = createWorld();
  const gas = { offer: gasOffer({ id: 2 }), months: [] };
  const subscription = { firmId: 1, companyId: 7, isSubscribed: false };
  const others = [
    { ...subscription, companyId: 8 },
    { ...subscription, firmId: 2 },
  ];
  world.write({ owner: 1, firms: [firm(1)], companies: [company(3)], subscriptions: [subscription, ...others] });
  world.write({ owner: 1, offers: [flat(1), gas] });
  world.write({ owner: 1, firms: [firm(1, 'Otra')], subscriptions: [{ ...subscription, isSubscribed: true }] });
  const { own } = await createOfferCache().current(world.open(), 1);
  expect(contentOf(own)).toEqual({
    revision: 3,
    firms: [firm(1, 'Otra')],
    companies: [company(3)],
    subscriptions: [{ firmId: 1, companyId: 7, isSubscribed: true }, ...others],
    entries: [[flat(1)], [gas]],
    offerCount: 2,
  });
});

test('at a cached revision nothing is read, and after a write only the changed rows', async () => {
  const world = createWorld();
  const cache = createOfferCache();
  world.write({ owner: 'catalog', offers: flats(1, 2049) });
  const first = await cache.current(world.open(), 1);
  const again = await cache.current(world.open(), 2);
  expect(again.catalog).toBe(first.catalog);
  expect(world.reads).toEqual([{ owner: 'catalog', since: 0, rows: 2049 }]);
  world.write({ owner: 'catalog', offers: [flat(2000, 77)] });
  const patched = await cache.current(world.open(), 1);
  expect(world.reads.slice(1)).toEqual([{ owner: 'catalog', since: 1, rows: 1 }]);
  const [before, after] = [first, patched].map(({ catalog }) => catalog.universes.LUZ.tables);
  expect(after?.map((table, index) => table === before?.[index])).toEqual([true, false, true]);
  expect(await contentFor(cache, world.open(), 1)).toEqual(await truthFor(world.open(), 1));
});

/** How much memory offers take in a cache without a bound. */
async function bytesOf(offers: readonly OfferWithHistory[]): Promise<number> {
  const world = createWorld();
  const cache = createOfferCache();
  world.write({ owner: 1, offers });
  await cache.current(world.open(), 1);
  return cache.counts().bytes;
}

test('the cache counts entries that were ready, patched or compiled anew, and its bytes', async () => {
  const world = createWorld();
  const catalog = flats(1000, 1100);
  const cache = createOfferCache({ maxBytes: (await bytesOf(catalog)) + 1.5 * (await bytesOf(flats(1, 16))) });
  expect(cache.counts()).toEqual({ offers: 0, bytes: 0, ready: 0, patched: 0, rebuilt: 0 });
  world.write({ owner: 'catalog', offers: catalog });
  await cache.current(world.open(), 1);
  await cache.current(world.open(), 1);
  expect(cache.counts()).toMatchObject({ offers: 101, ready: 1, patched: 0, rebuilt: 1 });
  for (const owner of [1, 2]) world.write({ owner, offers: flats(owner * 100, owner * 100 + 14) });
  world.write({ owner: 1, offers: [flat(115)] });
  await cache.current(world.open(), 2);
  world.write({ owner: 2, offers: [flat(215)] });
  await cache.current(world.open(), 2);
  expect(cache.counts()).toMatchObject({ offers: 117, ready: 3, patched: 1, rebuilt: 2 });
  // No room for both: the offers of 2 go.
  await cache.current(world.open(), 1);
  expect(cache.counts()).toMatchObject({ offers: 117, ready: 4, patched: 1, rebuilt: 3 });
  expect(cache.counts().bytes).toBe((await bytesOf(catalog)) + (await bytesOf(flats(100, 115))));
});

test('offers are ready when those of both owners are cached at the requested revisions, and at no other', async () => {
  const world = createWorld();
  const cache = createOfferCache();
  expect(cache.ready(1, { own: 0, catalog: 0 })).toEqual(await cache.current(world.open(), 1));
  world.write({ owner: 1, offers: [flat(1)] });
  world.write({ owner: 'catalog', offers: [flat(2)] });
  expect(cache.ready(1, { own: 1, catalog: 1 })).toBeNull();
  const cached = await cache.current(world.open(), 1);
  const counts = cache.counts();
  expect(cache.ready(1, { own: 1, catalog: 1 })).toEqual(cached);
  expect(cache.counts()).toEqual({ ...counts, ready: counts.ready + 2 });
  for (const revisions of [
    { own: 2, catalog: 1 },
    { own: 1, catalog: 2 },
    { own: 0, catalog: 2 },
  ]) {
    expect(cache.ready(1, revisions)).toBeNull();
  }
  expect(cache.ready(2, { own: 1, catalog: 1 })).toBeNull();
  expect(cache.ready(2, { own: 0, catalog: 1 })?.catalog).toBe(cached.catalog);
});

test('an account that is always ready counts as recently ranked', async () => {
  const world = createWorld();
  const cache = createOfferCache({ maxBytes: 2 * (await bytesOf(flats(100, 109))) });
  for (const owner of [1, 2, 3]) world.write({ owner, offers: flats(owner * 100, owner * 100 + 9) });
  await cache.current(world.open(), 1);
  await cache.current(world.open(), 2);
  expect(cache.ready(1, { own: 1, catalog: 0 })).not.toBeNull();
  await cache.current(world.open(), 3);
  expect(cache.ready(1, { own: 1, catalog: 0 })).not.toBeNull();
  expect(cache.ready(2, { own: 1, catalog: 0 })).toBeNull();
});

test('a reader from before a write does not see it and does not replace the newer entry', async () => {
  const world = createWorld();
  const cache = createOfferCache();
  world.write({ owner: 1, offers: [flat(1, 10)] });
  const old = world.open();
  world.write({ owner: 1, offers: [flat(1, 20), flat(2)] });
  const newer = world.open();
  expect((await contentFor(cache, newer, 1))[0]).toMatchObject({
    revision: 2,
    entries: [[flat(1, 20), flat(2)], []],
  });
  expect((await contentFor(cache, old, 1))[0]).toMatchObject({ revision: 1, entries: [[flat(1, 10)], []] });
  const reads = world.reads.length;
  expect((await contentFor(cache, newer, 1))[0]).toMatchObject({ revision: 2 });
  expect(world.reads).toHaveLength(reads);
});

/** A barrier that is opened, or broken, from outside. */
function createBarrier() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { pass: () => promise, open: () => resolve(), fail: () => reject(new Error('disk')) };
}

test('readers of the same revision share the work of the first', async () => {
  const world = createWorld();
  const cache = createOfferCache();
  world.write({ owner: 1, offers: flats(1, 10) });
  const barrier = createBarrier();
  const answers = [1, 2, 3].map(() => cache.current(world.open(barrier.pass), 1));
  await new Promise((resolve) => setImmediate(resolve));
  barrier.open();
  const seen = new Set((await Promise.all(answers)).map(({ own }) => own));
  expect(seen.size).toBe(1);
  expect(world.reads).toHaveLength(1);
});

test('when the first reader fails, only it fails: the others read for themselves', async () => {
  const world = createWorld();
  const cache = createOfferCache();
  world.write({ owner: 1, offers: flats(1, 10) });
  const barrier = createBarrier();
  const first = cache.current(world.open(barrier.pass), 1);
  const others = [1, 2].map(() => contentFor(cache, world.open(), 1));
  await new Promise((resolve) => setImmediate(resolve));
  barrier.fail();
  await expect(first).rejects.toThrow('disk');
  const truth = await truthFor(world.open(), 1);
  expect(await Promise.all(others)).toEqual([truth, truth]);
  const reads = world.reads.length;
  expect(await contentFor(cache, world.open(), 1)).toEqual(truth);
  expect(world.reads).toHaveLength(reads);
});

test('calls that come while the offers of their account are read and written hold one reader, and see each write before them', async () => {
  const world = createWorld();
  const cache = createOfferCache();
  world.write({ owner: 1, offers: flats(1, 10) });
  const counts = { open: 0, most: 0, opened: 0 };
  const read = async <T>(work: (reader: Reader) => Promise<T>): Promise<T> => {
    counts.opened += 1;
    counts.open += 1;
    counts.most = Math.max(counts.most, counts.open);
    const reader = world.open(() => new Promise((resolve) => setTimeout(resolve, 5)));
    return await work(reader).finally(() => {
      counts.open -= 1;
    });
  };
  const ask = () => cache.share(1, () => read((reader) => cache.current(reader, 1)));
  const answers: Promise<void>[] = [];
  for (let write = 2; write < 12; write += 1) {
    for (let call = 0; call < 10; call += 1) {
      const revision = world.writes.length;
      answers.push(ask().then(({ own }) => expect(own.revision).toBeGreaterThanOrEqual(revision)));
    }
    world.write({ owner: 1, offers: [flat(write)] });
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await Promise.all(answers);
  expect(counts.most).toBe(1);
  expect(counts.opened).toBeLessThanOrEqual(11);
  expect(world.reads.map(({ since }) => since).filter((since) => since === 0)).toHaveLength(1);
});

test('a load that fails fails for those who share it, and the next call loads again', async () => {
  const cache = createOfferCache();
  const world = createWorld();
  const load = vi.fn(() => cache.current(world.open(), 1));
  load.mockRejectedValueOnce(new Error('disk'));
  await expect(cache.share(1, load)).rejects.toThrow('disk');
  expect((await cache.share(1, load)).own.offerCount).toBe(0);
});

/** Whether accounts are cached: a cached one costs no read. The check itself counts as a use. */
async function isCached(cache: OfferCache, world: ReturnType<typeof createWorld>, accountId: number): Promise<boolean> {
  const reads = world.reads.length;
  await cache.current(world.open(), accountId);
  return world.reads.length === reads;
}

test('beyond its bound the cache drops the account ranked longest ago, never the catalog', async () => {
  const world = createWorld();
  const catalog = flats(1000, 1100);
  const cache = createOfferCache({ maxBytes: (await bytesOf(catalog)) + 2 * (await bytesOf(flats(100, 109))) });
  world.write({ owner: 'catalog', offers: catalog });
  for (const owner of [1, 2, 3]) world.write({ owner, offers: flats(owner * 100, owner * 100 + 9) });
  for (const accountId of [1, 2, 1, 3]) await cache.current(world.open(), accountId);
  // 1, then 3 were used last: 2 has gone. What fits exactly stays.
  expect(await isCached(cache, world, 1)).toBe(true);
  expect(await isCached(cache, world, 3)).toBe(true);
  expect(await isCached(cache, world, 2)).toBe(false);
  expect(await isCached(cache, world, 1)).toBe(false);
  expect(world.reads.filter(({ owner }) => owner === 'catalog')).toHaveLength(1);
});

test('what a ranking derives from offers counts for the bound when it is used again', async () => {
  const world = createWorld();
  const cache = createOfferCache();
  world.write({ owner: 1, offers: flats(1, 10) });
  const { own } = await cache.current(world.open(), 1);
  const { bytes } = cache.counts();
  const [table] = own.universes.LUZ.tables;
  assert(table);
  pricesAt(table, '2025-01-01');
  await cache.current(world.open(), 1);
  expect(cache.counts().bytes).toBeGreaterThan(bytes);
});

test('reads without ranking load an account into memory the second time, and only while there is room', async () => {
  const world = createWorld();
  const bytes = await bytesOf(flats(1, 10));
  const cache = createOfferCache({ maxBytes: 1.1 * bytes });
  for (const owner of [1, 2]) world.write({ owner, offers: flats(owner, owner + 9) });
  expect([1, 1, 2].map((accountId) => cache.isWorthKeeping(accountId))).toEqual([false, true, false]);
  await cache.current(world.open(), 1);
  expect([1, 2, 2].map((accountId) => cache.isWorthKeeping(accountId))).toEqual([true, false, false]);
});

test('one account alone may be larger than the bound', async () => {
  const world = createWorld();
  const cache = createOfferCache({ maxBytes: 1 });
  world.write({ owner: 1, offers: flats(1, 30) });
  await cache.current(world.open(), 1);
  expect(await isCached(cache, world, 1)).toBe(true);
});

test('other work runs between the pieces of many offers', async () => {
  const pauses: number[] = [];
  const world = createWorld();
  const cache = createOfferCache({
    pause: async (accountId) => {
      pauses.push(accountId);
    },
  });
  world.write({ owner: 1, offers: flats(1, 2049) });
  const { own } = await cache.current(world.open(), 1);
  expect(pauses).toEqual([1, 1, 1]);
  expect(own.universes.LUZ.tables.map(({ ids }) => ids.length)).toEqual([1024, 1024, 1]);
  pauses.length = 0;
  world.write({ owner: 1, offers: [...flats(1, 2), ...flats(1500, 1501), ...flats(2049, 2049)] });
  await cache.current(world.open(), 1);
  expect(pauses, 'after each table').toEqual([1, 1, 1]);
});

test('each account that needs the catalog waits for it separately', async () => {
  const pauses: number[] = [];
  const world = createWorld();
  const cache = createOfferCache({
    pause: async (accountId) => {
      pauses.push(accountId);
    },
  });
  world.write({ owner: 'catalog', offers: flats(1, 10) });
  await Promise.all([1, 2, 3].map((accountId) => cache.current(world.open(), accountId)));
  expect(pauses).toEqual([1, 2, 3]);
});

/** What happens to a service: writes by anyone, and readers that are opened, and served later or never. */
const EVENTS = fc.array(
  fc.record({
    kind: fc.constantFrom('write', 'write', 'read', 'read', 'failing read'),
    owner: fc.constantFrom<RecordOwner>(1, 2, 3, 'catalog'),
    reader: fc.constantFrom(1, 2, 3),
    offers: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 4 }),
    company: fc.integer({ min: 1, max: 3 }),
  }),
  { maxLength: 25 },
);

test('whatever the order of reads and writes, every reader gets the offers of its own revision', async () => {
  const law = fc.asyncProperty(EVENTS, fc.scheduler(), fc.nat({ max: 30_000 }), async (events, scheduler, maxBytes) => {
    const world = createWorld();
    const cache = createOfferCache({ maxBytes });
    const outcomes: Promise<void>[] = [];
    events.forEach(({ kind, owner, reader: accountId, offers, company: companyId }, step) => {
      if (kind === 'write') {
        const companies = [company(companyId, `Empresa ${step}`)];
        world.write({ owner, companies, offers: offers.sort((a, b) => a - b).map((id) => flat(id, step + 1)) });
        return;
      }
      const reader = world.open(async () => {
        await scheduler.schedule(Promise.resolve());
        if (kind === 'failing read') throw new Error('disk');
      });
      const plain = world.open();
      const served = async () => {
        const content = await contentNow(cache, reader, accountId);
        expect(content).toEqual(await truthFor(plain, accountId));
      };
      outcomes.push(
        scheduler
          .schedule(Promise.resolve())
          .then(served)
          .catch((error: unknown) => {
            if (kind !== 'failing read' || !(error instanceof Error && error.message === 'disk')) throw error;
          }),
      );
    });
    await scheduler.waitIdle();
    await Promise.all(outcomes);
  });
  await holdsAlways(law, runsOf(100, 300));
});
