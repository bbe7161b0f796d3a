import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readDemoCatalog } from '../src/demo/demo-catalog.ts';

let place: Workplace;

beforeAll(async () => {
  place = await openWorkplace();
  await place.json(['demo', 'seed']);
});

afterAll(() => place.remove());

interface Negotiation {
  readonly tramos: readonly { readonly baja_eur_mwh: number; readonly clientes: number }[];
  readonly results: readonly { readonly ref: string; readonly hueco_eur_mwh?: number | null }[];
}

it('A-116: negotiates an offer of the demo for the customers of a file', async () => {
  const body = readDemoCatalog().households[0]?.efficient;
  const file = join(place.folder, 'customers.ndjson');
  const lines = [
    JSON.stringify({ ref: 'a', ...body }),
    JSON.stringify({ ref: 'b', ...body, dias: 30 }),
    '{"ref":',
    '{"ref":"c"}',
  ];
  await writeFile(file, lines.join('\n'));
  const args = ['negotiate', '--account', '1', '--offer', '1', '--customers', file];
  const { tramos, results } = await place.json<Negotiation>(args);
  expect(results.map(({ ref }) => ref).toSorted()).toEqual(['a', 'b', 'line 3', 'line 4']);
  const gaps = results.flatMap(({ hueco_eur_mwh }) => hueco_eur_mwh ?? []);
  expect(tramos.map(({ baja_eur_mwh }) => baja_eur_mwh)).toEqual([...new Set(gaps)].toSorted((a, b) => a - b));
  expect(tramos.at(-1)?.clientes).toBe(gaps.length);
  // Rounded down, a fall would win nothing.
  expect((await place.runHere([...args, '--pretty'])).stdout).toContain(`${gaps[0]} EUR/MWh less: first for`);
});
