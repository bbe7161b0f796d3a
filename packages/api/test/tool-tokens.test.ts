import { filledWorld, HOUSEHOLD, LUZ_BODY, type Sample } from '@tarifario/testkit/api/sample';
import { callTool, contentOf, toolsOf } from '@tarifario/testkit/api/tool-calls';
import type { World } from '@tarifario/testkit/api/world';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, expect, it } from 'vitest';
import { instructionsFor } from '../src/index.ts';

// A model reads every token of the list of tools and of each answer, and its user pays for them.

let world: World;
let sample: Sample;
let keys: { readonly full: string; readonly bot: string };

beforeAll(async () => {
  ({ world, sample } = await filledWorld());
  keys = {
    full: world.fullKey,
    bot: await world.newKey(world.account.id, { scopes: ['offers:read', 'catalog:read'] }),
  };
});

const tokensOf = (value: unknown) => encode(JSON.stringify(value)).length;

it.each([
  ['full', 7000],
  ['bot', 4600],
] as const)(
  'A-92: the tools that a %s key reads have at most %i tokens, rank_offers 2100, the instructions 350',
  async (who, limit) => {
    const tools = await toolsOf(world, keys[who]);
    expect(tokensOf({ tools })).toBeLessThanOrEqual(limit);
    expect(tokensOf(tools.find(({ name }) => name === 'rank_offers'))).toBeLessThanOrEqual(2100);
    expect(tokensOf(instructionsFor({ seesCommissions: who === 'full' }))).toBeLessThanOrEqual(350);
  },
);

// Six periods of energy and power, as shops and small industry have them, make the longest answer.
const SHOP = {
  supply_type: 'LUZ',
  energia: { e1: 1200, e2: 900, e3: 1400, e4: 1000, e5: 900, e6: 3000 },
  potencia: { p1: 20, p2: 20, p3: 20, p4: 20, p5: 20, p6: 20 },
};
const SIX_PERIODS = {
  ...{ tariff_type: '3.0TD', e4: 0.1081, e5: 0.0907, e6: 0.0843 },
  ...{ p2: 0.0281, p3: 0.0116, p4: 0.0099, p5: 0.0063, p6: 0.0038 },
};

it.each([
  ['full', 'a household', HOUSEHOLD, {}],
  ['bot', 'a household', HOUSEHOLD, {}],
  ['full', 'a shop', SHOP, SIX_PERIODS],
  ['bot', 'a shop', SHOP, SIX_PERIODS],
] as const)(
  'A-92: a ranking of many offers that a %s key asks for has at most 3500 tokens for %s',
  async (who, _customer, question, periods) => {
    for (let index = 0; index < 60; index += 1) {
      const prices = { e1: 0.1512 + index / 997, e2: 0.1203 + index / 1009, e3: 0.0907 + index / 1013, p1: 0.0817 };
      const pays = {
        commission: 20 + index * index * 0.37,
        services_cost: 2.35,
        offer_name: `Tarifa Cuidada Hogar ${index}`,
      };
      const company_id = sample.companyId;
      await world.ask('createOffer', { body: { ...LUZ_BODY, ...periods, company_id, ...prices, ...pays } });
      const excluded = { e1: null, offer_name: `Tarifa Olvidada sin precio ${index}` };
      await world.ask('createOffer', { body: { ...LUZ_BODY, ...periods, company_id, ...excluded } });
    }
    const { result } = await callTool(world, 'rank_offers', question, keys[who]);
    const { total, excluded, excluded_count, results } = contentOf(result);
    expect(Number(total)).toBeGreaterThan(50);
    expect(Number(excluded_count)).toBeGreaterThan(50);
    expect([excluded, results].map((list) => Array.isArray(list) && list.length)).toEqual([5, 10]);
    expect(tokensOf(result)).toBeLessThanOrEqual(3500);
  },
);
