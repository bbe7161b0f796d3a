import { SCOPES } from '@tarifario/core/service';
import { createMemoryRateLimiter } from '@tarifario/runtime';
import { CALLS_OF_ITS_KEY, filledWorld, type Sample, SCOPES_OF_CALLS } from '@tarifario/testkit/api/sample';
import {
  asRecord,
  type CallInput,
  deactivate,
  idOf,
  newClient,
  newCompany,
  operationOf,
  type World,
} from '@tarifario/testkit/api/world';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { operations } from '../src/index.ts';

const ids = operations.map((operation) => operation.id);
const withQuery = (input: CallInput, query: Record<string, string>): CallInput => ({
  ...input,
  query: { ...(typeof input.query === 'object' ? input.query : {}), ...query },
});

/** What all these refuse changes nothing, so they share one service. */
let world: World;
let sample: Sample;
let calls: Readonly<Record<string, CallInput>>;

beforeAll(async () => {
  ({ world, sample, calls } = await filledWorld());
});

async function refusal(id: string, input: CallInput) {
  const { status, body } = await world.call(id, input);
  return { status, detail: asRecord(asRecord(body).detail) };
}

/** Another account with a firm. */
async function newStranger() {
  const key = await world.newKey((await world.newAccount()).id);
  return { key, clientId: await newClient(world, 'Ajena', { key }) };
}

it('A-29: has a call that succeeds for every operation, answered in its own shape', async () => {
  const fresh = await filledWorld();
  expect(Object.keys(fresh.calls).sort()).toEqual([...ids].sort());
  for (const id of ids) {
    const { status, body } = await fresh.world.call(id, fresh.calls[id]);
    const { success, output } = operationOf(id);
    expect(success, id).toContain(status);
    if (output === null) expect(body, id).toBeUndefined();
    else expect(output.safeParse(body).error?.issues, id).toBeUndefined();
  }
  expect(fresh.world.bugs).toEqual([]);
});

describe('callers whose account, firm or key is not active', () => {
  let revoked: string;
  let expired: string;
  let ofInactiveAccount: string;
  let ofInactiveFirm: string;

  beforeAll(async () => {
    revoked = await world.newKey(world.account.id);
    await world.store.write({ keyId: null, at: '2026-01-01T00:00:00.000Z' }, async (writer) => {
      const keys = await writer.keys.list(world.account.id);
      await writer.keys.revoke(keys.at(-1)?.id ?? 0);
    });
    expired = await world.newKey(world.account.id, { expiresAt: '2020-01-01T00:00:00.000Z' });
    const account = await world.newAccount();
    ofInactiveAccount = await world.newKey(account.id);
    await deactivate(world, { accountId: account.id });
    const firmId = await newClient(world, 'Inactiva');
    ofInactiveFirm = await world.newKey(world.account.id, { firmId });
    await deactivate(world, { firmId });
  });

  it.each(ids)(
    '%s refuses a missing, a malformed, an unknown, a revoked and an expired key with one and the same 401',
    async (id) => {
      const answers = [];
      for (const key of [null, '', 'junk', 'test-999!', revoked, expired])
        answers.push(await world.call(id, { ...calls[id], key }));
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      const message =
        'the API key in the header X-API-Key, or Authorization as Bearer, is missing, invalid or inactive';
      expect(answers[0]).toMatchObject({ status: 401, body: { detail: { code: 'unauthenticated', message } } });
    },
  );

  it.each(ids)('%s refuses a deactivated account before its input is checked', async (id) => {
    expect(await refusal(id, { key: ofInactiveAccount, query: 'x=1', body: 1 })).toMatchObject({
      status: 403,
      detail: { code: 'account_inactive' },
    });
  });

  it.each(ids)('A-25: %s refuses a key bound to a deactivated firm', async (id) => {
    expect(await refusal(id, { ...calls[id], key: ofInactiveFirm })).toMatchObject({
      status: 403,
      detail: { code: 'firm_inactive' },
    });
  });
});

const closed = operations.filter(({ id, anyKey }) => !anyKey || Object.hasOwn(SCOPES_OF_CALLS, id));

it.each(closed)('A-25: $id refuses a key without any scope', async ({ id, fullAccess }) => {
  const key = await world.newKey(world.account.id, { scopes: [] });
  const code = fullAccess ? 'not_full_access' : 'missing_scope';
  expect(await refusal(id, { ...calls[id], key })).toMatchObject({ status: 403, detail: { code } });
});

describe.each(ids)('%s', (id) => {
  it('A-25: names each missing scope before the input is checked', async () => {
    const { scopes } = operationOf(id);
    for (const scope of scopes) {
      const key = await world.newKey(world.account.id, { scopes: SCOPES.filter((other) => other !== scope) });
      const readBody = () => Promise.reject(new Error('the body is read too early'));
      expect(await refusal(id, { key, query: 'x=1', readBody })).toEqual({
        status: 403,
        detail: { code: 'missing_scope', message: `the API key lacks the scope ${scope}`, missing_scope: scope },
      });
    }
  });

  it('A-25: needs its own scopes and no others, which are none where any key may call it, and accepts the own client_id', async () => {
    const fresh = await filledWorld();
    const { scopes, fullAccess, success } = operationOf(id);
    const needed = { scopes: [...scopes, ...(SCOPES_OF_CALLS[id] ?? [])] };
    const isForFull = fullAccess || CALLS_OF_ITS_KEY.includes(id);
    const key = await fresh.world.newKey(fresh.world.account.id, isForFull ? {} : needed);
    const own = withQuery({ ...fresh.calls[id], key }, { client_id: String(fresh.sample.clientId) });
    expect(success).toContain((await fresh.world.call(id, own)).status);
  });

  it('A-25: where only full access may call it, refuses scoped and bound keys before the input is checked', async () => {
    const { fullAccess } = operationOf(id);
    const everyScope = await world.newKey(world.account.id, { scopes: SCOPES });
    const bound = await world.newKey(world.account.id, { firmId: sample.clientId });
    for (const key of [everyScope, bound]) {
      let bodiesRead = 0;
      const readBody = async () => {
        bodiesRead += 1;
        return 1;
      };
      const { status, detail } = await refusal(id, { key, query: 'tamaño=1', readBody });
      expect([status, detail.code]).toEqual(fullAccess ? [403, 'not_full_access'] : [400, 'invalid_request']);
      // A GET has none. Where no body is allowed, its content has to be read before it is refused.
      expect(bodiesRead).toBe(fullAccess || operationOf(id).method === 'GET' ? 0 : 1);
    }
  });

  it('A-24: refuses another client_id with a bound key, whether that firm exists, is of another account or does not exist', async () => {
    const { clientId: foreignId } = await newStranger();
    const key = await world.newKey(world.account.id, { firmId: sample.clientId });
    const bodies = new Set<string>();
    for (const clientId of [sample.otherClientId, foreignId, 999_999, '9007199254740993']) {
      const answer = await world.call(id, withQuery({ ...calls[id], key }, { client_id: String(clientId) }));
      expect(answer.status).toBe(403);
      bodies.add(JSON.stringify(answer));
    }
    // A bound key never creates a firm nor writes the catalog; this refusal comes first, whatever firm is named.
    const { fullAccess, refusals, scopes } = operationOf(id);
    const refused = fullAccess ? 'not_full_access' : 'foreign_firm';
    // What needs no scope says it of files for the catalog alone.
    const code = refusals.includes('bound_key') && scopes.length > 0 ? 'bound_key' : refused;
    expect([...bodies]).toHaveLength(1);
    expect(JSON.parse([...bodies][0] ?? '')).toMatchObject({ body: { detail: { code } } });
  });

  it('A-24: refuses a foreign or missing client_id with an unbound key', async () => {
    const { clientId: foreignId } = await newStranger();
    const answers = [];
    for (const clientId of [foreignId, 999_999]) {
      answers.push(await refusal(id, withQuery(calls[id] ?? {}, { client_id: String(clientId) })));
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({ status: 403, detail: { code: 'foreign_firm' } });
  });

  it('A-25: refuses malformed input before the firm is checked', async () => {
    const input = withQuery(calls[id] ?? {}, { client_id: '999999', tamaño: '1' });
    expect(await refusal(id, input)).toMatchObject({ status: 400, detail: { code: 'invalid_request' } });
  });
});

describe('A-40: over the limit', () => {
  let limited: Awaited<ReturnType<typeof filledWorld>>;

  beforeAll(async () => {
    // A store takes turns of the event loop.
    vi.useFakeTimers({ toNotFake: ['setImmediate'] });
    limited = await filledWorld(undefined, createMemoryRateLimiter());
  });
  afterAll(() => {
    vi.useRealTimers();
  });

  it('A-25: each operation is refused before its scope, its input and its body are checked', async () => {
    const { id: accountId } = await limited.world.newAccount();
    const key = await limited.world.newKey(accountId, { scopes: [] });
    await limited.world.subscribe(accountId, { callsPerMinute: 1 });
    await limited.world.send('getAccount', { key });
    const readBody = () => Promise.reject(new Error('the body is read too early'));
    for (const id of ids) {
      const { status, headers, body } = await limited.world.send(id, { key, query: 'tamaño=1', readBody });
      expect({ id, status, body }).toMatchObject({ id, status: 429, body: { detail: { code: 'rate_limited' } } });
      expect(headers).toMatchObject({ 'Retry-After': '60', RateLimit: '"account";r=0;t=60' });
    }
    expect(limited.world.bugs).toEqual([]);
  });

  it('each operation is refused to a key of a firm that is over its own limit, and to no other', async () => {
    const { world: service, sample: own, calls: sent } = limited;
    const [bound, sibling, other] = [
      await service.newKey(service.account.id, { firmId: own.clientId }),
      await service.newKey(service.account.id, { firmId: own.clientId }),
      await service.newKey(service.account.id, { firmId: own.otherClientId }),
    ];
    await service.subscribe(service.account.id, { firmCallsPerMinute: 1 });
    for (const id of ids) {
      vi.advanceTimersByTime(60_001);
      expect((await service.send('getAccount', { key: sibling })).status).toBe(200);
      const { status, headers } = await service.send(id, { ...sent[id], key: bound });
      expect([id, status, headers.RateLimit]).toEqual([id, 429, expect.stringMatching(/^"client";r=0;/)]);
      expect((await service.send(id, { ...sent[id], key: other })).status, id).not.toBe(429);
    }
  });
});

describe('A-24: a record that is foreign, missing or no id at all', () => {
  const byId = operations.filter((operation) => operation.path.includes('{id}'));
  let foreignIds: Readonly<Record<string, number>>;

  beforeAll(async () => {
    const { key, clientId } = await newStranger();
    const companyId = await newCompany(world, clientId, 'Ajena', key);
    const body = { ...asRecord(calls.createOffer?.body), company_id: companyId };
    const offerId = idOf(await world.ask('createOffer', { key, body }));
    const request = asRecord(calls.rankOffers?.body);
    const proposal = await world.ask('createProposal', { key, body: { request, offer_ids: [offerId] } });
    foreignIds = {
      clients: clientId,
      companies: companyId,
      offers: offerId,
      uploads: idOf(await world.ask('createUpload', { key, body: { file_name: 'x' } })),
      proposals: idOf(proposal),
      keys: idOf(await world.ask('createKey', { key, body: { full_access: true } })),
      webhooks: idOf(await world.ask('createWebhook', { key, body: { url: 'https://otro.example.com' } })),
      // A record outside of the catalog is missing there, like one that does not exist, even if it is the caller's own.
      'catalog/companies': sample.companyId,
      'catalog/offers': sample.luzId,
    };
  });

  it.each(byId.map((operation) => operation.id))('A-24: %s gives the same 404 in all three cases', async (id) => {
    const noun = /^\/v1\/((?:catalog\/)?\w+)/.exec(operationOf(id).path)?.[1] ?? '';
    const foreign = foreignIds[noun];
    expect(foreign).toBeGreaterThan(0);
    const answers = [];
    for (const text of [String(foreign), '999999', '0', '-1', 'abc', '1.0', '01', '１', '9'.repeat(400)]) {
      const input = calls[id] ?? {};
      answers.push(await world.call(id, { ...input, params: { ...input.params, id: text } }));
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 404, body: { detail: { code: 'not_found' } } });
  });

  const ofFirms = byId.filter(({ path, fullAccess }) => !path.startsWith('/v1/catalog/') && !fullAccess);

  it.each(ofFirms.map((operation) => operation.id))(
    '%s with a bound key does not reach another own firm',
    async (id) => {
      const key = await world.newKey(world.account.id, { firmId: sample.otherClientId });
      const input = { ...calls[id], key };
      expect((await world.call(id, input)).status).toBe(404);
      const narrowed = withQuery(calls[id] ?? {}, { client_id: String(sample.otherClientId) });
      expect((await world.call(id, narrowed)).status).toBe(404);
    },
  );
});

it('A-24: a name of another firm of the account is refused as taken, to a bound key too', async () => {
  const key = await world.newKey(world.account.id, { firmId: sample.otherClientId });
  const { name } = asRecord(await world.ask('getClient', { params: { id: String(sample.clientId) } }));
  const rename = { key, params: { id: String(sample.otherClientId) }, body: { name } };
  expect(await refusal('updateClient', rename)).toMatchObject({ status: 409, detail: { code: 'duplicate_name' } });
});
