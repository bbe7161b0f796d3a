import { createFairQueue } from '@tarifario/core/service';
import { fillSample, goodCalls } from '@tarifario/testkit/api/sample';
import { createWorld } from '@tarifario/testkit/api/world';
import { newStore } from '@tarifario/testkit/new-store';
import { expect, it } from 'vitest';
import { operations } from '../src/index.ts';

it('A-61: lists of offers, exports, statistics, usage, changes, templates and curves wait for reads of their account, and nothing else waits', async () => {
  const waited: string[] = [];
  const queueOf = (kind: string) => ({
    run: <T>(key: number | string, work: () => Promise<T>) => {
      waited.push(`${kind} of ${key}`);
      return work();
    },
  });
  const longReads = {
    rows: queueOf('rows'),
    workbook: queueOf('workbook'),
    page: queueOf('page'),
    curve: queueOf('curve'),
  };
  const world = await createWorld(undefined, undefined, { longReads });
  const calls = goodCalls(await fillSample(world));
  const reads: (readonly [string, string])[] = [];
  for (const { id } of operations) {
    await world.call(id, calls[id]);
    for (const one of waited.splice(0)) reads.push([id, one]);
  }
  const { id: own } = world.account;
  expect(Object.fromEntries(reads)).toEqual({
    listChanges: `rows of ${own}`,
    listOffers: `page of ${own}`,
    listCatalogOffers: `page of ${own}`,
    getStats: `rows of ${own}`,
    exportOffers: `rows of ${own}`,
    listUsage: `rows of ${own}`,
    getUsageSummary: `rows of ${own}`,
    bulkTemplateOffers: `workbook of ${own}`,
    bulkTemplateIndexedOffers: `workbook of ${own}`,
    bulkTemplateCatalogOffers: `workbook of ${own}`,
    bulkTemplateIndexedCatalogOffers: `workbook of ${own}`,
    readConsumption: `curve of ${own}`,
    optimizePower: `curve of ${own}`,
  });
});

it('A-61: a long read that waits for too long is answered 503 with Retry-After', async () => {
  const timers: (() => void)[] = [];
  const queue = createFairQueue({
    places: 2,
    placesPerKey: 1,
    refusal: { message: 'the database is busy', retryAfterSeconds: 5 },
    startTimer: (giveUp) => {
      timers.push(giveUp);
      return () => {};
    },
  });
  const store = await newStore();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  let reading = 0;
  const holding: typeof store = {
    ...store,
    read: (work) =>
      store.read((reader) =>
        work({
          ...reader,
          counts: {
            ...reader.counts,
            records: async (scope) => {
              reading += 1;
              await isReleased;
              return reader.counts.records(scope);
            },
          },
        }),
      ),
  };
  const longReads = { rows: queue, workbook: queue, page: queue, curve: queue };
  const world = await createWorld(holding, undefined, { longReads });
  const [first, second] = [world.call('getStats'), world.call('getStats')];
  await expect.poll(() => timers.length).toBe(1);
  timers[0]?.();
  expect(await second).toMatchObject({
    status: 503,
    headers: { 'Retry-After': '5' },
    body: { detail: { code: 'unavailable', message: 'the database is busy' } },
  });
  release();
  expect((await first).status).toBe(200);
  expect(reading).toBe(1);
});

it('the texts of exports are made one after the other where an account exports several at once', async () => {
  const queue = createFairQueue({ places: 2, placesPerKey: 1 });
  const longReads = { rows: queue, workbook: queue, page: queue, curve: queue };
  let made = 0;
  /** How many texts had their first piece, and not yet their last one, whenever one was made. */
  const atOnce: number[] = [];
  const world = await createWorld(undefined, undefined, {
    longReads,
    yieldToEventLoop: async () => {
      atOnce.push(made);
      await new Promise((resolve) => setImmediate(resolve));
    },
    tables: {
      *csv() {
        made += 1;
        yield* ['a', 'b', 'c'];
        made -= 1;
      },
    },
  });
  await fillSample(world);
  atOnce.length = 0;
  const answers = await Promise.all(Array.from({ length: 4 }, () => world.call('exportOffers')));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(Math.max(...atOnce)).toBe(1);
});
