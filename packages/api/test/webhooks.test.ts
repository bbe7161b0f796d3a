import {
  createLimitWatch,
  type Delivery,
  exchangeEvents,
  isEventDue,
  type QueuedEvent,
  queueChanges,
  type SendOutcome,
  type Store,
  WEBHOOK_EVENTS,
} from '@tarifario/core/service';
import { createMemoryRateLimiter } from '@tarifario/runtime';
import { createFakeSecrets } from '@tarifario/testkit/api/fakes';
import { fillSample, LUZ_BODY, type Sample } from '@tarifario/testkit/api/sample';
import { asRecord, createWorld, idOf, newClient, type World } from '@tarifario/testkit/api/world';
import { newStore } from '@tarifario/testkit/new-store';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { openApiDocument, webhookBody } from '../src/index.ts';

const URL_OF_RECEIVER = 'https://receptor.example.com/';
const secrets = createFakeSecrets();

let store: Store;
let world: World;
beforeEach(async () => {
  store = await newStore();
  world = await createWorld(store);
});

const parts = () => ({ store, clock: { now: () => world.instant() } });
const register = async (key = world.fullKey, body: object = {}, query: Record<string, string> = {}) =>
  asRecord(await world.ask('createWebhook', { key, query, body: { url: URL_OF_RECEIVER, ...body } }));

/** What the document says of each event, and nothing else. */
const eventSchemas = new Map<string, ValidateFunction>(
  (() => {
    const document = JSON.parse(JSON.stringify(openApiDocument()), (_name, part) =>
      part?.type === 'object' && part.properties ? { ...part, additionalProperties: false } : part,
    );
    const ajv = new Ajv2020({ strict: false, formats: { 'date-time': /^[\dT:.-]+Z$/ } }).addSchema(document, 'api');
    const events: Record<string, { post: { requestBody: { content: Record<string, { schema: { $ref: string } }> } } }> =
      document.webhooks;
    return Object.entries(events).map(([type, { post }]) => {
      const { $ref } = post.requestBody.content['application/json']?.schema ?? {};
      return [type, ajv.compile({ $ref: `api${$ref}` })] as const;
    });
  })(),
);

interface Sent {
  readonly webhookId: number;
  readonly type: QueuedEvent['type'];
  readonly attempts: number;
  readonly data: Record<string, unknown>;
}

/** Sends every event that is due, as a sender does: each is answered so. */
async function send(outcome: SendOutcome = 'delivered'): Promise<readonly Sent[]> {
  await queueChanges(parts(), null);
  const sent: Delivery[] = [];
  for (let last: readonly Delivery[] = []; ; ) {
    const finished = last.map((delivery) => ({ delivery, outcome }));
    ({ deliveries: last } = await exchangeEvents(parts(), finished, 10));
    if (last.length === 0) break;
    sent.push(...last);
  }
  return sent.map((delivery) => {
    const { webhook, event } = delivery;
    const body = JSON.parse(webhookBody(secrets, delivery));
    const isAsDescribed = eventSchemas.get(event.type);
    expect([isAsDescribed?.(body), isAsDescribed?.errors]).toEqual([true, null]);
    const { data } = asRecord(body);
    return { webhookId: webhook.id, type: event.type, attempts: event.attempts, data: asRecord(data) };
  });
}

describe('webhooks', () => {
  it('A-124: are told of the events that the document has, whose bodies need all that it names', () => {
    expect([...eventSchemas.keys()]).toEqual([...WEBHOOK_EVENTS, 'webhook.test']);
    for (const [type, validate] of eventSchemas) {
      const missing = (body: object) => {
        validate(body);
        return validate.errors?.[0]?.params.missingProperty;
      };
      expect(missing({ type, data: {} }), type).toBe('timestamp');
      const named = type === 'webhook.test' ? /^undefined$/ : /^(cursor|upload_id|points)$/;
      expect(String(missing({ type, timestamp: '2026-01-01T00:00:00.000Z', data: {} })), type).toMatch(named);
    }
  });

  it('A-122: are at most five of an account, and are shown without their secrets', async () => {
    const made = [];
    for (let n = 0; n < 5; n += 1) made.push(await register());
    const { status, body } = await world.call('createWebhook', { body: { url: URL_OF_RECEIVER } });
    expect([status, asRecord(asRecord(body).detail).code]).toEqual([409, 'quota_reached']);
    const { results } = await world.ask('listWebhooks');
    expect(results).toEqual(made.map(({ secret: _secret, ...shown }) => shown));
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(5);
    expect((await world.call('deleteWebhook', { params: { id: String(made[2]?.id) } })).status).toBe(204);
    await register();
  });

  describe('A-122: of another key', () => {
    const url = 'https://receptor.example.com/?token=secreto';
    let firmId: number;
    let ofFull: Record<string, unknown>;
    let strangers: readonly string[];
    beforeEach(async () => {
      firmId = await newClient(world, 'Una');
      ofFull = await register(world.fullKey, { url }, { client_id: String(firmId) });
      const scopes = ['webhooks:write'] as const;
      strangers = [
        await world.newKey(world.account.id, { scopes }),
        await world.newKey(world.account.id, { scopes, firmId }),
        await world.newKey(world.account.id, { firmId }),
      ];
    });
    const on = (operation: string, key: string, { id }: Record<string, unknown> = ofFull) =>
      world.call(operation, { key, params: { id: String(id) } });

    it('are shown without their address', async () => {
      const { secret: _secret, ...shown } = ofFull;
      for (const key of strangers) {
        expect((await on('getWebhook', key)).body).toEqual({ ...shown, url: null });
        expect((await world.ask('listWebhooks', { key })).results).toEqual([{ ...shown, url: null }]);
      }
      expect((await on('getWebhook', world.fullKey)).body).toEqual(shown);
    });

    it('keep their secret, and are not deleted', async () => {
      for (const key of strangers) {
        for (const operation of ['rotateWebhookSecret', 'testWebhook', 'deleteWebhook']) {
          expect(await on(operation, key)).toMatchObject({
            status: 403,
            body: { detail: { code: 'not_full_access' } },
          });
        }
      }
      const query = { accountId: world.account.id, firmId: null };
      const stored = await store.read((reader) => reader.webhooks.get(query, idOf(ofFull)));
      expect(stored).toMatchObject({ secret: ofFull.secret, formerSecret: null });
    });

    it('are managed by a key with full access, as by their own', async () => {
      for (const own of strangers) {
        const made = await register(own, { url });
        expect((await on('getWebhook', own, made)).body).toMatchObject({ url });
        expect((await on('getWebhook', world.fullKey, made)).body).toMatchObject({ url });
        expect((await on('rotateWebhookSecret', own, made)).body).toMatchObject({ url });
        expect((await on('rotateWebhookSecret', world.fullKey, made)).status).toBe(200);
        const another = await register(own);
        expect((await on('deleteWebhook', own, made)).status).toBe(204);
        expect((await on('deleteWebhook', world.fullKey, another)).status).toBe(204);
      }
    });
  });

  it('A-122: of a key without full access, or of one firm, are at most two', async () => {
    const firmId = await newClient(world, 'Una');
    const scoped = await world.newKey(world.account.id, { scopes: ['webhooks:write'] });
    const bound = await world.newKey(world.account.id, { firmId });
    for (const key of [scoped, bound]) {
      const made = [await register(key), await register(key)];
      expect(await world.call('createWebhook', { key, body: { url: URL_OF_RECEIVER } })).toMatchObject({
        status: 409,
        body: { detail: { code: 'quota_reached', message: 'the key has 2 webhooks: delete one first' } },
      });
      await world.call('deleteWebhook', { key, params: { id: String(made[0]?.id) } });
      await register(key);
    }
    await register();
  });

  it('A-122: sign with the former secret too for 24 hours after a rotation', async () => {
    const { id, secret } = await register();
    const rotated = await world.ask('rotateWebhookSecret', { params: { id: String(id) } });
    expect(rotated.secret).not.toBe(secret);
    const query = { accountId: world.account.id, firmId: null };
    const stored = await store.read((reader) => reader.webhooks.get(query, Number(id)));
    expect([stored?.secret, stored?.formerSecret]).toEqual([rotated.secret, secret]);
    const hours = (Date.parse(stored?.formerUntil ?? '') - Date.parse(world.instant())) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);
  });

  it.each([
    'http://example.com/',
    'https://localhost/',
    'http://localhost:3000/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://10.1/',
    'https://example.com./',
    'https://127.0.0.\u31641/',
    'https://[::1]/',
    'https://user:secret@example.com/',
    'https://example.com/#part',
    'https://example.com:99999/',
    'ftp://example.com/',
    'receptor',
  ])('A-122: have a name of a host as address, unlike %s', async (url) => {
    const { status, body } = await world.call('createWebhook', { body: { url } });
    expect([status, asRecord(asRecord(body).detail).code]).toEqual([422, 'business_rule']);
  });

  it.each(['https://example.com', 'https://a.example.com:8443/x?y=1', 'https://señal.example/ruta'])(
    'A-122: have a name of a host as address, such as %s',
    async (url) => {
      expect((await register(world.fullKey, { url })).url).toBe(url);
    },
  );
});

describe('an event catalog.changed', () => {
  let sample: Sample;
  beforeEach(async () => {
    sample = await fillSample(world);
    await world.call('deleteWebhook', { params: { id: String(sample.webhookId) } });
  });

  const changes = async (key: string, cursor: unknown, query: Record<string, string> = {}) => {
    const answer = await world.ask('listChanges', { key, query: { since: String(cursor), ...query } });
    return (answer.changes as readonly Record<string, unknown>[]).map(({ noun, id }) => [noun, id]);
  };
  const rename = (id: number, body: object) => world.ask('updateOffer', { params: { id: String(id) }, body });

  it('A-123: has a cursor from which on its key reads what changed, once for many changes', async () => {
    await register();
    expect(await send()).toEqual([]);
    await rename(sample.luzId, { offer_name: 'Una' });
    await rename(sample.gasId, { offer_name: 'Otra' });
    await rename(sample.luzId, { offer_name: 'Tercera' });
    const [event, ...others] = await send();
    expect([event?.type, others]).toEqual(['catalog.changed', []]);
    // No name and no amount: only letters, which nobody but the key can read.
    expect(event?.data).toEqual({ cursor: expect.stringMatching(/^[a-p]+$/) });
    expect(await changes(world.fullKey, event?.data.cursor)).toEqual([
      ['offer', sample.gasId],
      ['offer', sample.luzId],
    ]);
    expect(await send()).toEqual([]);
    const stranger = await world.newKey(world.account.id);
    const query = { since: String(event?.data.cursor) };
    expect((await world.call('listChanges', { key: stranger, query })).status).toBe(410);
  });

  it('A-123: tells what changed while it waited once more, and nothing is left out', async () => {
    await register();
    await rename(sample.luzId, { offer_name: 'Una' });
    const [first] = await send('failed');
    await rename(sample.gasId, { offer_name: 'Otra' });
    expect(await send()).toEqual([]);
    world.passTime(6);
    const again = await send();
    expect(again.map(({ attempts }) => attempts)).toEqual([1]);
    expect(again[0]?.data).toEqual(first?.data);
    const [next] = await send();
    expect(await changes(world.fullKey, next?.data.cursor)).toEqual([['offer', sample.gasId]]);
  });

  it('A-122: tells a key without commissions:read nothing of a change of commissions', async () => {
    const masked = await world.newKey(world.account.id, { scopes: ['offers:read', 'webhooks:write'] });
    const { id: maskedId } = await register(masked);
    const { id: fullId } = await register();
    await rename(sample.luzId, { commission: 77 });
    expect((await send()).map(({ webhookId }) => webhookId)).toEqual([fullId]);
    await rename(sample.luzId, { offer_name: 'Nueva' });
    const both = await send();
    expect(both.map(({ webhookId }) => webhookId).sort()).toEqual([maskedId, fullId]);
    const cursor = both.find(({ webhookId }) => webhookId === maskedId)?.data.cursor;
    expect(await changes(masked, cursor)).toEqual([['offer', sample.luzId]]);
  });

  it('A-122: is about the advisory firm of the key or of client_id alone', async () => {
    const bound = await world.newKey(world.account.id, {
      firmId: sample.clientId,
      scopes: ['offers:read', 'webhooks:write'],
    });
    const narrow = { client_id: String(sample.clientId) };
    await register(bound);
    await register(world.fullKey, {}, narrow);
    await rename(sample.otherLuzId, { offer_name: 'Ajena' });
    expect(await send()).toEqual([]);
    await rename(sample.luzId, { offer_name: 'Propia' });
    const [first, second] = await send();
    expect(await changes(bound, first?.data.cursor)).toEqual([['offer', sample.luzId]]);
    expect(await changes(world.fullKey, second?.data.cursor, narrow)).toEqual([['offer', sample.luzId]]);
  });

  it('A-123: tells of the shared catalog whoever may list it', async () => {
    const other = await world.newAccount();
    const reader = await world.newKey(other.id, { scopes: ['catalog:read', 'webhooks:write'] });
    const blind = await world.newKey(other.id, { scopes: ['offers:read', 'webhooks:write'] });
    const { id } = await register(reader);
    await register(blind);
    await world.ask('createCatalogOffer', {
      body: { ...LUZ_BODY, offer_name: 'Otra', company_id: sample.catalogCompanyId },
    });
    expect((await send()).map(({ webhookId }) => webhookId)).toEqual([id]);
  });

  it('A-122: ends with the key of the webhook, which the account then names', async () => {
    const key = await world.newKey(world.account.id, { scopes: ['offers:read', 'webhooks:write'] });
    const { id } = await register(key);
    expect(await world.ask('getAccount')).not.toHaveProperty('disabled_webhooks');
    const keys = await store.read((reader) => reader.keys.list(world.account.id));
    const at = world.instant();
    await store.write({ keyId: null, at }, (writer) => writer.keys.revoke(keys.at(-1)?.id ?? 0));
    await rename(sample.luzId, { offer_name: 'Una' });
    expect(await send()).toEqual([]);
    expect((await world.ask('getAccount')).disabled_webhooks).toEqual([id]);
    expect(await world.ask('getWebhook', { params: { id: String(id) } })).toMatchObject({ disabled_reason: 'key' });
  });
});

it.each(['account', 'firm'] as const)(
  'A-122: a webhook is disabled when the %s of its key is deactivated',
  async (which) => {
    const { id: accountId } = world.account;
    const firmId = idOf(asRecord(await world.ask('createClient', { body: { name: 'Una' } })));
    const { id } = await register(
      await world.newKey(accountId, { firmId, scopes: ['clients:read', 'webhooks:write'] }),
    );
    const at = world.instant();
    const setActive = (isActive: boolean) =>
      store.write({ keyId: null, at }, async (writer): Promise<unknown> => {
        if (which === 'firm') return writer.firms.update(accountId, firmId, { isActive });
        return writer.accounts.update(accountId, { isActive });
      });
    await world.ask('updateClient', { params: { id: String(firmId) }, body: { name: 'Otra' } });
    await setActive(false);
    expect(await send()).toEqual([]);
    await setActive(true);
    expect(await world.ask('getWebhook', { params: { id: String(id) } })).toMatchObject({ disabled_reason: 'key' });
  },
);

it('A-135: a webhook is disabled when the time of its key is over', async () => {
  const soon = new Date(Date.parse(world.instant()) + 3_600_000).toISOString();
  const { id } = await register(await world.newKey(world.account.id, { expiresAt: soon }));
  await world.ask('createClient', { body: { name: 'Una' } });
  expect(await send()).toHaveLength(1);
  world.passTime(3600);
  await world.ask('createClient', { body: { name: 'Otra' } });
  expect(await send()).toEqual([]);
  expect(await world.ask('getWebhook', { params: { id: String(id) } })).toMatchObject({ disabled_reason: 'key' });
});

describe('an event that is not delivered', () => {
  it('A-123: is sent again nine times, from 5 seconds to 24 hours, and then the webhook is disabled', async () => {
    const { id } = await register();
    await world.ask('createClient', { body: { name: 'Asesoría' } });
    const minutes = [0, 5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440];
    const sentAt: number[] = [];
    for (const wait of minutes) {
      expect((await world.ask('getWebhook', { params: { id: String(id) } })).disabled_at).toBeNull();
      world.passTime(Math.max(0, wait * 60 - 60));
      while ((await send('failed')).length === 0) world.passTime(1);
      sentAt.push(Date.parse(world.instant()) / 1000);
    }
    for (const [index, wait] of minutes.slice(1).entries()) {
      const late = (sentAt[index + 1] ?? 0) - (sentAt[index] ?? 0) - wait * 60;
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThan(3);
    }
    expect(await world.ask('getWebhook', { params: { id: String(id) } })).toMatchObject({ disabled_reason: 'failing' });
    expect((await world.ask('getAccount')).disabled_webhooks).toEqual([id]);
    await world.ask('createClient', { body: { name: 'Otra' } });
    expect(await send()).toEqual([]);
  });

  it('A-123: is not sent again after 410', async () => {
    const { id } = await register();
    await world.ask('createClient', { body: { name: 'Asesoría' } });
    expect(await send('gone')).toHaveLength(1);
    expect(await world.ask('getWebhook', { params: { id: String(id) } })).toMatchObject({ disabled_reason: 'gone' });
    world.passTime(100_000);
    expect(await send()).toEqual([]);
  });

  it.each([
    ['was taken by a sender that died', async () => void (await exchangeEvents(parts(), [], 1)), 1],
    ['was delivered', async () => void (await send()), 0],
    ['failed', async () => void (await send('failed')), 1],
    ['waits', async () => undefined, 1],
  ])(
    'A-123: is not held up by a clock that was a day ahead, where the last one %s meanwhile',
    async (_, work, left) => {
      await register(world.fullKey, { events: ['upload.finished'] });
      const finish = async () => {
        const id = idOf(asRecord(await world.ask('createUpload', { body: { file_name: 'x' } })));
        await world.ask('cancelUpload', { params: { id: String(id) } });
      };
      const day = 24 * 3600;
      world.passTime(day);
      await finish();
      await work();
      world.passTime(-day);
      await finish();
      expect(await isEventDue(parts())).toBe(true);
      expect(await send()).toHaveLength(1 + left);
    },
  );

  it('A-123: does not come back when its lease ran out and another sender delivered it', async () => {
    await register();
    await world.ask('createClient', { body: { name: 'Asesoría' } });
    await queueChanges(parts(), null);
    const { deliveries: slow } = await exchangeEvents(parts(), [], 1);
    world.passTime(61);
    expect(await send()).toHaveLength(1);
    const finished = slow.map((delivery) => ({ delivery, outcome: 'failed' as const }));
    await exchangeEvents(parts(), finished, 0);
    world.passTime(100_000);
    expect(await send()).toEqual([]);
  });
});

describe('an event upload.finished', () => {
  it('A-123: has the id and the status of an upload, and is told to those who may see it', async () => {
    const sample = await fillSample(world);
    const { id: wholeId } = await register(world.fullKey, { events: ['upload.finished'] });
    const other = { client_id: String(sample.otherClientId) };
    await register(world.fullKey, { events: ['upload.finished'] }, other);
    const upload = { params: { id: String(sample.pendingUploadId) } };
    await world.ask('cancelUpload', upload);
    const data = { upload_id: sample.pendingUploadId, status: 'cancelled' };
    const told = (await send()).filter(({ type }) => type === 'upload.finished');
    expect(told.map(({ webhookId }) => webhookId).sort()).toEqual([sample.webhookId, wholeId]);
    for (const event of told) expect(event.data).toEqual(data);
  });

  it('A-122: is not told where the key was revoked before it was sent', async () => {
    const { id } = await register(world.fullKey, { events: ['upload.finished'] });
    await world.call('createUpload', { form: { bytes: new Uint8Array([1]), fields: { kind: 'offers_bulk_update' } } });
    await world.work();
    const [key] = await store.read((reader) => reader.keys.list(world.account.id));
    await store.write({ keyId: null, at: world.instant() }, (writer) => writer.keys.revoke(key?.id ?? 0));
    expect(await send()).toEqual([]);
    const query = { accountId: world.account.id, firmId: null };
    const stored = await store.read((reader) => reader.webhooks.get(query, Number(id)));
    expect(stored?.disabledReason).toBe('key');
  });

  it('A-123: is told for a file that was queued, whether it was applied or not', async () => {
    await register(world.fullKey, { events: ['upload.finished'] });
    const form = { bytes: new Uint8Array([1, 2, 3]), fields: { kind: 'offers_bulk_update' } };
    const id = idOf(asRecord((await world.call('createUpload', { form })).body));
    expect(await send()).toEqual([]);
    await world.work();
    expect((await send()).map(({ data }) => data)).toEqual([{ upload_id: id, status: 'failed' }]);
  });
});

describe('an event usage.limit_near', () => {
  it('A-124: is told once when a fifth of the calls of a minute is left', async () => {
    const failures: unknown[] = [];
    const clock = { now: () => world.instant(), monotonicMs: () => Date.parse(world.instant()) };
    store = await newStore();
    const limitWatch = createLimitWatch({ store, clock }, (error) => failures.push(error));
    world = await createWorld(store, createMemoryRateLimiter(), { limitWatch });
    await world.subscribe(world.account.id, { callsPerMinute: 10 });
    await register(world.fullKey, { events: ['usage.limit_near'] });
    const calls = async (count: number) => {
      for (let n = 0; n < count; n += 1) await world.call('getAccount');
    };
    await calls(6);
    expect(await send()).toEqual([]);
    await calls(1);
    expect((await send()).map(({ data }) => data)).toEqual([{ points: 10, window_seconds: 60 }]);
    await calls(3);
    expect(await send()).toEqual([]);
    world.passTime(3590);
    await calls(3);
    expect(await send()).toEqual([]);
    world.passTime(20);
    await calls(3);
    expect(await send()).toHaveLength(1);
    expect(failures).toEqual([]);
  });
});
