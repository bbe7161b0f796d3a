import { curveText, madeUpHours } from '@tarifario/core/testing';
import { putIndex } from '@tarifario/testkit/api/example-world';
import { MONTHLY_CURVE } from '@tarifario/testkit/api/sample';
import { asRecord, createWorld, type World } from '@tarifario/testkit/api/world';
import { beforeAll, expect, it } from 'vitest';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await putIndex(world.store, '2026-01-01T00:00:00.000Z');
});

const months = (indice: string, query: Record<string, string>) =>
  world.call('listIndexMonths', { params: { indice }, query });

it('A-163: a month of an index has its plain means by period, with the hours that have a price', async () => {
  // The hours of November in UTC, one later on the mainland: a Sunday, and the periods of a Monday.
  const of = (hours: readonly number[]) => hours.reduce((sum, hour) => sum + (100 + hour) / 1000, 0) / hours.length;
  const span = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
  const [punta, llano] = [
    [...span(9, 13), ...span(17, 21)],
    [7, 8, ...span(13, 17), 21, 22],
  ];
  const round = (value: number) => Math.round(value * 1e6) / 1e6;
  const valle = [...span(0, 24), ...span(0, 7), 23];
  const { body } = await months('PVPC', { tariff_type: '2.0TD', territory: 'peninsula' });
  expect(body).toEqual({
    meses: [
      {
        ...{ reference_month: '2025-11-01', e1: round(of(punta)), e2: round(of(llano)), e3: round(of(valle)) },
        ...{ horas: 48, horas_esperadas: 720 },
      },
    ],
  });
});

it.each([
  ['an index that is not loaded', 'OMIE', {}, 404, 'not_found'],
  ['a name that is none', 'pvpc', {}, 404, 'not_found'],
  ['no tariff', 'PVPC', { tariff_type: '' }, 400, 'invalid_request'],
  [
    'six periods in Ceuta or Melilla',
    'PVPC',
    { tariff_type: '3.0TD', territory: 'ceuta_melilla' },
    422,
    'business_rule',
  ],
])('A-163: months with %s are refused', async (_case, indice, more, status, code) => {
  const answer = await months(indice, { tariff_type: '2.0TD', territory: 'peninsula', ...more });
  expect(answer).toMatchObject({ status, body: { detail: { code } } });
});

const PLACE = { tariff_type: '2.0TD', territory: 'peninsula' };
/** The two days of UTC of the index are a Sunday and a Monday; of November no more has prices. */
const CURVE = curveText(
  madeUpHours(['2025-11-03'], () => 24),
  'datadis_surplus',
);
const read = (indices: readonly string[], csv = CURVE) =>
  world.call('readConsumption', { query: { ...PLACE, indices: indices.join(',') }, body: { csv } });

it('A-164: a curve beside an index has its year, what the index says of each entry, and an aviso where it says nothing', async () => {
  const plain = await world.call('readConsumption', { query: PLACE, body: { csv: CURVE } });
  expect(JSON.stringify(plain.body)).not.toMatch(/anio|indice/);
  const { status, body } = await read(['PVPC']);
  const { perfil, indices, avisos } = asRecord(body);
  expect([status, perfil, indices]).toEqual([
    200,
    [{ ...(asRecord(plain.body).perfil as readonly object[])[0], anio: 2025, indices: {} }],
    [{ indice: 'PVPC', entradas: 0, horas_sin_precio: 0, efecto: 0 }],
  ]);
  expect(avisos).toContainEqual(expect.objectContaining({ codigo: 'indice_incompleto' }));
});

it('A-164: an entry of a month whose prices are known has what its hours cost more, in nine decimals', async () => {
  const prices = Array.from({ length: 24 }, (_, hour) => (hour === 10 ? 0.5 : 0.1));
  const days = Array.from({ length: 29 }, (_, at) => new Date(Date.UTC(2026, 0, 31 + at)).toISOString().slice(0, 10));
  await world.store.write({ keyId: null, at: '2026-01-01T00:00:00.000Z' }, (writer) =>
    writer.indices.put(days.map((day) => ({ index: 'OMIE', day, prices }))),
  );
  // One hour alone, the twelfth of a Monday by the clock: 0.5 less the mean of eight hours of punta, of 20 days.
  const hours = madeUpHours(['2026-02-02'], () => 24).map((hour) => ({
    ...hour,
    exportedKwh: 0,
    kwh: hour.number === 12 ? 2 : 0,
  }));
  const { body } = await read(['OMIE', 'PVPC'], curveText(hours, 'datadis_surplus'));
  expect(body).toMatchObject({
    perfil: [{ mes: 2, anio: 2026, indices: { OMIE: { d1: 0.35 } } }],
    indices: [
      { indice: 'OMIE', entradas: 1, efecto: 0.7 },
      { indice: 'PVPC', entradas: 0, efecto: 0, horas_sin_precio: 24 },
    ],
  });
});

it.each([
  ['that is not loaded', ['PVPC', 'SPOT'], CURVE, 422, 'SPOT is not loaded; loaded are'],
  ['for totals by month', ['PVPC'], MONTHLY_CURVE, 422, 'totals by month have no hours'],
  ['that comes twice', ['PVPC', 'PVPC'], CURVE, 400, 'must be distinct'],
  ['with a name that is none', ['pvpc'], CURVE, 400, ''],
  ['beside five others', ['A', 'B', 'C', 'D', 'E', 'F'], CURVE, 400, ''],
])('A-164: an index %s is refused', async (_case, indices, csv, status, error) => {
  expect(await read(indices, csv)).toMatchObject({
    status,
    body: { detail: { errors: [{ path: expect.stringMatching(/^indices/), error: expect.stringContaining(error) }] } },
  });
});
