import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AUDIENCE, type Issuer, startIssuer, unsigned } from '@tarifario/testkit/runtime/issuer';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTokens } from '../src/oauth.ts';

let issuer: Issuer;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
afterAll(() => issuer.stop());

function tokensOf({ config }: Pick<Issuer, 'config'> = issuer) {
  const reported: unknown[] = [];
  return { ...createTokens(config, (error) => reported.push(error)), reported };
}

const UNAVAILABLE = { code: 'unavailable', details: { retryAfterSeconds: 5 } };

/** As if so many seconds had passed since the keys were read. */
function passTime(seconds: number): void {
  const [now, elapsedMs] = [Date.now(), performance.now()];
  vi.spyOn(performance, 'now').mockReturnValue(elapsedMs + 1000 * seconds);
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(now + 1000 * seconds);
}

describe('a token', () => {
  it.each([7, '7'])('A-100: that names the key as %j is accepted as that key', async (id) => {
    const { keyIdOf, isToken, reported } = tokensOf();
    const token = await issuer.tokenFor(id);
    expect(isToken(token)).toBe(true);
    expect(await keyIdOf(token)).toBe(7);
    const aud = ['https://other.example', AUDIENCE];
    expect(await keyIdOf(await issuer.tokenFor(id, { payload: { aud } }))).toBe(7);
    expect(reported).toEqual([]);
  });

  it.each<unknown>([0, -1, 1.5, '', '07', ' 7', '7 ', 'siete', true, null, [7], { id: 7 }, { toString: 1 }, 1e16])(
    'A-100: that names the key as %j is refused',
    async (id) => {
      expect(await tokensOf().keyIdOf(await issuer.tokenFor(id))).toBeNull();
    },
  );

  it.each([
    ['that has expired', { expiresIn: -60 }],
    ['that never expires', { payload: { exp: undefined } }],
    ['that is not valid yet', { payload: { nbf: 4e9 } }],
    ['for another audience', { payload: { aud: 'https://other.example' } }],
    ['for no audience', { payload: { aud: undefined } }],
    ['of another issuer', { payload: { iss: 'https://other.example' } }],
    ['without the claim', { payload: { tarifario_key: undefined } }],
    ['that names a key which the issuer does not have', { header: { kid: 'unknown' } }],
  ])('A-100: %s is refused', async (_what, changes) => {
    const { keyIdOf, reported } = tokensOf();
    expect(await keyIdOf(await issuer.tokenFor(7, changes))).toBeNull();
    expect(reported).toEqual([]);
  });

  it.each(['JWT', 'jwt', 'at+jwt', 'application/at+jwt', undefined])(
    'A-100: of the type %s is accepted',
    async (typ) => {
      expect(await tokensOf().keyIdOf(await issuer.tokenFor(7, { header: { typ } }))).toBe(7);
    },
  );

  it.each([
    ['expired', { expiresIn: -60 }],
    ['for another audience', { payload: { aud: 'https://other.example' } }],
    ['of another issuer', { payload: { iss: 'https://other.example' } }],
    ['without the claim', { payload: { tarifario_key: undefined } }],
    ['bound to a key of its holder', { payload: { cnf: { jkt: 'x' } } }],
    ['of another type', { header: { typ: 'dpop+jwt' } }],
    ['of a type that is no text', { header: { typ: { toString: 1 } } }],
  ])('A-100: %s is refused before the keys of the issuer are read', async (_what, changes) => {
    const requestCount = countRequests(issuer);
    expect(await tokensOf().keyIdOf(await issuer.tokenFor(7, changes))).toBeNull();
    expect(requestCount()).toBe(0);
  });

  it('A-100: that is not signed, is signed with a secret, or was changed is refused', async () => {
    const { keyIdOf, isToken } = tokensOf();
    const requestCount = countRequests(issuer);
    const token = await issuer.tokenFor(7);
    const [head = '', payload = '', signature = ''] = token.split('.');
    const [key] = issuer.server.issuer.keys.toJSON();
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    // The old attack: the public key taken for the secret of a symmetric signature.
    const symmetric = `${part({ alg: 'HS256', kid: key?.kid })}.${payload}`;
    const forged = createHmac('sha256', JSON.stringify(key)).update(symmetric).digest('base64url');
    const other = part({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), tarifario_key: 8 });
    for (const [text, requests] of [
      [`${unsigned(token)}x`, 0],
      [`${symmetric}.${forged}`, 0],
      ['a.b.c', 0],
      [`${head}.${other}.${signature}`, 1],
      [`${head}.${payload}.${signature.slice(0, -8)}AAAAAAAA`, 1],
    ] as const) {
      expect(isToken(text)).toBe(true);
      expect(await keyIdOf(text)).toBeNull();
      expect(requestCount()).toBe(requests);
    }
    expect(isToken(unsigned(token))).toBe(false);
    for (const text of ['', 'a', 'a.b', 'a.b.c.d', 'a b.c.d', `${'a'.repeat(8190)}.b.c`])
      expect(isToken(text)).toBe(false);
  });
});

describe('the keys of the issuer', () => {
  it('A-100: are read again for a token that names a new one, at most once in 30 seconds', async () => {
    const rotating = await startIssuer();
    const { keyIdOf } = tokensOf(rotating);
    const requestCount = countRequests(rotating);
    expect(await keyIdOf(await rotating.tokenFor(7))).toBe(7);
    expect(requestCount()).toBe(1);
    const { kid } = await rotating.server.issuer.keys.generate('ES256');
    const renewed = await rotating.tokenFor(7, { kid });
    for (let times = 0; times < 20; times++) expect(await keyIdOf(renewed)).toBeNull();
    expect(requestCount()).toBe(1);
    passTime(31);
    expect(await keyIdOf(renewed)).toBe(7);
    for (let times = 0; times < 20; times++) {
      expect(await keyIdOf(await rotating.tokenFor(7, { header: { kid: `unknown ${times}` } }))).toBeNull();
    }
    expect(requestCount()).toBe(2);
    await rotating.stop();
  });

  it('A-100: are used for ten minutes while the issuer is down; then its tokens are 503', async () => {
    const failing = await startIssuer();
    const { keyIdOf, reported } = tokensOf(failing);
    const token = await failing.tokenFor(7, { expiresIn: 3600 });
    expect(await keyIdOf(token)).toBe(7);
    await failing.stop();
    expect(await keyIdOf(token)).toBe(7);
    passTime(601);
    await expect(keyIdOf(token)).rejects.toMatchObject(UNAVAILABLE);
    expect(reported).toHaveLength(1);
  });

  it('A-100: are not requested again, nor their failure reported again, within 5 seconds', async () => {
    const failing = await startIssuer();
    const { keyIdOf, reported } = tokensOf(failing);
    const requestCount = countRequests(failing);
    const token = await failing.tokenFor(7, { expiresIn: 3600 });
    await failing.stop();
    const refuse = async () => {
      for (let times = 0; times < 20; times++) {
        const calls = Array.from({ length: 5 }, () => expect(keyIdOf(token)).rejects.toMatchObject(UNAVAILABLE));
        await Promise.all(calls);
      }
    };
    await refuse();
    expect([requestCount(), reported.length]).toEqual([1, 1]);
    passTime(6);
    await refuse();
    expect([requestCount(), reported.length]).toEqual([2, 2]);
  });

  it('A-100: are used on when they cannot be read again for a token that names a new one', async () => {
    const failing = await startIssuer();
    const { keyIdOf } = tokensOf(failing);
    const token = await failing.tokenFor(7, { expiresIn: 3600 });
    const unknown = await failing.tokenFor(7, { expiresIn: 3600, header: { kid: 'unknown' } });
    expect(await keyIdOf(token)).toBe(7);
    await failing.stop();
    passTime(31);
    await expect(keyIdOf(unknown)).rejects.toMatchObject(UNAVAILABLE);
    expect(await keyIdOf(token)).toBe(7);
  });

  it.each([
    ['an error', 500, '{}'],
    ['no JSON', 200, '<html>'],
    ['no keys', 200, '{"keys":1}'],
    ['an address elsewhere', 302, ''],
  ])('A-100: make tokens 503 when they are answered with %s', async (_what, status, text) => {
    const { keyIdOf, reported } = tokensOf(await answerKeysWith(text, status));
    await expect(keyIdOf(await issuer.tokenFor(7))).rejects.toMatchObject(UNAVAILABLE);
    expect(reported).toHaveLength(1);
  });

  it('A-100: make tokens 503 when their answer is larger than a megabyte, and not before', async () => {
    const token = await issuer.tokenFor(7);
    const keys = JSON.stringify({ keys: issuer.server.issuer.keys.toJSON() });
    const fitting = tokensOf(await answerKeysWith(keys.padEnd(1_048_576)));
    expect(await fitting.keyIdOf(token)).toBe(7);
    const tooLarge = tokensOf(await answerKeysWith(keys.padEnd(1_048_577)));
    await expect(tooLarge.keyIdOf(token)).rejects.toMatchObject(UNAVAILABLE);
  });
});

/** The settings of the issuer, whose keys are requested of a server that always gives this answer. */
async function answerKeysWith(text: string, status = 200): Promise<Pick<Issuer, 'config'>> {
  const server = createServer((_request, response) => response.writeHead(status, { Location: '/x' }).end(text));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { config: { ...issuer.config, jwksUrl: `http://127.0.0.1:${port}/jwks` } };
}

function countRequests({ config }: Issuer): () => number {
  const original = globalThis.fetch;
  let count = 0;
  vi.spyOn(globalThis, 'fetch').mockImplementation((...args) => {
    if (args[0] === config.jwksUrl) count += 1;
    return original(...args);
  });
  return () => count;
}
