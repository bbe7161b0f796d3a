import { formatResults, PLAIN } from '@tarifario/cli/ranking-view';
import { filledWorld, HOUSEHOLD } from '@tarifario/testkit/api/sample';
import { expect, test } from 'vitest';
import { recordColumns, recordRows } from '../src/customer-table/index.ts';
import { openApiDocument } from '../src/index.ts';

// What a service does with a part of the cost that was added by the recipe. `recipes.integration.test.ts` runs it where
// that is so.

const WITHOUT_PART = {
  supply_type: 'LUZ',
  tariff_type: '2.0TD',
  contrato_actual: { coste_total: 900 },
  limit: 1,
  w: 1,
};

test('a new part of the cost is in answers and their bytes, files, the printed page, the document and on a terminal', async () => {
  const { world, sample } = await filledWorld();
  const params = { id: String(sample.luzId) };
  await world.ask('updateOffer', { params, body: { offer_name: 'En papel', e1: 0, e2: 0, e3: 0, p1: 0, p2: 0 } });
  const request = { ...HOUSEHOLD, ...WITHOUT_PART };
  const answer = await world.ask('rankOffers', { body: request });
  const ranking = JSON.parse(JSON.stringify(answer));
  const { total, ...parts } = ranking.results[0].cost;
  expect(parts).toMatchObject({ papel: 12 });
  expect(Object.values<number>(parts).reduce((sum, part) => sum + part)).toBeCloseTo(total, 6);
  expect(ranking.actual.cost).toMatchObject({ papel: null, total: 900 });
  const { json } = await world.call('rankOffers', { body: request, takesJson: true });
  expect(new TextDecoder().decode(json)).toBe(JSON.stringify(answer));

  const { limit: _limit, ...customer } = request;
  const { results } = await world.ask('rankPortfolio', { body: { customers: [{ ref: 'a', ...customer }], top: 1 } });
  const more = { hasBills: false, hasDiscounts: false, isSpanish: false };
  const columns = recordColumns(more);
  const [row = []] = recordRows({ line: 2, ...JSON.parse(JSON.stringify(results))[0] }, more);
  expect([row.length, row[columns.indexOf('cost_papel')]]).toEqual([columns.length, 12]);

  const { id } = await world.ask('createProposal', { body: { request, offer_ids: [sample.luzId] } });
  const page = await world.call('getProposalPage', { params: { id: String(id) } });
  expect(String(page.body)).toMatch(/<th scope="row">Papel<\/th><td class="n">—<\/td><td class="n best">12,00<\/td>/);
  expect(JSON.stringify(openApiDocument())).toContain('Invoices on paper, in EUR over the period.');

  const [, , titles = '', , line = ''] = formatResults(ranking, PLAIN);
  expect(titles).toMatch(/ serv\. +paper +surpl\./);
  expect(line).toMatch(/ 12\.00 /);
});
