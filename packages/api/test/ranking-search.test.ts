import { filledWorld, HOUSEHOLD, LUZ_BODY, PROFILED } from '@tarifario/testkit/api/sample';
import { callTool } from '@tarifario/testkit/api/tool-calls';
import { asRecord, newCompany, type World } from '@tarifario/testkit/api/world';
import { describe, expect, it } from 'vitest';
import { endOf } from './named-calls.ts';

/** Offers of two retailers whose names have accents, some of them equal in cost. */
async function namedWorld() {
  const { world, sample } = await filledWorld();
  const companies = [await newCompany(world, sample.clientId, 'Ñandú Energía'), sample.companyId];
  for (const [index, offer_name] of ['Única', 'Zeta', 'ÚNICA plus', 'unica b', 'Alfa'].entries()) {
    const prices = { e1: 0.18 + (index % 2) / 100, commission: 10 * index };
    await world.ask('createOffer', { body: { ...LUZ_BODY, ...prices, offer_name, company_id: companies[index % 2] } });
  }
  const masked = await world.newKey(world.account.id, { scopes: ['offers:read', 'catalog:read'] });
  return { world, keys: [world.fullKey, masked] };
}

async function rank(world: World, key: string | undefined, body: object) {
  const { results, encontradas, ...rest } = await world.ask('rankOffers', { body, ...(key !== undefined && { key }) });
  if (!Array.isArray(results)) throw new Error('an answer without results');
  return { rest, encontradas, results: results.map(asRecord) };
}

/** Where there are bills, the rates that those of the results have. */
const ratesOf = ({ impuestos }: Readonly<Record<string, unknown>>) => (impuestos === undefined ? {} : { impuestos });

const namesOf = (result: object) => {
  const { offer_name, company } = asRecord(asRecord(result).offer);
  return `${offer_name} ${asRecord(company).name}`.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
};

describe('a ranking with q', () => {
  it.each([
    ['a household', HOUSEHOLD],
    ['months of use', PROFILED],
    ['a weight', { ...HOUSEHOLD, w: 1 }],
    ['bills', { ...HOUSEHOLD, territory: 'peninsula', client_type: 'dni', impuestos: { fecha: '2026-10-15' } }],
    ['reasons', { ...HOUSEHOLD, explicar: true, umbrales_consumo: true, margen: true, retrospectiva: true }],
  ])(
    'A-130: has the offers of that name at their places, and all else of the whole one: %s',
    async (_what, question) => {
      const { world, keys } = await namedWorld();
      for (const key of keys) {
        const body = key === keys[0] ? question : { ...question, w: 1 };
        const whole = await rank(world, key, { ...body, limit: 200 });
        const placed = whole.results.map((result, index) => ({ puesto: index + 1, ...result }));
        const found = placed.filter((result) => namesOf(result).includes('unica'));
        expect(found.length).toBeGreaterThan(2);
        const searched = await rank(world, key, { ...body, q: ' ÚNICA ' });
        expect(searched).toEqual({ rest: whole.rest, encontradas: found.length, results: found });
        const second = await rank(world, key, { ...body, q: 'unica', offset: 1, limit: 1 });
        expect(second).toEqual({ ...searched, results: found.slice(1, 2) });
        const both = await rank(world, key, { ...body, q: 'nandu UNICA' });
        expect(both.results).toEqual(found.filter((result) => namesOf(result).includes('nandu')));
        const none = await rank(world, key, { ...body, q: 'nadie' });
        expect(none).toEqual({ rest: { ...whole.rest, ...ratesOf(none.rest) }, encontradas: 0, results: [] });
        expect(whole.encontradas).toBeUndefined();
      }
    },
  );

  it.each<[what: string, q: unknown]>([
    ['an empty text', ''],
    ['spaces', ' '],
    ['101 characters', 'a'.repeat(101)],
    ['an invisible character', 'a\u200b'],
    ['a number', 7],
    ['a null', null],
  ])('A-130: is 400 at q where it is %s', async (_what, q) => {
    const { world } = await filledWorld();
    const answer = await world.call('rankOffers', { body: { ...HOUSEHOLD, q } });
    expect(endOf(answer)).toBe('400 invalid_request');
    expect(JSON.stringify(answer.body)).toContain('"path":"q"');
  });

  it('A-130: is no question of a proposal, a portfolio or a tool', async () => {
    const { world, sample } = await filledWorld();
    const request = { ...HOUSEHOLD, client_id: sample.clientId, q: 'luz' };
    const proposal = await world.call('createProposal', { body: { request, offer_ids: [1] } });
    expect(endOf(proposal)).toBe('400 invalid_request');
    expect(JSON.stringify(proposal.body)).toContain('request.q');
    const customers = [{ ref: 'a', ...HOUSEHOLD, q: 'luz' }];
    const { results } = await world.ask('rankPortfolio', { body: { customers } });
    expect(JSON.stringify(results)).toContain('"path":"q"');
    const { result } = await callTool(world, 'rank_offers', { ...HOUSEHOLD, q: 'luz' }, world.fullKey);
    expect(JSON.stringify(result)).toContain('unknown argument');
  });
});
