import { beforeEach, describe, expect, it } from 'vitest';
import { fillSample } from './sample.ts';
import { asRecord, createWorld, type World } from './world.ts';

let world: World;
let params: { readonly id: string };

beforeEach(async () => {
  world = await createWorld();
  params = { id: String((await fillSample(world)).luzId) };
});

describe('a body of very many values', () => {
  const many = (length: number, entry: unknown) => Array.from({ length }, () => entry);
  const keys = (count: number) => Object.fromEntries(many(count, 1).map((value, index) => [`campo${index}`, value]));

  it.each<[string, () => unknown]>([
    ['330 000 tiers', () => ({ commission_tiers: many(330_000, {}) })],
    ['500 000 communities', () => ({ communities: many(500_000, 1) })],
    ['80 000 unknown fields', () => keys(80_000)],
    ['a list of 500 000', () => many(500_000, 1)],
    ['5 001, spread over lists', () => ({ a: many(2498, 1), b: many(1, many(2500, 1)) })],
  ])('is refused before it is looked at: %s', async (_name, body) => {
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
  ])('is read up to 5 000, and at most 100 findings are told: %s', async (_name, findings, body) => {
    const { status, body: answer } = await world.call('updateOffer', { params, body: body() });
    const { errors } = asRecord(asRecord(answer).detail);
    expect([status, Array.isArray(errors)]).toEqual([400, true]);
    expect(errors).toHaveLength(findings);
  });
});
