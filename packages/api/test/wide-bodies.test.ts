import { fillSample, LUZ_BODY } from '@tarifario/testkit/api/sample';
import { callTool } from '@tarifario/testkit/api/tool-calls';
import { asRecord, createWorld, type World } from '@tarifario/testkit/api/world';
import { RETRY_ON_NOISE } from '@tarifario/testkit/loop-watch';
import { expectWithin } from '@tarifario/testkit/share';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiAnswer } from '../src/index.ts';

let world: World;
let params: { readonly id: string };

beforeEach(async () => {
  world = await createWorld();
  params = { id: String((await fillSample(world)).luzId) };
});

/** The reported errors, and the processor time. */
async function findingsOf(
  call: () => Promise<ApiAnswer>,
): Promise<{ readonly status: number; readonly count: number }> {
  const before = process.threadCpuUsage();
  const { status, body } = await call();
  const { user, system } = process.threadCpuUsage(before);
  expectWithin((user + system) / 1000, 50);
  const { errors } = asRecord(asRecord(body).detail);
  return { status, count: Array.isArray(errors) ? errors.length : 0 };
}

describe(
  'A-02: a body with very many unknown names is refused in less than 50 ms of processor time, with 100 of them named',
  RETRY_ON_NOISE,
  () => {
    const names = Array.from({ length: 8000 }, (_, index) => `n${index.toString(36)}`);
    const record = (count: number) => Object.fromEntries(names.slice(0, count).map((name) => [name, '1']));

    it.each<[string, () => Promise<ApiAnswer>]>([
      ['8 000 in a query', () => world.call('listOffers', { query: names.join('&') })],
      [
        '8 000 in the query of a write',
        () => world.call('createClient', { query: names.join('&'), body: { name: 'A' } }),
      ],
      [
        '8 000 texts of a form',
        () => world.call('bulkUpdateOffers', { form: { fields: record(8000), bytes: new Uint8Array(1) } }),
      ],
      ['5 000 fields of a body', () => world.call('createOffer', { body: record(5000) })],
      ['5 000 arguments of a tool', async () => (await callTool(world, 'list_offers', record(5000))).answer],
    ])('%s', async (_name, call) => {
      expect(await findingsOf(call)).toEqual({ status: 400, count: 100 });
    });

    it('1 200 tiers, each of them wrong', async () => {
      const { id: company_id } = asRecord(asRecord((await world.call('getOffer', { params })).body).company);
      const tiers = Array.from({ length: 1200 }, () => ({ consumption_from: 0, commission: -1, commission_type: 'x' }));
      const body = { ...LUZ_BODY, company_id, commission_tiers: tiers };
      expect(await findingsOf(() => world.call('createOffer', { body }))).toEqual({ status: 422, count: 100 });
    });
  },
);

describe('a body of very many values', () => {
  const many = (length: number, entry: unknown) => Array.from({ length }, () => entry);
  const keys = (count: number) => Object.fromEntries(many(count, 1).map((value, index) => [`campo${index}`, value]));

  it.each<[string, () => unknown]>([
    ['330 000 tiers', () => ({ commission_tiers: many(330_000, {}) })],
    ['500 000 communities', () => ({ communities: many(500_000, 1) })],
    ['80 000 unknown fields', () => keys(80_000)],
    ['a list of 500 000', () => many(500_000, 1)],
    ['5 001, spread over lists', () => ({ a: many(2498, 1), b: many(1, many(2500, 1)) })],
  ])('A-28: is refused before it is validated: %s', async (_name, body) => {
    const { status, body: answer } = await world.call('updateOffer', { params, body: body() });
    expect([status, answer]).toEqual([
      400,
      { detail: { code: 'invalid_request', message: 'the body has too many values' } },
    ]);
  });

  it.each<[string, number, () => unknown]>([
    ['4 999 communities', 100, () => ({ communities: many(4999, 1) })],
    ['4 999 tiers', 100, () => ({ commission_tiers: many(4999, {}) })],
    ['5 000 unknown fields', 100, () => keys(5000)],
    ['5 000, spread over lists', 2, () => ({ a: many(2497, 1), b: many(1, many(2500, 1)) })],
  ])('is read up to 5 000, and at most 100 findings are listed: %s', async (_name, findings, body) => {
    const { status, body: answer } = await world.call('updateOffer', { params, body: body() });
    const { errors } = asRecord(asRecord(answer).detail);
    expect([status, Array.isArray(errors)]).toEqual([400, true]);
    expect(errors).toHaveLength(findings);
  });
});
