import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, expect, it } from 'vitest';
import { instructionsFor } from '../src/index.ts';
import { fillSample, HOUSEHOLD, LUZ_BODY, type Sample } from './sample.ts';
import { callTool, contentOf, toolsOf } from './tool-calls.ts';
import { createWorld, type World } from './world.ts';

// A model reads every token of the list of tools and of each answer, and its user pays for them.

let world: World;
let sample: Sample;
let keys: { readonly full: string; readonly bot: string };

beforeAll(async () => {
  world = await createWorld();
  sample = await fillSample(world);
  keys = {
    full: world.fullKey,
    bot: await world.newKey(world.account.id, { scopes: ['offers:read', 'catalog:read'] }),
  };
});

const tokensOf = (value: unknown) => encode(JSON.stringify(value)).length;

it.each([
  ['full', 8000],
  ['bot', 5000],
] as const)('A-92: the tools and the instructions that a %s key reads have at most %i tokens', async (who, limit) => {
  const instructions = instructionsFor({ seesCommissions: who === 'full' });
  expect(tokensOf({ tools: await toolsOf(world, keys[who]), instructions })).toBeLessThanOrEqual(limit);
});

it.each(['full', 'bot'] as const)(
  'A-92: a ranking of many offers that a %s key asks for has at most 3500 tokens',
  async (who) => {
    for (let index = 0; index < 60; index += 1) {
      const prices = { e1: 0.1512 + index / 997, e2: 0.1203 + index / 1009, e3: 0.0907 + index / 1013, p1: 0.0817 };
      const pays = {
        commission: 20 + index * index * 0.37,
        services_cost: 2.35,
        offer_name: `Tarifa Cuidada Hogar ${index}`,
      };
      await world.ask('createOffer', { body: { ...LUZ_BODY, company_id: sample.companyId, ...prices, ...pays } });
      const excluded = { e1: null, offer_name: `Tarifa Olvidada sin precio ${index}` };
      await world.ask('createOffer', { body: { ...LUZ_BODY, company_id: sample.companyId, ...excluded } });
    }
    const { result } = await callTool(world, 'rank_offers', HOUSEHOLD, keys[who]);
    const { total, excluded, excluded_count, results } = contentOf(result);
    expect(Number(total)).toBeGreaterThan(50);
    expect(Number(excluded_count)).toBeGreaterThan(50);
    expect([excluded, results].map((list) => Array.isArray(list) && list.length)).toEqual([5, 10]);
    expect(tokensOf(result)).toBeLessThanOrEqual(3500);
  },
);
