import { filledWorld, LUZ_BODY } from '@tarifario/testkit/api/sample';
import { asRecord } from '@tarifario/testkit/api/world';
import { expect, test } from 'vitest';
import { bulkCalls } from './bulk-calls.ts';
import { ALL_STORES, removeDatabasesAfterEach } from './stores.ts';

// What a service does with a field that was added by the recipe. `recipes.integration.test.ts` runs it where
// that is so.

removeDatabasesAfterEach();

test.each(ALL_STORES)('a new field of an offer is in bodies, rows and sheets: %s', async (_name, makeStore) => {
  const {
    world,
    sample: { companyId, luzId },
  } = await filledWorld(await makeStore());
  const { applied, templateOf } = bulkCalls(() => world);
  const flagOf = async (id: unknown) =>
    asRecord(await world.ask('getOffer', { params: { id: String(id) } })).bateria_virtual;
  const body = { ...LUZ_BODY, company_id: companyId, offer_name: 'Batería', bateria_virtual: true };
  const id = Number((await world.ask('createOffer', { body })).id);
  expect([await flagOf(id), await flagOf(luzId)]).toEqual([true, false]);
  const swapped = [
    [id, false],
    [luzId, true],
  ] as const;
  await applied('own', { ofertas: [['offer_id', 'bateria_virtual'], ...swapped] });
  expect([await flagOf(id), await flagOf(luzId)]).toEqual([false, true]);
  const { ofertas: [header = [], ...rows] = [] } = await templateOf('bulkTemplateOffers');
  const cells = rows.map((row) => [row[header.indexOf('offer_id')], row[header.indexOf('bateria_virtual')]]);
  expect(cells).toEqual(expect.arrayContaining(swapped.map((row) => [...row])));
});
