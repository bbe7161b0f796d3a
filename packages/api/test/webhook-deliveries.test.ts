import {
  exchangeEvents,
  type QueuedEvent,
  type SendAttempt,
  type SendOutcome,
  type Store,
} from '@tarifario/core/service';
import { asRecord, createWorld, newClient, type World } from '@tarifario/testkit/api/world';
import { newStore } from '@tarifario/testkit/new-store';
import { beforeEach, describe, expect, it } from 'vitest';
import { codeOf } from './named-calls.ts';

let store: Store;
let world: World;
beforeEach(async () => {
  store = await newStore();
  world = await createWorld(store);
});

const parts = () => ({ store, clock: { now: () => world.instant() } });
const register = async (events: readonly string[] = ['usage.limit_near'], key = world.fullKey) =>
  asRecord(await world.ask('createWebhook', { key, body: { url: 'https://receptor.example.com/', events } }));
const on = (operation: string, { id }: Record<string, unknown>, key = world.fullKey) =>
  world.call(operation, { key, params: { id: String(id) } });

/** Sends what is due once, as a sender does: each is answered so. */
async function sendOnce(outcome: SendOutcome = 'delivered', attempt?: SendAttempt): Promise<readonly QueuedEvent[]> {
  const { deliveries } = await exchangeEvents(parts(), [], 10);
  await exchangeEvents(
    parts(),
    deliveries.map((delivery) => ({ delivery, outcome, ...(attempt && { attempt }) })),
    0,
  );
  return deliveries.map(({ event }) => event);
}

describe('a test of a webhook', () => {
  it('A-123: is sent to it alone, and again after a failure', async () => {
    const [one] = [await register(), await register(['catalog.changed'])];
    const { status, headers, body } = await on('testWebhook', one);
    expect(headers.Location).toBe(`/v1/webhooks/${one.id}/deliveries`);
    const [first] = await sendOnce('failed');
    const { id, createdAt } = first ?? {};
    expect([status, body]).toEqual([
      202,
      { event_id: `msg_${Date.parse(createdAt ?? '')}_${id}`, type: 'webhook.test', created_at: createdAt },
    ]);
    expect(await sendOnce()).toEqual([]);
    world.passTime(6);
    expect(await sendOnce()).toEqual([{ ...first, attempts: 1 }]);
    world.passTime(100_000);
    expect(await sendOnce()).toEqual([]);
  });

  it('A-123: disables it by 410, from when on there is none', async () => {
    const webhook = await register();
    await on('testWebhook', webhook);
    await sendOnce('gone');
    const { status, body } = await on('testWebhook', webhook);
    expect([status, asRecord(body).detail]).toEqual([
      422,
      { code: 'business_rule', message: 'the webhook is disabled: register it again' },
    ]);
    expect(await sendOnce()).toEqual([]);
  });

  it('A-122: is for its key and full access: of another account or firm it is missing', async () => {
    const firmId = await newClient(world, 'Una');
    const webhook = await register();
    const scoped = await world.newKey(world.account.id, { scopes: ['webhooks:write'] });
    const strangers = [
      await world.newKey(world.account.id, { firmId }),
      await world.newKey((await world.newAccount()).id),
    ];
    expect(codeOf(await on('testWebhook', webhook, scoped))).toBe('not_full_access');
    for (const key of strangers) expect(codeOf(await on('testWebhook', webhook, key))).toBe('not_found');
    expect(await sendOnce()).toEqual([]);
    expect((await on('testWebhook', await register(['upload.finished'], scoped), scoped)).status).toBe(202);
  });
});

describe('the deliveries of a webhook', () => {
  const FAILED = { sentAt: '2026-02-01T00:00:00.000Z', durationMs: 12, status: null, failure: 'timeout' } as const;
  const DELIVERED = { sentAt: '2026-02-01T00:00:06.000Z', durationMs: 34, status: 204, failure: null };

  it('A-123: are its attempts, the newest first, with what became of them and nothing of what was sent', async () => {
    const webhook = await register();
    expect((await on('listWebhookDeliveries', webhook)).body).toEqual({ results: [] });
    const { body } = await on('testWebhook', webhook);
    const { event_id, type } = asRecord(body);
    await sendOnce('failed', FAILED);
    world.passTime(6);
    await sendOnce('delivered', DELIVERED);
    expect((await on('listWebhookDeliveries', webhook)).body).toEqual({
      results: [
        { id: 2, event_id, type, sent_at: DELIVERED.sentAt, duration_ms: 34, status: 204, failure: null },
        { id: 1, event_id, type, sent_at: FAILED.sentAt, duration_ms: 12, status: null, failure: 'timeout' },
      ],
    });
  });

  it('A-122: are for its key and full access: when it heard of changes may follow from commissions', async () => {
    const webhook = await register();
    await on('testWebhook', webhook);
    await sendOnce('gone', { ...DELIVERED, status: 410 });
    const scoped = await world.newKey(world.account.id, { scopes: ['webhooks:write'] });
    expect(codeOf(await on('listWebhookDeliveries', webhook, scoped))).toBe('not_full_access');
    const stranger = await world.newKey((await world.newAccount()).id);
    expect(codeOf(await on('listWebhookDeliveries', webhook, stranger))).toBe('not_found');
    expect(asRecord((await on('listWebhookDeliveries', webhook)).body).results).toMatchObject([{ status: 410 }]);
  });

  it('A-123: are not those whose lease ran out, which another sender has sent', async () => {
    const webhook = await register();
    await on('testWebhook', webhook);
    const { deliveries } = await exchangeEvents(parts(), [], 1);
    world.passTime(61);
    await sendOnce('delivered', DELIVERED);
    await exchangeEvents(
      parts(),
      deliveries.map((delivery) => ({ delivery, outcome: 'failed', attempt: FAILED })),
      0,
    );
    expect(asRecord((await on('listWebhookDeliveries', webhook)).body).results).toMatchObject([{ status: 204 }]);
  });
});

describe('a delivery that is asked for again', () => {
  const again = ({ id }: Record<string, unknown>, number: number, key = world.fullKey) =>
    world.call('redeliverWebhook', { key, params: { id: String(id), delivery_id: String(number) } });
  const ATTEMPT = { sentAt: '2026-02-01T00:00:00.000Z', durationMs: 12, status: 500, failure: null };

  it('A-123: is the same event with the same id, also where it was delivered', async () => {
    const webhook = await register();
    const { body } = await on('testWebhook', webhook);
    const [event] = await sendOnce('delivered', { ...ATTEMPT, status: 200 });
    expect(await again(webhook, 1)).toMatchObject({ status: 202, body: asRecord(body) });
    expect(await sendOnce('delivered', ATTEMPT)).toEqual([event]);
    expect(asRecord((await on('listWebhookDeliveries', webhook)).body).results).toMatchObject([{ id: 2 }, { id: 1 }]);
  });

  it('A-123: is sent at once where it waits to be sent again, and its times begin anew', async () => {
    const webhook = await register();
    await on('testWebhook', webhook);
    const [event] = await sendOnce('failed', ATTEMPT);
    expect(await sendOnce()).toEqual([]);
    // More than there are times: none of them disables the webhook.
    for (let n = 1; n <= 12; n += 1) {
      await again(webhook, n);
      expect(await sendOnce('failed', ATTEMPT)).toEqual([event]);
    }
  });

  it('A-123: is missing once 20 others came, and refused where the webhook is disabled or of another key', async () => {
    const webhook = await register();
    await on('testWebhook', webhook);
    await sendOnce('delivered', ATTEMPT);
    for (let n = 2; n <= 21; n += 1) {
      await again(webhook, n - 1);
      await sendOnce('delivered', ATTEMPT);
    }
    for (const number of [1, 22, 0]) expect(codeOf(await again(webhook, number))).toBe('not_found');
    const scoped = await world.newKey(world.account.id, { scopes: ['webhooks:write'] });
    expect(codeOf(await again(webhook, 2, scoped))).toBe('not_full_access');
    expect(codeOf(await again(webhook, 2, await world.newKey((await world.newAccount()).id)))).toBe('not_found');
    await again(webhook, 2);
    await sendOnce('gone', ATTEMPT);
    expect(codeOf(await again(webhook, 3))).toBe('business_rule');
  });
});
