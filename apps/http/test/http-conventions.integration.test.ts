import { createSecrets } from '@tarifario/runtime';
import { openConnection, parseAnswer, readToEnd, sendRaw } from '@tarifario/testkit/http/raw-http';
import { describe, expect, it } from 'vitest';
import { open, RANK } from './echo-server.ts';

const CLOSE = 'Connection: close\r\n';
const bodyOf = (answer: { readonly body: string }) => JSON.parse(answer.body);

describe('a key', () => {
  it.each([
    ['X-API-Key: k1', 'k1'],
    ['Authorization: Bearer k1', 'k1'],
    ['authorization: bearer  k1 ', 'k1'],
    ['X-API-Key: k1\r\nAuthorization: Basic dTpw', 'k1'],
    ['Authorization: Basic dTpw', null],
    ['Authorization: Bearer', null],
    ['Authorization: Bearer k1 k2', null],
    ['Authorization: k1', null],
    ['X-Other: 1', null],
    ['X-API-Key:', ''],
    ['X-API-Key: k1\r\nX-API-Key: k2', 'k1, k2'],
    ['X-API-Key: k1\r\nX-API-Key: k1', 'k1, k1'],
    ['x-aPi-kEY: \t k1 \t', 'k1'],
    ['X-API-Key: "k1"', '"k1"'],
    ['X-API-Key: k1\u00e9', 'k1\u00e9'],
    [`X-API-Key: ${'k'.repeat(15_000)}`, 'k'.repeat(15_000)],
    ['Cookie: X-API-Key=k1', null],
  ])('A-58: sent as %j is %j', async (headers, key) => {
    const { url } = await open();
    // In the query it is one parameter more.
    const head = `GET /v1/offers?X-API-Key=k3 HTTP/1.1\r\nHost: x\r\n${CLOSE}${headers}\r\n\r\n`;
    const answer = await sendRaw(url, Buffer.from(head, 'latin1'));
    expect(bodyOf(answer)).toMatchObject({ id: 'listOffers', apiKey: key, query: [['X-API-Key', 'k3']] });
  });

  it.each(['/v1/offers', '/mcp', '/healthz', '/nowhere'])(
    'A-58: sent in both headers is refused at %s',
    async (path) => {
      let asked = 0;
      const { url } = await open({
        dispatch: async () => {
          asked += 1;
          return { status: 200, headers: {}, body: {} };
        },
      });
      for (const headers of [
        'X-API-Key: k1\r\nAuthorization: Bearer k1',
        'Authorization: Bearer k1\r\nX-API-Key: k2',
        'Authorization: Bearer k1 k2\r\nX-API-Key: k1',
        'Authorization: Bearer\r\nX-API-Key: k1',
        'Authorization: Bearer k1\r\nAuthorization: Bearer k1',
      ]) {
        const answer = await sendRaw(url, `GET ${path} HTTP/1.1\r\nHost: x\r\n${CLOSE}${headers}\r\n\r\n`);
        expect([answer.status, bodyOf(answer).detail.code]).toEqual([400, 'invalid_request']);
        expect(answer.headers.get('x-request-id')).toBeDefined();
      }
      expect(asked).toBe(0);
    },
  );

  it('A-58: sent as Bearer is logged only with its prefix', async () => {
    const { key, prefix } = createSecrets().newKey();
    const { url, lines } = await open();
    await fetch(`${url}/v1/offers`, { headers: { Authorization: `Bearer ${key}` } });
    await expect.poll(() => lines.length).toBe(1);
    expect(lines[0]).toMatchObject({ keyPrefix: prefix });
    expect(JSON.stringify(lines)).not.toContain(key);
  });
});

it.each(['/v1/offers', '/healthz', '/docs/', '/nowhere'])('two headers Host are refused at %s', async (path) => {
  const { url } = await open();
  const answer = await sendRaw(url, `GET ${path} HTTP/1.1\r\nHost: a\r\nHOST: a\r\n${CLOSE}\r\n`);
  expect([answer.status, bodyOf(answer).detail.code]).toEqual([400, 'invalid_request']);
});

describe('a caller that half-closes its connection', () => {
  it.each([
    ['/v1/offers', '200'],
    ['/docs/swagger-ui-bundle.js', '200'],
    ['/v1/nothing', '404'],
  ])('gets its whole answer: %s', async (path, status) => {
    const { url } = await open();
    const socket = await openConnection(url);
    const all = readToEnd(socket);
    socket.end(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const text = await all;
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const length = Number(parseAnswer(text).headers.get('content-length'));
    expect(Buffer.byteLength(parseAnswer(text).body)).toBe(length);
  });

  it('gets its answer even if it takes long, and the answers to its earlier requests', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let asked = 0;
    const { url } = await open({
      dispatch: async () => {
        asked += 1;
        await released;
        return { status: 200, headers: {}, body: { asked } };
      },
    });
    const socket = await openConnection(url);
    const all = readToEnd(socket);
    socket.end('GET /v1/offers HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3));
    await expect.poll(() => asked).toBe(1);
    release();
    expect((await all).match(/HTTP\/1\.1 200/g)).toHaveLength(3);
  });

  it('is abandoned when it closes in the middle of a request', async () => {
    const { url } = await open();
    for (const begun of ['GET /v1/off', 'POST /v1/offers HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{']) {
      const socket = await openConnection(url);
      const all = readToEnd(socket);
      socket.end(begun);
      expect(await all).not.toMatch(/ 200 /);
    }
  });
});

describe('a caller that waits for 100 Continue', () => {
  const head = `POST ${RANK} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n`;

  it('gets 100 Continue after its key was admitted, and its connection stays open', async () => {
    const { promise: admitted, resolve: admit } = Promise.withResolvers<void>();
    const { url } = await open({
      dispatch: async (request) => {
        await admitted;
        if (request.kind !== 'operation') throw new Error('an operation');
        const form = { accountId: 1, beforeForm: async () => {} };
        return { status: 200, headers: {}, body: await request.readBody(['json'], form) };
      },
    });
    const socket = await openConnection(url);
    const seen: string[] = [];
    socket.on('data', (data) => seen.push(String(data)));
    socket.write(`${head}\r\n`);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(seen).toEqual([]);
    admit();
    await expect.poll(() => seen.join('')).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('{}');
    await expect.poll(() => seen.join('')).toMatch(/HTTP\/1\.1 200 OK[\s\S]*Connection: keep-alive[\s\S]*\{\}$/);
    socket.destroy();
  });

  it('is refused without 100 Continue, and its connection is closed', async () => {
    const { url } = await open({
      dispatch: async () => ({ status: 401, headers: {}, body: { detail: {} } }),
    });
    const answer = await sendRaw(url, `${head}\r\n`);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('connection')).toBe('close');
    for (const [request, status] of [
      ['POST /nowhere', 401],
      ['POST /healthz', 401],
    ] as const) {
      const other = head.replace(`POST ${RANK}`, request);
      expect((await sendRaw(url, `${other}\r\n`)).status).toBe(status);
    }
  });

  it('is refused a body that is too large without 100 Continue', async () => {
    const { url } = await open();
    const answer = await sendRaw(url, `${head.replace('Length: 2', 'Length: 99999999')}\r\n`);
    expect([answer.status, answer.headers.get('connection')]).toEqual([413, 'close']);
  });
});

it('a fragment in a target is ignored, in a path, after a query and in an absolute address', async () => {
  const { url } = await open();
  for (const [target, query] of [
    ['/v1/offers#top', []],
    ['/v1/offers?limit=5#top', [['limit', '5']]],
    ['/v1/offers#top?limit=5', []],
    ['http://x/v1/offers?limit=5#', [['limit', '5']]],
  ] as const) {
    const answer = await sendRaw(url, `GET ${target} HTTP/1.1\r\nHost: x\r\n${CLOSE}\r\n`);
    expect(bodyOf(answer), target).toMatchObject({ id: 'listOffers', query });
  }
  for (const target of ['/healthz#x', '/docs/#x', '/openapi.json?a#x']) {
    expect((await sendRaw(url, `GET ${target} HTTP/1.1\r\nHost: x\r\n${CLOSE}\r\n`)).status, target).toBe(200);
  }
});

describe('a body for an operation that takes none', () => {
  it.each([
    ['nothing', '', undefined],
    ['no bytes', 'Content-Length: 0\r\n', undefined],
    ['an object without members', 'Content-Length: 2\r\n', '{}'],
    ['another', 'Content-Length: 20\r\nContent-Type: application/json\r\n', '{"is_active": false}'],
    ['one in pieces', 'Transfer-Encoding: chunked\r\n', '2\r\n[]\r\n0\r\n\r\n'],
    ['no pieces', 'Transfer-Encoding: chunked\r\n', '0\r\n\r\n'],
  ])('is passed to dispatch as it was sent: %s', async (_what, headers, sent = '') => {
    const bodies: unknown[] = [];
    const { url } = await open({
      dispatch: async (request) => {
        if (request.kind !== 'operation') throw new Error('an operation');
        bodies.push(await request.readBody([], { accountId: 1, beforeForm: async () => {} }));
        return { status: 200, headers: {}, body: {} };
      },
    });
    const head = `PATCH /v1/offers/1/toggle HTTP/1.1\r\nHost: x\r\n${CLOSE}${headers}\r\n`;
    expect((await sendRaw(url, head + sent)).status).toBe(200);
    const expected = sent.includes('{') ? JSON.parse(sent) : sent.includes('[]') ? [] : undefined;
    expect(bodies).toEqual([expected]);
  });
});
