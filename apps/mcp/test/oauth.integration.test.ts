import type { RunningServer } from '@tarifario/testkit/http/running-server';
import { post, request, startMcpServer } from '@tarifario/testkit/mcp/mcp-server';
import { type Issuer, startIssuer } from '@tarifario/testkit/runtime/issuer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const METADATA = '/.well-known/oauth-protected-resource';
const CHALLENGE = `Bearer realm="tarifario", resource_metadata="https://tarifario.example${METADATA}"`;

let issuer: Issuer;
let server: RunningServer;
let accountId: number;

beforeAll(async () => {
  issuer = await startIssuer();
  server = await startMcpServer({ oauth: issuer.config, metricsPort: 0, logLevel: 'trace' });
  accountId = await server.addAccount('tokens');
});
afterAll(async () => {
  await server.close();
  await issuer.stop();
});

/** A key and its id. */
async function newKey(rights: Parameters<RunningServer['addKey']>[1] = {}) {
  const key = await server.addKey(accountId, rights);
  const keys = await server.service.store.read((reader) => reader.keys.list(accountId));
  return { key, id: keys.at(-1)?.id ?? 0 };
}

function get(path: string, token: string | null, headers: Record<string, string> = {}) {
  const sent = token === null ? headers : { Authorization: `Bearer ${token}`, ...headers };
  return fetch(`${server.url}${path}`, { headers: sent });
}

describe('a token in place of a key', () => {
  it('A-100: allows over REST and MCP what its key allows, and no more', async () => {
    const { key, id } = await newKey({ scopes: ['offers:read'] });
    const token = await issuer.tokenFor(id);
    for (const path of ['/v1/offers', '/v1/account', '/v1/clients']) {
      const [byToken, byKey] = [await get(path, token), await get(path, null, { 'X-API-Key': key })];
      expect([path, byToken.status, await byToken.text()]).toEqual([path, byKey.status, await byKey.text()]);
    }
    const bearer = { Authorization: `Bearer ${token}` };
    const tools = await post(server, null, request('tools/list'), bearer);
    expect([tools.status, tools.text]).toEqual([200, (await post(server, key, request('tools/list'))).text]);
    expect(tools.text).toContain('"list_offers"');
    expect(tools.text).not.toContain('"calculate_commission"');
  });

  it.each([
    ['/v1/offers', 'REST'],
    ['/mcp', 'MCP'],
  ])('A-100: that is invalid or missing is 401 at %s, and the answer says where the metadata is', async (path) => {
    const { id } = await newKey();
    const wrong = [
      await issuer.tokenFor(id, { expiresIn: -60 }),
      await issuer.tokenFor(id, { payload: { aud: 'https://other.example' } }),
      await issuer.tokenFor(999_999),
      'junk',
      null,
    ];
    for (const token of wrong) {
      const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
      const answer =
        path === '/mcp' ? await post(server, null, request('tools/list'), headers) : await get(path, token);
      expect([answer.status, answer.headers.get('WWW-Authenticate')]).toEqual([401, CHALLENGE]);
    }
  });

  it('A-143: makes no key, which would outlive it, and lists and revokes what its key may', async () => {
    const { key, id } = await newKey();
    const token = await issuer.tokenFor(id);
    const make = (headers: Record<string, string>) =>
      fetch(`${server.url}/v1/keys`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ scopes: ['offers:read'] }),
      });
    const refused = await make({ Authorization: `Bearer ${token}` });
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('a token makes no keys')]);
    expect((await make({ 'X-API-Key': key })).status).toBe(201);
    expect((await get('/v1/keys', token)).status).toBe(200);
  });

  it('A-100: of a key that was revoked, or of an account that is not active, is refused as the key is', async () => {
    const { id } = await newKey();
    const token = await issuer.tokenFor(id);
    expect((await get('/v1/account', token)).status).toBe(200);
    const { store, clock } = server.service;
    await store.write({ keyId: null, at: clock.now() }, (writer) => writer.keys.revoke(id));
    expect((await get('/v1/account', token)).status).toBe(401);
    const other = await server.addAccount('resting');
    await server.addKey(other, {});
    const [key] = await store.read((reader) => reader.keys.list(other));
    await store.write({ keyId: null, at: clock.now() }, (writer) => writer.accounts.update(other, { isActive: false }));
    const answer = await get('/v1/account', await issuer.tokenFor(key?.id));
    expect([answer.status, Object(await answer.json()).detail.code]).toEqual([403, 'account_inactive']);
  });

  it('A-100: may be renewed: tags, cursors and Idempotency-Keys are those of the key', async () => {
    const { id } = await newKey();
    const [first, second] = [await issuer.tokenFor(id), await issuer.tokenFor(id, { payload: { jti: 'other' } })];
    expect(second).not.toBe(first);
    const { headers } = await get('/v1/clients', first);
    const again = await get('/v1/clients', second, { 'If-None-Match': headers.get('ETag') ?? '' });
    expect(again.status).toBe(304);
    const { next } = Object(await (await get('/v1/changes', first)).json());
    expect((await get(`/v1/changes?since=${next}`, second)).status).toBe(200);
    const create = (token: string) =>
      fetch(`${server.url}/v1/clients`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'one' },
        body: JSON.stringify({ name: 'Una' }),
      });
    const [made, replayed] = [await create(first), await create(second)];
    expect([made.status, replayed.status, replayed.headers.get('Idempotent-Replayed')]).toEqual([201, 201, 'true']);
    expect(await replayed.text()).toBe(await made.text());
    const { id: other } = await newKey();
    expect((await get(`/v1/changes?since=${next}`, await issuer.tokenFor(other))).status).toBe(410);
  });

  it('A-100: occurs in no line of the log and in no metric', async () => {
    const { id } = await newKey();
    const tokens = [await issuer.tokenFor(id), await issuer.tokenFor(id, { expiresIn: -60 })];
    for (const token of tokens) {
      await get('/v1/offers', token);
      await get('/v1/nowhere', token);
      await post(server, null, request('tools/list'), { Authorization: `Bearer ${token}` });
    }
    await expect.poll(() => server.logLines.filter((line) => line.includes('/mcp')).length).toBeGreaterThan(1);
    const metrics = await (await fetch(String(server.metricsUrl))).text();
    const all = server.logLines.join('\n') + metrics;
    for (const part of tokens.flatMap((token) => token.split('.'))) expect(all).not.toContain(part);
  });

  it('A-100: is 401 in X-API-Key, and is not counted there', async () => {
    const { id } = await newKey();
    const token = await issuer.tokenFor(id);
    for (let times = 0; times < 70; times++) {
      expect((await get('/v1/offers', null, { 'X-API-Key': token })).status).toBe(401);
    }
    expect((await post(server, token, request('tools/list'))).status).toBe(401);
    expect((await get('/v1/offers', token)).status).toBe(200);
  });

  it('A-100: is 503 with Retry-After while its issuer is down, and API keys still work', async () => {
    const failing = await startIssuer();
    const alone = await startMcpServer({ oauth: failing.config, logLevel: 'trace' });
    const account = await alone.addAccount('alone');
    const key = await alone.addKey(account, {});
    const token = await failing.tokenFor(1);
    await failing.stop();
    const ask = () => fetch(`${alone.url}/v1/offers`, { headers: { Authorization: `Bearer ${token}` } });
    const answer = await ask();
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '5']);
    expect((await fetch(`${alone.url}/v1/offers`, { headers: { 'X-API-Key': key } })).status).toBe(200);
    const lines = alone.logLines.join('\n');
    expect(lines).toContain('the keys of OAUTH_JWKS_URL cannot be read');
    // It cannot be told from junk, so it is counted as an unknown key is.
    for (let times = 1; times < 60; times++) expect((await ask()).status).toBe(503);
    expect((await ask()).status).toBe(429);
    expect((await fetch(`${alone.url}/v1/offers`, { headers: { 'X-API-Key': key } })).status).toBe(200);
    for (const part of token.split('.')) expect(lines).not.toContain(part);
    await alone.close();
  });
});

describe('the metadata of the resource', () => {
  it('A-100: names the issuer and how tokens are sent, to everybody', async () => {
    const answer = await fetch(`${server.url}${METADATA}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toContain('application/json');
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(await answer.json()).toEqual({
      resource: issuer.config.audience,
      authorization_servers: [issuer.config.issuer],
      bearer_methods_supported: ['header'],
    });
    expect((await fetch(`${server.url}${METADATA}`, { method: 'POST' })).status).toBe(405);
  });

  it('A-100: does not exist, and no token is accepted, unless the settings name an issuer', async () => {
    const plain = await startMcpServer();
    expect((await fetch(`${plain.url}${METADATA}`)).status).toBe(404);
    const headers = { Authorization: `Bearer ${await issuer.tokenFor(1)}` };
    const answer = await fetch(`${plain.url}/v1/offers`, { headers });
    expect([answer.status, answer.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer realm="tarifario"']);
    await plain.close();
  });
});
