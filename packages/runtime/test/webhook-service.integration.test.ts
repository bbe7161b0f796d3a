import { once } from 'node:events';
import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { askService, operatorOf } from '@tarifario/testkit/service';
import { temporaryDatabase } from '@tarifario/testkit/temporary-database';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { compose, createLog, type Service } from '../src/index.ts';
import { expectedSignature, type Receiver, startReceiver } from './webhook-receiver.ts';

let receiver: Receiver;
let service: Service;
let removeDatabase: () => void;
const lines: string[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
  const { url, remove } = await temporaryDatabase();
  removeDatabase = remove;
  const log = createLog('debug', (line) => lines.push(line));
  service = await compose(url, log, { worksOnQueues: true, receivers: receiver.receivers });
});
afterAll(async () => {
  await service.close();
  await receiver.close();
  removeDatabase();
});

async function newAccount(name: string) {
  const operator = operatorOf(service);
  const accountId = await operator.addAccount(name);
  const key = await operator.addKey(accountId, {});
  const ask = async (id: string, sent?: Parameters<typeof askService>[3]) =>
    Object(Object(await askService(service, key, id, sent)).body);
  const register = (path: string, events: readonly string[]) =>
    ask('createWebhook', { body: { url: receiver.urlOf(path), events } });
  const arrivedAt = (path: string) => receiver.arrived.filter((one) => one.path === path);
  return { operator, accountId, ask, register, arrivedAt };
}

it('A-123: a service sends a signed event after a change, from whose cursor its key reads what changed', async () => {
  const { ask, register, arrivedAt } = await newAccount('cambios');
  const { secret } = await register('/changes', ['catalog.changed']);
  const { id } = await ask('createClient', { body: { name: 'Asesoría' } });
  await expect.poll(() => arrivedAt('/changes').length).toBe(1);
  const [event] = arrivedAt('/changes');
  if (!event) throw new Error('it has arrived');
  expect(event.headers['webhook-signature']).toBe(expectedSignature(secret, event));
  const { type, timestamp, data } = JSON.parse(event.body);
  expect([type, Date.parse(timestamp) > Date.now() - 60_000]).toEqual(['catalog.changed', true]);
  const { changes } = await ask('listChanges', { query: `since=${data.cursor}` });
  expect(changes).toEqual([{ noun: 'client', id, client_id: id, state: 'active' }]);
  expect(lines.filter((line) => line.includes(secret.slice(6)) || line.includes('receptor'))).toEqual([]);
});

it('A-123: a service sends a signed test, also to a webhook that hears of other events', async () => {
  const { ask, register, arrivedAt } = await newAccount('prueba');
  const { id, secret } = await register('/test', ['usage.limit_near']);
  const { event_id, created_at } = await ask('testWebhook', { params: { id: String(id) } });
  await expect.poll(() => arrivedAt('/test').length).toBe(1);
  const [event] = arrivedAt('/test');
  if (!event) throw new Error('it has arrived');
  expect(event.id).toBe(event_id);
  expect(event.headers['webhook-signature']).toBe(expectedSignature(secret, event));
  expect(JSON.parse(event.body)).toEqual({ type: 'webhook.test', timestamp: created_at, data: {} });
});

it('A-124: a service tells that the calls of a minute are nearly used', async () => {
  const { operator, accountId, ask, register, arrivedAt } = await newAccount('limite');
  await register('/limit', ['usage.limit_near']);
  await operator.subscribe(accountId, { callsPerMinute: 5 });
  for (let n = 0; n < 5; n += 1) await ask('getAccount');
  await expect.poll(() => arrivedAt('/limit').length).toBe(1);
  expect(JSON.parse(arrivedAt('/limit')[0]?.body ?? '').data).toEqual({ points: 5, window_seconds: 60 });
});

describe('A-122: a service whose setting allows programs of its machine', () => {
  let local: Service;
  let removeLocal: () => void;
  let key: string;
  beforeAll(async () => {
    const { url, remove } = await temporaryDatabase();
    removeLocal = remove;
    local = await compose(url, createLog('silent'), { worksOnQueues: true, takesLocalReceivers: true });
    const operator = operatorOf(local);
    key = await operator.addKey(await operator.addAccount('desarrollo'), {});
  });
  afterAll(async () => {
    await local.close();
    removeLocal();
  });

  const hasIPv6 = Object.values(networkInterfaces()).some((own) => own?.some(({ address }) => address === '::1'));
  it.each<readonly [string, string]>([
    ['localhost', '127.0.0.1'],
    ['receptor.localhost', '127.0.0.1'],
    ...(hasIPv6 ? [['localhost', '::1'] as const] : []),
  ])('sends events to %s without TLS, where a program listens at %s', async (host, address) => {
    const paths: (string | undefined)[] = [];
    const program = createServer((request, response) => {
      paths.push(request.url);
      response.writeHead(204).end();
    });
    await once(program.listen(0, address), 'listening');
    onTestFinished(() => void program.close());
    const { port } = Object(program.address());
    const registered = await askService(local, key, 'createWebhook', {
      body: { url: `http://${host}:${port}/eventos` },
    });
    expect(registered.status).toBe(201);
    await askService(local, key, 'testWebhook', { params: { id: String(Object(registered.body).id) } });
    await expect.poll(() => paths).toEqual(['/eventos']);
  });

  it.each([
    'http://example.com/',
    'http://localhost.example.com/',
    'https://127.0.0.1/',
    'http://[::1]/',
    'http://user@localhost/',
    'http://localhost:99999/',
    'http://localhost/#part',
  ])('refuses %s as any other does', async (url) => {
    const { status, body } = await askService(local, key, 'createWebhook', { body: { url } });
    expect([status, Object(body).detail.code]).toEqual([422, 'business_rule']);
  });
});
