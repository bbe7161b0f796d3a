import { putIndex } from '@tarifario/testkit/api/example-world';
import { createWorld, type World } from '@tarifario/testkit/api/world';
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
