import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request as requestByTls } from 'node:https';
import { setDefaultAutoSelectFamily } from 'node:net';
import type { Delivery, Webhook } from '@tarifario/core/service';
import { newAuthority } from '@tarifario/testkit/postgres/certificates';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { allPublic } from '../src/public-addresses.ts';
import { createSendEvent, signatureOf } from '../src/webhook-sender.ts';
import { expectedSignature, type Receiver, startReceiver } from './webhook-receiver.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const NOW = Date.parse('2026-03-01T12:00:00.500Z');
const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const BODY = '{"type":"upload.finished","timestamp":"2026-03-01T11:59:00.000Z","data":{"upload_id":1}}';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

function sendingTo(path: string, changes: Partial<Webhook> = {}): Delivery {
  const webhook = { url: receiver.urlOf(path), secret: SECRET, formerSecret: null, formerUntil: null, ...changes };
  const event = {
    id: 7,
    createdAt: '2026-03-01T11:59:00.000Z',
    attempts: 0,
    type: 'upload.finished',
    traceparent: TRACEPARENT,
  };
  // The sender uses no other member.
  return { webhook, event } as unknown as Delivery;
}

const never = new AbortController().signal;
const send = (path: string, changes: Partial<Webhook> = {}, options: { readonly answerMs?: number } = {}) =>
  createSender({ bodyOf: () => BODY, nowMs: () => NOW, ...options }, receiver.receivers)(
    sendingTo(path, changes),
    never,
  );

/** As a process sends, but only what became of the event. */
const createSender = (...given: Parameters<typeof createSendEvent>) => {
  const sendEvent = createSendEvent(...given);
  return async (...sent: Parameters<typeof sendEvent>) => (await sendEvent(...sent)).outcome;
};

describe('an event that is sent', () => {
  it('A-122: has the signature of the vector of Standard Webhooks', () => {
    const content = 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}';
    expect(signatureOf(SECRET, content)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('A-123: has the headers of Standard Webhooks, and the same id whenever it is sent', async () => {
    for (const _ of [1, 2]) expect(await send('/good?a=b')).toBe('delivered');
    const [first, second] = receiver.arrived;
    expect(first).toMatchObject({
      path: '/good?a=b',
      id: 'msg_1772366340000_7',
      body: BODY,
      headers: {
        host: `receptor.example.com:${receiver.port}`,
        'content-type': 'application/json',
        'webhook-timestamp': String(Math.floor(NOW / 1000)),
        // the trace of the request that caused it.
        traceparent: TRACEPARENT,
      },
    });
    expect(first?.headers['webhook-signature']).toBe(first && expectedSignature(SECRET, first));
    expect(second?.id).toBe(first?.id);
  });

  it('A-122: is signed with the former secret too until its time', async () => {
    const former = 'whsec_AAAA';
    const until = (ms: number) => ({ formerSecret: former, formerUntil: new Date(ms).toISOString() });
    for (const ms of [NOW + 1, NOW]) await send('/good', until(ms));
    const [during, after] = receiver.arrived.map((one) => ({ one, signed: one.headers['webhook-signature'] }));
    if (!during || !after) throw new Error('both arrived');
    expect(during.signed).toBe(`${expectedSignature(SECRET, during.one)} ${expectedSignature(former, during.one)}`);
    expect(after.signed).toBe(expectedSignature(SECRET, after.one));
  });

  it.each(['/garbage', '/reset', '/head', '/upgrade', '/elsewhere', '/error'])(
    'A-123: has failed where %s answers',
    async (path) => {
      expect(await send(path)).toBe('failed');
      expect(receiver.arrived.map((one) => one.path)).toEqual([path]);
    },
  );

  it.each(['/slow', '/drip', '/again'])('A-123: has failed where %s does not answer in time', async (path) => {
    expect(await send(path, {}, { answerMs: 300 })).toBe('failed');
  });

  it('A-122: has 20 000 bytes at most, and 15 seconds', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    onTestFinished(() => timeout.mockRestore());
    const sendOf = (bytes: number) =>
      createSender({ bodyOf: () => 'x'.repeat(bytes) }, receiver.receivers)(sendingTo('/good'), never);
    expect([await sendOf(20_000), await sendOf(20_001)]).toEqual(['delivered', 'failed']);
    expect(receiver.arrived).toHaveLength(1);
    expect(timeout.mock.calls).toEqual([[15_000], [15_000]]);
  });

  it('A-123: leaves its status, or why nothing answered, and when and how long it was sent', async () => {
    const attemptAt = async (path: string, options = {}, receivers = receiver.receivers) => {
      const sendEvent = createSendEvent({ bodyOf: () => BODY, nowMs: () => 1_767_225_600_000, ...options }, receivers);
      const { attempt } = await sendEvent(sendingTo(path), never);
      expect(attempt.sentAt).toBe('2026-01-01T00:00:00.000Z');
      expect(attempt.durationMs).toBeGreaterThanOrEqual(0);
      return [attempt.status, attempt.failure];
    };
    for (const [path, status] of Object.entries({ '/a': 204, '/error': 500, '/elsewhere': 307, '/gone': 410 })) {
      expect(await attemptAt(path)).toEqual([status, null]);
    }
    for (const path of ['/reset', '/upgrade', '/garbage']) expect(await attemptAt(path)).toEqual([null, 'connection']);
    expect(await attemptAt('/slow', { answerMs: 300 })).toEqual([null, 'timeout']);
    expect(await attemptAt('/a', { bodyOf: () => 'x'.repeat(20_001) })).toEqual([null, 'other']);
    const addressesOf = async () => allPublic(await receiver.receivers.addressesOf('', never));
    expect(await attemptAt('/a', {}, { ...receiver.receivers, addressesOf })).toEqual([null, 'address']);
  });

  it('A-123: is delivered by an answer without end, and over by 410', async () => {
    expect(await send('/endless')).toBe('delivered');
    expect(await send('/gone')).toBe('gone');
  });

  it('A-123: has failed when a process stops that waits for the answer', async () => {
    const stop = new AbortController();
    const sent = createSender({ bodyOf: () => BODY }, receiver.receivers)(sendingTo('/slow'), stop.signal);
    await expect.poll(() => receiver.arrived.length).toBe(1);
    stop.abort();
    expect(await sent).toBe('failed');
  });

  it.each([
    ['all addresses', true],
    ['one address', false],
  ])(
    'A-122: goes where one look-up led, and to no address that is not public, where Node asks for %s',
    async (_what, all) => {
      setDefaultAutoSelectFamily(all);
      onTestFinished(() => setDefaultAutoSelectFamily(true));
      const hosts: string[] = [];
      const addressesOf = async (host: string) => {
        hosts.push(host);
        return [{ address: '127.0.0.1', family: 4 as const }];
      };
      const { request } = receiver.receivers;
      expect(await createSender({ bodyOf: () => BODY }, { addressesOf, request })(sendingTo('/a'), never)).toBe(
        'delivered',
      );
      expect(hosts).toEqual(['receptor.example.com']);
      const guarded = { addressesOf: async (host: string) => allPublic(await addressesOf(host)), request };
      expect(await createSender({ bodyOf: () => BODY }, guarded)(sendingTo('/b'), never)).toBe('failed');
      expect(receiver.arrived.map(({ path }) => path)).toEqual(['/a']);
    },
  );

  it('A-122: goes nowhere where the host is an address, for which Node asks for no other', async () => {
    const addressesOf = async () => [{ address: '93.184.215.14', family: 4 as const }];
    const { request } = receiver.receivers;
    // U+3164 is a letter that a URL leaves out.
    for (const host of ['127.0.0.1', '127.0.0.\u31641']) {
      const url = `https://${host}:${receiver.port}/`;
      const sent = createSender({ bodyOf: () => BODY, answerMs: 1000 }, { addressesOf, request });
      expect(await sent(sendingTo('/', { url }), never)).toBe('failed');
    }
    expect(receiver.arrived).toEqual([]);
  });

  it('A-122: never goes to this machine by the means of production, nor without TLS', async () => {
    const sent = createSender({ bodyOf: () => BODY, answerMs: 1000 });
    for (const host of ['localhost', '127.0.0.1', '[::1]', '169.254.169.254']) {
      const url = `https://${host}:${receiver.port}/`;
      expect(await sent(sendingTo('/', { url }), never)).toBe('failed');
    }
    const { addressesOf } = receiver.receivers;
    const byTls = { addressesOf, request: requestByTls };
    expect(await createSender({ bodyOf: () => BODY }, byTls)(sendingTo('/'), never)).toBe('failed');
    expect(receiver.arrived).toEqual([]);
  });
});

const authority = newAuthority();
if (authority === null) process.stderr.write('\n*** No openssl: the tests of TLS to receivers are SKIPPED.\n\n');
afterAll(() => authority?.remove());

describe.runIf(authority)('a receiver with TLS', () => {
  const sendTo = async (name: string, ca?: string) => {
    const server = createServer({ ...authority?.issue(name) }, (_request, response) => response.writeHead(204).end());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { addressesOf } = receiver.receivers;
    const request: typeof receiver.receivers.request = (options, onAnswer) =>
      requestByTls({ ...options, ...(ca !== undefined && { ca }) }, onAnswer);
    const sendEvent = createSendEvent({ bodyOf: () => BODY, answerMs: 5000 }, { addressesOf, request });
    const sent = await sendEvent(sendingTo('/', { url: `https://receptor.example.com:${port}/` }), never);
    return sent.attempt.failure ?? sent.outcome;
  };
  const trusted = () => readFileSync(authority?.path ?? '', 'utf8');

  it('A-122: gets events where its certificate is of a known authority and for its name', async () => {
    expect(await sendTo('receptor.example.com', trusted())).toBe('delivered');
    expect(await sendTo('otro.example.com', trusted())).toBe('certificate');
    expect(await sendTo('receptor.example.com')).toBe('certificate');
  });

  it('A-122: gets none with another certificate, also where the operator takes any elsewhere', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await sendTo('receptor.example.com')).toBe('certificate');
  });
});
