import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { curveText, madeUpHours } from '@tarifario/core/testing';
import { openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { afterEach, beforeEach, expect, it } from 'vitest';

const published = (name: string) =>
  fileURLToPath(new URL(`../../../test-fixtures/catalog/pvpc-2.0TD-hourly${name}.csv`, import.meta.url));
const [PVPC, FIRST] = [published(''), published('-2026-06-22-first')];

let place: Workplace;
beforeEach(async () => {
  place = await openWorkplace();
});
afterEach(() => place.remove());

function written(name: string, text: string): string {
  const file = join(place.folder, name);
  writeFileSync(file, text);
  return file;
}

interface Import {
  readonly horas: number;
  readonly huecos: readonly string[];
}

it('A-163: indices import says what is new, what a correction changes, and which days lack an hour', async () => {
  const first = await place.json(['indices', 'import', '--as', 'PVPC', FIRST]);
  const day = { indice: 'PVPC', desde: '2026-06-22', hasta: '2026-06-22' };
  expect(first).toEqual({ ...day, horas: 24, nuevas: 24, cambiadas: 0, huecos: [] });
  const { huecos, ...all } = await place.json<Import>(['indices', 'import', '--as', 'PVPC', '--geo', '8741', PVPC]);
  const span = { indice: 'PVPC', desde: '2025-10-01', hasta: '2026-06-30' };
  expect(all).toEqual({ ...span, horas: 2952, nuevas: 2928, cambiadas: 9 });
  // November, December, February, April and May are not in it.
  expect([huecos.length, huecos[0], huecos.at(-1)]).toEqual([30 + 31 + 28 + 30 + 31, '2025-11-01', '2026-05-31']);
  expect(await place.json(['indices', 'list'])).toEqual([{ ...span, horas: 2952 }]);
});

it('A-163: of several files of one call the later one counts, and with one that is refused none is stored', async () => {
  const json = written('redata.json', '\ufeff {"included":[{"type":"PVPC","attributes":{"values":[]}}]}');
  const refused = await place.run(['indices', 'import', '--as', 'PVPC', PVPC, json]);
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toBe(`tarifario: ${json}: business_rule\n  file: it has no price\n`);
  expect(await place.json(['indices', 'list'])).toEqual([]);
  await place.json(['indices', 'import', '--as', 'PVPC', PVPC, FIRST]);
  expect(await place.json(['indices', 'import', '--as', 'PVPC', PVPC])).toMatchObject({ nuevas: 0, cambiadas: 9 });
});

it.each([
  [['--as', 'pvpc', FIRST], 2, '--as must be capital letters'],
  [['--as', 'PVPC'], 2, "missing required argument 'FILE'"],
  [[FIRST], 2, 'indices import needs --as'],
  [['--as', 'PVPC', 'nowhere.csv'], 1, 'cannot read nowhere.csv: ENOENT'],
  [['--as', 'PVPC', '--geo', '1', FIRST], 1, '--geo 1 is not in it; it has 8741'],
])('indices import %j ends with status %i: %s', async (args, status, message) => {
  expect(await place.runHere(['indices', 'import', ...args])).toMatchObject({
    ...{ status, stdout: '', stderr: expect.stringContaining(message) },
  });
});

it('A-164: curve compares the hours of a customer with stored indices, or with a publication without a database', async () => {
  const days = Array.from({ length: 30 }, (_, at) => `2026-06-${String(at + 1).padStart(2, '0')}`);
  const hours = madeUpHours(days, () => 24);
  const file = written('curve.csv', curveText(hours, 'datadis_surplus'));
  const args = ['curve', file, '--tariff', '2.0TD', '--territory', 'peninsula'];
  const noDatabase = { env: { DATABASE_URL: 'nothing' } };
  const answer = await place.json([...args, '--index', `PVPC=${PVPC}`], noDatabase);
  expect(answer).toMatchObject({
    perfil: [{ anio: 2026, indices: { PVPC: { d1: expect.any(Number), excedentes: expect.any(Number) } } }],
    indices: [{ indice: 'PVPC', entradas: 1, horas_sin_precio: 0 }],
  });
  await place.json(['indices', 'import', '--as', 'PVPC', PVPC]);
  expect(await place.json([...args, '--indices', 'PVPC'])).toEqual(answer);
  expect((await place.runHere([...args, '--indices', 'OMIE'])).stderr).toContain('OMIE is not loaded; loaded are PVPC');
  expect((await place.runHere([...args, '--index', 'PVPC'])).stderr).toContain('--index must be NAME=FILE');
});

it('A-166: rank prices an offer by the hours of a curve, beside a publication or stored indices', async () => {
  const days = Array.from({ length: 30 }, (_, at) => `2026-06-${String(at + 1).padStart(2, '0')}`);
  const file = written(
    'curve.csv',
    curveText(
      madeUpHours(days, () => 24),
      'datadis_surplus',
    ),
  );
  const offer = {
    ...{ id: 1, company: 'Iber', offer_name: 'Horas', supply_type: 'LUZ', tariff_type: '2.0TD', acepta_dni: true },
    ...{ territory_peninsula: true, is_indexed: true, indice: 'PVPC', p1: 0.1, p2: 0.05 },
    indexed_prices: [{ reference_month: '2026-06', e1: 0.18, e2: 0.11, e3: 0.11 }],
  };
  const offers = written('offers.json', JSON.stringify([offer]));
  const args = ['rank', '--offers', offers, '--curve', file];
  const noDatabase = { env: { DATABASE_URL: 'nothing' } };
  const byHours = await place.json([...args, '--index', `PVPC=${PVPC}`], noDatabase);
  expect(byHours).toMatchObject({ results: [{ por_horas: { energia: 1, excedentes: 0 } }] });
  const byMeans = await place.json<{ results: object[] }>(args, noDatabase);
  expect(byMeans.results[0]).not.toHaveProperty('por_horas');
  await place.json(['indices', 'import', '--as', 'PVPC', PVPC]);
  expect(await place.json([...args, '--indices', 'PVPC'])).toEqual(byHours);
});

it('refuses a file that is larger than 64 MiB, or no whole CSV or JSON, without a stack', async () => {
  const large = written('large.csv', '');
  truncateSync(large, 64 * 2 ** 20 + 1);
  const answer = await place.runHere(['indices', 'import', '--as', 'PVPC', large]);
  expect(answer).toMatchObject({ status: 1, stderr: `tarifario: ${large} is larger than 64 MiB\n` });
  const sent = place.json(['indices', 'import', '--as', 'PVPC', '-'], { stdin: Buffer.alloc(64 * 2 ** 20 + 1, ' ') });
  await expect(sent).rejects.toThrow('tarifario: standard input is larger than 64 MiB');
  const quoted = written('quoted.csv', 'geoid;value;datetime\n"8741;1;2026-03-01T00:00:00Z\n');
  expect(await place.runHere(['indices', 'import', '--as', 'PVPC', quoted])).toEqual({
    ...{ status: 1, stdout: '' },
    stderr: `tarifario: ${quoted}: line 2, column 1: a quote that is never closed\n`,
  });
  const broken = written('broken.json', '{"included":');
  expect((await place.runHere(['indices', 'import', '--as', 'PVPC', broken])).stderr).toContain('broken.json: ');
});
