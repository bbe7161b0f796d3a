import { filledWorld, LUZ_BODY, type Sample } from '@tarifario/testkit/api/sample';
import { asRecord, idOf, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';
import { bulkCalls } from './bulk-calls.ts';

let world: World;
let sample: Sample;
beforeEach(async () => {
  ({ world, sample } = await filledWorld());
});

const { templateOf } = bulkCalls(() => world);
const HOURS = ['indice', 'indice_factor', 'indice_excedentes'];
const create = (fields: object) =>
  world.ask('createOffer', { body: { ...LUZ_BODY, company_id: sample.companyId, offer_name: 'Horas', ...fields } });
const exported = async () => String((await world.call('exportOffers', { query: {} })).body);

describe('A-165: an offer', () => {
  it('has the hours that it follows in its answers, and no other offer has a member of them', async () => {
    const made = await create({ is_indexed: true, indice: 'PVPC', indice_factor: 1.1 });
    const own = { indice: 'PVPC', indice_factor: 1.1 };
    expect(made).toMatchObject(own);
    expect(made).not.toHaveProperty('indice_excedentes');
    expect(await world.ask('getOffer', { params: { id: String(sample.luzId) } })).not.toHaveProperty('indice');
    const changed = await world.ask('updateOffer', {
      params: { id: String(idOf(made)) },
      body: { indice: null, indice_factor: null, placas_solares: true, indice_excedentes: 'OMIE' },
    });
    expect([changed.indice, changed.indice_factor, changed.indice_excedentes]).toEqual([undefined, undefined, 'OMIE']);
    const { results } = await world.ask('getOfferHistory', { params: { id: String(idOf(made)) } });
    const [{ fields }] = results as readonly [{ readonly fields: readonly unknown[] }];
    expect(fields).toContainEqual({ field: 'indice', before: 'PVPC', after: null });
    expect(fields).toContainEqual({ field: 'indice_excedentes', before: null, after: 'OMIE' });
  });

  it('that follows hours gives the export and the template their columns, which are else as they were', async () => {
    const header = (text: string): readonly unknown[] => JSON.parse(text.split('\n')[1] ?? '[]');
    const before = header(await exported());
    expect(before.some((name) => HOURS.includes(String(name)))).toBe(false);
    const [columns = []] = (await templateOf('bulkTemplateOffers')).ofertas ?? [];
    expect(columns.some((name) => HOURS.includes(String(name)))).toBe(false);
    await create({ placas_solares: true, indice_excedentes: 'PVPC' });
    expect(header(await exported())).toEqual([...before, ...HOURS]);
    const [withHours] = (await templateOf('bulkTemplateOffers')).ofertas ?? [];
    expect(withHours).toEqual([...columns, ...HOURS]);
    const [indexed] = (await templateOf('bulkTemplateIndexedOffers')).ofertas ?? [];
    expect(indexed).toEqual(columns);
  });

  it.each([
    [{ is_indexed: true, indice: 'pvpc' }, 400, 'indice'],
    [{ indice: 'PVPC' }, 422, 'indice'],
    [{ is_indexed: true, indice_factor: 1 }, 422, 'indice_factor'],
    [{ is_indexed: true, indice: 'PVPC', indice_factor: 3.1 }, 422, 'indice_factor'],
    [{ indice_excedentes: 'PVPC' }, 422, 'indice_excedentes'],
  ])('with %j is refused with %i at %s', async (fields, status, path) => {
    const body = { ...LUZ_BODY, company_id: sample.companyId, offer_name: 'Horas', ...fields };
    const answer = await world.call('createOffer', { body });
    expect(answer.status).toBe(status);
    expect(JSON.stringify(asRecord(answer.body).detail)).toContain(`"${path}"`);
  });

  it('keeps its hours out of the reach of nobody: a masked key reads them', async () => {
    const made = await create({ is_indexed: true, indice: 'PVPC', indice_factor: 1.1 });
    const key = await world.newKey(world.account.id, { scopes: ['offers:read'] });
    const seen = await world.ask('getOffer', { params: { id: String(idOf(made)) }, key });
    expect(seen).toMatchObject({ indice: 'PVPC', indice_factor: 1.1, commission: null });
  });
});
