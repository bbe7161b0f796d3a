import { DomainError } from '@tarifario/core/service';
import { createMemoryRateLimiter } from '@tarifario/runtime';
import { callTool, postMessage } from '@tarifario/testkit/api/tool-calls';
import { asRecord, createWorld, deactivate, newClient, operationOf, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AdmittedCall, ApiAnswer, MessageAnswer, MessageRequest } from '../src/index.ts';

// A message is admitted, counted and recorded like any request, whatever its content, which is read by the transport.

let world: World;

beforeEach(async () => {
  world = await createWorld(undefined, createMemoryRateLimiter());
});

const OKAY: MessageAnswer = { answer: { status: 200, headers: {}, body: {} }, endpoint: null, statusCode: 200 };

const post = (key: string | null, answer: MessageRequest['answer'] = async () => OKAY) =>
  postMessage(world, key, answer);

async function recordsOf(key: string) {
  const { results } = await world.ask('listUsage', { key });
  if (!Array.isArray(results)) throw new Error('a list was expected');
  return results.map(asRecord).map(({ method, endpoint, status_code }) => `${method} ${endpoint} ${status_code}`);
}

const codeOf = ({ body }: ApiAnswer) => asRecord(asRecord(body).detail).code;

describe('a message', () => {
  it.each([null, '', 'junk', 'test-99!'])('with the key %j is answered 401 and never read', async (key) => {
    const answer = await post(key, async () => {
      throw new Error('it was read');
    });
    expect([answer.status, codeOf(answer)]).toEqual([401, 'unauthenticated']);
    expect(world.bugs).toEqual([]);
  });

  it('of an account or a firm that is deactivated is answered 403 and never read', async () => {
    const firmId = await newClient(world, 'Asesoría');
    const bound = await world.newKey(world.account.id, { firmId });
    await deactivate(world, { firmId });
    const unread = async () => {
      throw new Error('it was read');
    };
    expect(codeOf(await post(bound, unread))).toBe('firm_inactive');
    await deactivate(world, { accountId: world.account.id });
    expect(codeOf(await post(world.fullKey, unread))).toBe('account_inactive');
  });

  it('A-48: costs one point of the buckets of REST, and its operation costs none', async () => {
    const firmId = await newClient(world, 'Asesoría');
    const key = await world.newKey(world.account.id, { firmId });
    const remaining = async () => (await world.send('getAccount', { key })).headers.RateLimit;
    expect(await remaining()).toMatch(/^"client";r=59;/);
    expect((await post(key)).headers['RateLimit-Policy']).toBe('"account";q=400;w=60, "client";q=60;w=60');
    expect(await remaining()).toMatch(/^"client";r=57;/);
    const many: AdmittedCall['perform'][] = [];
    await post(key, async ({ perform }) => {
      many.push(perform);
      for (let i = 0; i < 5; i += 1) await perform(operationOf('listOffers'), {});
      return OKAY;
    });
    expect(many).toHaveLength(1);
    expect(await remaining()).toMatch(/^"client";r=55;/);
  });

  it('A-48: beyond the limit is answered 429 and costs no point, whatever else is wrong with it', async () => {
    const { id } = await world.newAccount({ callsPerMinute: 1 });
    const key = await world.newKey(id);
    expect((await post(key)).status).toBe(200);
    const seen: (ApiAnswer | null)[] = [];
    const unreadable = await post(key, async ({ rateRefusal }) => {
      seen.push(rateRefusal);
      throw new DomainError('too_large');
    });
    expect(seen[0]).toMatchObject({ status: 429, headers: { 'Retry-After': '60' } });
    expect(unreadable).toMatchObject({
      status: 429,
      headers: { 'Retry-After': '60', RateLimit: '"account";r=0;t=60' },
    });
    expect((await world.send('getAccount', { key })).status).toBe(429);
    await world.subscribe(id);
    expect(await recordsOf(key)).toEqual(['POST /mcp 200', 'POST /mcp 429', 'GET /v1/account 429']);
  });

  it('waits for its turn where a request does: when an operation begins', async () => {
    const turns: number[] = [];
    const yieldToEventLoop = async (accountId: number) => {
      turns.push(accountId);
    };
    const patient = await createWorld(undefined, undefined, { yieldToEventLoop });
    await patient.ask('listOffers');
    expect(turns).toEqual([patient.account.id]);
    await callTool(patient, 'list_offers', {});
    expect(turns).toEqual([patient.account.id, patient.account.id]);
  });

  it('gets no refusal before the limit', async () => {
    const seen: (ApiAnswer | null)[] = [];
    await post(world.fullKey, async ({ rateRefusal }) => {
      seen.push(rateRefusal);
      return OKAY;
    });
    expect(seen).toEqual([null]);
  });

  it('A-37: is recorded under the name of its tool with the status that REST would have, otherwise under its path', async () => {
    const key = await world.newKey(world.account.id, { scopes: ['offers:read'] });
    await post(key);
    await callTool(world, 'list_offers', {}, key);
    await callTool(world, 'get_offer', { id: 999 }, key);
    await callTool(world, 'calculate_commission', { id: 999, consumption_mwh: 1 }, key);
    await post(key, async () => ({ ...OKAY, statusCode: 404 }));
    expect(await recordsOf(key)).toEqual([
      'POST /mcp 200',
      'POST mcp:list_offers 200',
      'POST mcp:get_offer 404',
      'POST mcp:calculate_commission 403',
      'POST /mcp 404',
    ]);
  });

  it('that cannot be read is refused as REST refuses a body', async () => {
    const answer = await post(world.fullKey, async () => {
      throw new DomainError('too_large', { message: 'the body ended early' });
    });
    expect(answer).toMatchObject({
      status: 413,
      body: { detail: { code: 'too_large', message: 'the body ended early' } },
    });
    expect(await recordsOf(world.fullKey)).toEqual(['POST /mcp 413']);
  });

  it('that causes a bug is answered without details, inside its operation or outside', async () => {
    const outside = await post(world.fullKey, async () => {
      throw new Error('SELECT secret FROM keys');
    });
    expect([outside.status, codeOf(outside)]).toEqual([500, 'internal_error']);
    const fail = () => {
      throw new Error('/etc/passwd');
    };
    const broken = { ...operationOf('listOffers'), prepareArguments: fail };
    let inside: ApiAnswer | undefined;
    await post(world.fullKey, async ({ perform }) => {
      inside = await perform(broken, {});
      return OKAY;
    });
    expect(inside).toEqual({
      status: 500,
      headers: {},
      body: { detail: { code: 'internal_error', message: 'internal error' } },
    });
    expect(world.bugs.map(String)).toEqual(['Error: SELECT secret FROM keys', 'Error: /etc/passwd']);
  });
});
