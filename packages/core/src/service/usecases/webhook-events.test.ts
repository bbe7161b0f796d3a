import { createMemoryStore } from '@tarifario/core/testing';
import { expect, test } from 'vitest';
import { secondsAfter } from '../../engine/calendar.ts';
import { exchangeEvents } from './webhook-events.ts';

const AT = '2026-01-01T00:00:00.000Z';
const PLACE = { place: { revision: 0, kind: 0, id: 0 }, mark: 0 };

test('A-123: webhooks that wait are served in turn, also where several finish at once', async () => {
  const store = createMemoryStore();
  let seconds = 0;
  const clock = { now: () => secondsAfter(AT, seconds) };
  const WEBHOOKS = 7;
  const ROUNDS = 20;
  await store.write({ keyId: null, at: AT }, async (writer) => {
    const { id: accountId } = await writer.accounts.insert({
      name: 'A',
      email: 'a@example.com',
      passwordHash: '',
      isCatalogEditor: false,
    });
    const rights = { firmId: null, name: null, prefix: '', secretHash: '', fullAccess: true, scopes: [] };
    const key = await writer.keys.insert({ accountId, ...rights });
    return key;
  });
  const keyId = 1;
  await store.write({ keyId, at: AT }, async (writer) => {
    for (let n = 0; n < WEBHOOKS; n += 1) {
      await writer.webhooks.insert(1, {
        ...{ firmId: null, url: 'https://receptor.example.com/', events: ['usage.limit_near'] },
        ...{ secret: '', cursorSecret: '', cursor: { own: PLACE, catalog: PLACE }, ownRevision: 0, catalogRevision: 0 },
      });
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
