import { newStore } from '@tarifario/testkit/new-store';
import { expect, test } from 'vitest';
import { secondsAfter } from '../../../engine/calendar.ts';
import type { Store } from '../../ports/stores.ts';
import { exchangeEvents, queueChanges } from './webhook-events.ts';

const AT = '2026-01-01T00:00:00.000Z';
const PLACE = { place: { revision: 0, kind: 0, id: 0 }, mark: 0 };
const TERMS = {
  ...{ firmId: null, url: 'https://receptor.example.com/', secret: '', cursorSecret: '' },
  ...{ cursor: { own: PLACE, catalog: PLACE }, ownRevision: 0, catalogRevision: 0 },
};

const firmTerms = (n: number) => ({ name: `F${n}`, imageUrl: null, catalogDefault: 'all', isActive: true }) as const;

async function newKey(store: Store): Promise<void> {
  await store.write({ keyId: null, at: AT }, async (writer) => {
    const account = { name: 'A', email: 'a@example.com', passwordHash: '', isCatalogEditor: true };
    const { id: accountId } = await writer.accounts.insert(account);
    const rights = { firmId: null, name: null, prefix: '', secretHash: '', fullAccess: true, scopes: [] };
    await writer.keys.insert({ accountId, ...rights });
  });
}

test('A-123: every webhook hears of changes, also where more are behind than one look serves', async () => {
  const store = await newStore();
  const clock = { now: () => AT };
  const WEBHOOKS = 250;
  await newKey(store);
  await store.write({ keyId: 1, at: AT }, async (writer) => {
    for (let n = 0; n < WEBHOOKS; n += 1) await writer.webhooks.insert(1, { ...TERMS, events: ['catalog.changed'] });
  });
  const told = new Map<number, number>();
  let afterId: number | null = null;
  for (let look = 1; look <= 6; look += 1) {
    await store.write({ keyId: 1, at: AT }, (writer) => writer.firms.insert(1, firmTerms(look)));
    ({ next: afterId } = await queueChanges({ store, clock }, afterId));
    const { deliveries } = await exchangeEvents({ store, clock }, [], WEBHOOKS);
    for (const { webhook } of deliveries) told.set(webhook.id, (told.get(webhook.id) ?? 0) + 1);
    const sent = deliveries.map((delivery) => ({ delivery, outcome: 'delivered' as const }));
    await exchangeEvents({ store, clock }, sent, 0);
  }
  expect([...told.values()]).toEqual(Array.from({ length: WEBHOOKS }, () => 2));
});

test('A-123: webhooks that wait are served in turn, also where several finish at once', async () => {
  const store = await newStore();
  let seconds = 0;
  const clock = { now: () => secondsAfter(AT, seconds) };
  const WEBHOOKS = 7;
  const ROUNDS = 20;
  await newKey(store);
  const keyId = 1;
  await store.write({ keyId, at: AT }, async (writer) => {
    for (let n = 0; n < WEBHOOKS; n += 1) {
      await writer.webhooks.insert(1, { ...TERMS, events: ['usage.limit_near'] });
    }
    const event = { type: 'usage.limit_near', data: { points: 1, windowSeconds: 60 } } as const;
    for (let n = 0; n < ROUNDS; n += 1) await writer.webhooks.queue(1, event, 'any');
  });
  const served = new Map<number, number>();
  let { deliveries } = await exchangeEvents({ store, clock }, [], 2);
  while (deliveries.length > 0) {
    for (const { webhook } of deliveries) served.set(webhook.id, (served.get(webhook.id) ?? 0) + 1);
    seconds += 1;
    const counts = Array.from({ length: WEBHOOKS }, (_, index) => served.get(index + 1) ?? 0);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    const sent = deliveries.map((delivery) => ({ delivery, outcome: 'delivered' as const }));
    ({ deliveries } = await exchangeEvents({ store, clock }, sent, 2));
  }
  expect([...served.values()]).toEqual(Array.from({ length: WEBHOOKS }, () => ROUNDS));
});

test('A-123: a webhook is disabled when more than 10 000 events wait for it, and not before', async () => {
  const store = await newStore();
  const clock = { now: () => AT };
  await newKey(store);
  const queue = (count: number) =>
    store.write({ keyId: 1, at: AT }, async (writer) => {
      const event = { type: 'usage.limit_near', data: { points: 1, windowSeconds: 60 } } as const;
      for (let n = 0; n < count; n += 1) await writer.webhooks.queue(1, event, 'any');
    });
  await store.write({ keyId: 1, at: AT }, (writer) =>
    writer.webhooks.insert(1, { ...TERMS, events: ['usage.limit_near'] }),
  );
  await queue(10_000);
  const failOne = async () => {
    const { deliveries } = await exchangeEvents({ store, clock }, [], 1);
    const failed = deliveries.map((delivery) => ({ delivery, outcome: 'failed' as const }));
    return (await exchangeEvents({ store, clock }, failed, 0)).disabled;
  };
  expect(await failOne()).toEqual([]);
  await queue(1);
  expect(await failOne()).toEqual([{ webhookId: 1, reason: 'failing' }]);
  expect(await store.read((reader) => reader.webhooks.waiting(null))).toBe(0);
});
