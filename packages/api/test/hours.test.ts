import { curveText, madeUpHours } from '@tarifario/core/testing';
import { putIndex } from '@tarifario/testkit/api/example-world';
import { filledWorld, LUZ_BODY } from '@tarifario/testkit/api/sample';
import { asRecord, idOf } from '@tarifario/testkit/api/world';
import { expect, it } from 'vitest';
import { arrayOf } from './array-of.ts';

it('A-166: perfil as a curve is read is a question, in a batch and as a proposal too, which verifies after a correction, and has its hours at an instant', async () => {
  const { world, sample } = await filledWorld();
  await putIndex(world.store, '2026-01-01T00:00:00.000Z');
  // Whole days of November, so that nearly all of its hours have prices.
  const days = Array.from({ length: 31 }, (_, at) => new Date(Date.UTC(2025, 9, 31 + at)).toISOString().slice(0, 10));
  const prices = Array.from({ length: 24 }, (_, hour) => (100 + hour) / 1000);
  await world.store.write({ keyId: null, at: '2026-01-01T00:00:00.000Z' }, (writer) =>
    writer.indices.put(days.map((day) => ({ index: 'PVPC', day, prices }))),
  );
  const place = { tariff_type: '2.0TD', territory: 'peninsula' };
  const csv = curveText(
    madeUpHours(['2025-11-03', '2025-11-04'], () => 24),
    'datadis_surplus',
  );
  const curve = await world.ask('readConsumption', { query: { ...place, indices: 'PVPC' }, body: { csv } });
  const hours = {
    offer_name: 'Horas',
    is_indexed: true,
    indice: 'PVPC',
    placas_solares: true,
    indice_excedentes: 'PVPC',
  };
  const made = await world.ask('createOffer', { body: { ...LUZ_BODY, company_id: sample.companyId, ...hours } });
  const params = { id: String(idOf(made)) };
  const month = { reference_month: '2025-11', e1: 0.11, e2: 0.105, e3: 0.102 };
  await world.ask('upsertIndexedPrice', { params, body: month });
  const question = { supply_type: 'LUZ', perfil: curve.perfil, ...place };
  const ranked = await world.ask('rankOffers', { body: question });
  const instant = world.instant();
  const resultOf = (results: unknown) =>
    arrayOf(results)
      .map(asRecord)
      .find((one) => (asRecord(one.offer ?? {}).id ?? one.offer_id) === made.id);
  expect(resultOf(ranked.results)).toMatchObject({ por_horas: { energia: 1, excedentes: 1 } });
  const { results } = await world.ask('rankPortfolio', { body: { customers: [{ ref: 'a', ...question }], top: 10 } });
  const best = resultOf(asRecord(arrayOf(results)[0]).best);
  expect(best).toMatchObject({ por_horas: { energia: 1, excedentes: 1 } });
  const request = { request: question, offer_ids: [idOf(made)] };
  const proposal = await world.ask('createProposal', { body: request });
  await world.store.write({ keyId: null, at: '2026-01-02T00:00:00.000Z' }, (writer) =>
    writer.indices.put(days.map((day) => ({ index: 'PVPC', day, prices: prices.toReversed() }))),
  );
  const corrected = await world.ask('readConsumption', { query: { ...place, indices: 'PVPC' }, body: { csv } });
  expect(corrected.perfil).not.toEqual(curve.perfil);
  const verified = await world.ask('verifyProposal', { params: { id: String(idOf(proposal)) } });
  expect(verified).toMatchObject({ reproducible: true });
  const proposed = await world.ask('createProposal', { body: { request: question, offer_ids: [made.id] } });
  const detail = await world.ask('getProposal', { params: { id: String(proposed.id) } });
  const row = arrayOf(detail.pagina)
    .map(asRecord)
    .find((one) => one.offer_id === made.id);
  expect(row).toMatchObject({ indice: 'PVPC', indice_excedentes: 'PVPC' });
  // What the offer would credit without hours is not what was applied.
  expect(row).not.toHaveProperty('precio_excedentes');
  const { body: page } = await world.call('getProposalPage', { params: { id: String(proposed.id) } });
  expect(String(page)).toContain('Horas: precios por horas de PVPC, con la curva del cliente.');
  const { indices: _none, anio: _year, ...plain } = asRecord(arrayOf(curve.perfil)[0]);
  // A second entry without hours: what it has is said too.
  const partly = { request: { ...question, perfil: [...arrayOf(curve.perfil), plain] }, offer_ids: [made.id] };
  const other = String(idOf(await world.ask('createProposal', { body: partly })));
  const pagina = arrayOf((await world.ask('getProposal', { params: { id: other } })).pagina).map(asRecord);
  expect(pagina.find((one) => one.offer_id === made.id)).toHaveProperty('precio_excedentes');
  expect(String((await world.call('getProposalPage', { params: { id: other } })).body)).toContain(
    'con la curva del cliente donde los hay, y el resto a precios medios.',
  );
  const means = await world.ask('rankOffers', { body: { ...question, perfil: [plain] } });
  expect(resultOf(means.results)).not.toHaveProperty('por_horas');
  await world.ask('updateOffer', { params, body: { indice: null, indice_excedentes: null } });
  expect(resultOf((await world.ask('rankOffers', { body: question })).results)).not.toHaveProperty('por_horas');
  const then = await world.ask('rankOffers', { body: { ...question, as_of: instant } });
  expect(resultOf(then.results)).toEqual(resultOf(ranked.results));
});

const PVPC = { d1: 0.01, excedentes: 0.05 };
const SIX = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`I${at}`, PVPC]));

it.each([
  ['a year without a month', { anio: 2026 }, 400, 'perfil.0.anio'],
  ['a year before 2000', { mes: 6, anio: 1999 }, 400, 'perfil.0.anio'],
  ['a name that is none', { indices: { pvpc: PVPC } }, 400, 'perfil.0.indices.pvpc'],
  ['six indices', { indices: SIX }, 400, 'perfil.0.indices'],
  ['a seventh period', { indices: { PVPC: { d7: 0.1 } } }, 400, 'perfil.0.indices.PVPC.d7'],
  ['more than 10 EUR/kWh', { indices: { PVPC: { d1: -10.5 } } }, 400, 'perfil.0.indices.PVPC.d1'],
  ['a text', { indices: { PVPC: { excedentes: '0.1' } } }, 400, 'perfil.0.indices.PVPC.excedentes'],
])('A-166: an entry with %s is refused at its path', async (_what, members, status, path) => {
  const { world } = await filledWorld();
  const body = { supply_type: 'LUZ', tariff_type: '2.0TD', perfil: [{ dias: 30, energia: { e1: 10 }, ...members }] };
  const answer = await world.call('rankOffers', { body });
  expect(answer.status).toBe(status);
  expect(JSON.stringify(answer.body)).toContain(`"${path}"`);
});

it('A-166: indices of gas are refused', async () => {
  const { world } = await filledWorld();
  const perfil = [{ dias: 30, consumo_gas: 100, indices: { PVPC } }];
  const answer = await world.call('rankOffers', { body: { supply_type: 'GAS', tariff_type: 'RL.1', perfil } });
  expect(answer.status).toBe(422);
  expect(JSON.stringify(answer.body)).toContain('"perfil.0.indices"');
});
