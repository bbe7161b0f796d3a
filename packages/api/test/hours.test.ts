import { curveText, madeUpHours } from '@tarifario/core/testing';
import { putIndex } from '@tarifario/testkit/api/example-world';
import { filledWorld, LUZ_BODY } from '@tarifario/testkit/api/sample';
import { asRecord, idOf } from '@tarifario/testkit/api/world';
import { expect, it } from 'vitest';
import { arrayOf } from './array-of.ts';

it('A-166: perfil as a curve is read is a question, in a batch and as a proposal too, whose hours a result counts', async () => {
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
  const resultOf = (results: unknown) =>
    arrayOf(results)
      .map(asRecord)
      .find((one) => (asRecord(one.offer ?? {}).id ?? one.offer_id) === made.id);
  expect(resultOf(ranked.results)).toMatchObject({ por_horas: { energia: 1, excedentes: 1 } });
  const { results } = await world.ask('rankPortfolio', { body: { customers: [{ ref: 'a', ...question }], top: 10 } });
  const best = resultOf(asRecord(arrayOf(results)[0]).best);
  expect(best).toMatchObject({ por_horas: { energia: 1, excedentes: 1 } });
  const { indices: _none, anio: _year, ...plain } = asRecord(arrayOf(curve.perfil)[0]);
  const means = await world.ask('rankOffers', { body: { ...question, perfil: [plain] } });
  expect(resultOf(means.results)).not.toHaveProperty('por_horas');
});
