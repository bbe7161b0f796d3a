import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { curveText, madeUpHours, PLAIN_STYLE } from '@tarifario/core/testing';
import { addressOf, openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDemoCatalog } from '../src/demo/demo-catalog.ts';

let place: Workplace;
let url: string;
let env: { readonly TARIFARIO_KEY: string };
let masked: typeof env;
let stop: () => Promise<unknown>;

beforeAll(async () => {
  place = await openWorkplace();
  const { keys } = await place.json<{ keys: { full_access: string; public: string } }>(['demo', 'seed']);
  masked = { TARIFARIO_KEY: keys.public };
  const child = place.start(['serve', '--port', '0']);
  [url, env] = [await addressOf(child), { TARIFARIO_KEY: keys.full_access }];
  stop = () => {
    child.kill('SIGTERM');
    return once(child, 'exit');
  };
  const hours = madeUpHours(['2026-02-07', '2026-02-08'], () => 24);
  await written('curve.csv', curveText(hours, 'datadis', PLAIN_STYLE));
  await written('one.json', JSON.stringify(HOUSEHOLD));
  await written('many.ndjson', MANY.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n'));
  await written('power.json', JSON.stringify(POWER));
  await written('power-curve.json', JSON.stringify({ ...POWER, periodos: undefined }));
});

afterAll(async () => {
  await stop();
  await place.remove();
});

const at = (name: string) => join(place.folder, name);
const written = (name: string, text: string) => writeFile(at(name), text);

const HOUSEHOLD = readDemoCatalog().households[0]?.efficient ?? {};
const MANY = [
  { ref: 'a', ...HOUSEHOLD },
  { ref: 'b', ...HOUSEHOLD, dias: 30 },
  { ref: 'c', supply_type: 'GAS' },
  HOUSEHOLD,
  '{"ref":',
];
const POWER = {
  ...{ tariff_type: '2.0TD', potencia: { p1: 4.6, p2: 4.6 }, fecha: '2026-03-01' },
  periodos: [{ mes: 1, dias: 31, maximos: { p1: 2.1, p2: 3 } }],
};
const INVOICE =
  'https://comparador.cnmc.gob.es/comparador/QRE?cp=28013&pP1=4.6&pP2=4.6&caP1=1200&caP2=900&caP3=1400&iniA=2025-01-31' +
  '&finF=2026-01-31&iniF=2025-12-31&tc=E0&impPot=12.84';

/** What a command answers at the server, with files by their names. */
const asked = <T = unknown>(...args: readonly string[]): Promise<T> =>
  place.json<T>([...args.map((arg) => (/\.(json|ndjson|csv)$/.test(arg) ? at(arg) : arg)), '--url', url], { env });
const here = <T = unknown>(...args: readonly string[]): Promise<T> =>
  place.json<T>(args.map((arg) => (/\.(json|ndjson|csv)$/.test(arg) ? at(arg) : arg)));

describe('a command with --url answers what it answers without', () => {
  it.each([
    [
      ['rank', '--customer', 'one.json', '--also', 'explicar,margen', '--w', '0.7'],
      ['--account', '1'],
    ],
    [
      ['rank', '--curve', 'curve.csv', '--power', '4.6,4.6', '--taxes', '2026-03-01'],
      ['--account', '1'],
    ],
    [
      ['rank', '--qr', INVOICE, '--tolerancia', '0.5'],
      ['--account', '1'],
    ],
    [
      ['negotiate', '--offer', '1', '--customers', 'many.ndjson'],
      ['--account', '1'],
    ],
    [['qr', INVOICE], []],
    [['curve', 'curve.csv', '--tariff', '2.0TD', '--territory', 'peninsula'], []],
    [['power', 'power.json'], []],
    [['power', '--curve', 'curve.csv', '--question', 'power-curve.json'], []],
    [['taxes', '--date', '2026-03-01', '--supply', 'GAS', '--territory', 'canarias'], []],
  ])('%j', async (args, withoutUrl) => {
    expect(await asked(...args)).toEqual(await here(...args, ...withoutUrl));
  });

  it('rank --customers, of which those that are none are refused here', async () => {
    const counts = await asked('rank', '--customers', 'many.ndjson', '--taxes', '2026-03-01', '--out', 'out.ndjson');
    expect(counts).toEqual({ customers: 5, errors: 3, out: at('out.ndjson') });
    const lines = (await readFile(at('out.ndjson'), 'utf8')).trimEnd().split('\n');
    const records = lines.map((line) => JSON.parse(line));
    expect(records).toMatchObject([
      {
        line: 1,
        ref: 'a',
        best: expect.arrayContaining([expect.objectContaining({ factura_estimada: expect.any(Object) })]),
      },
      { line: 2, ref: 'b', dias: 30 },
      { line: 3, ref: 'c', error: { code: 'invalid_request', errors: [{ path: 'consumo_gas' }] } },
      { line: 4, ref: null, error: { errors: [{ path: 'ref' }] } },
      { line: 5, ref: null, error: { message: 'the line is not JSON from column 8 on' } },
    ]);
    const [first] = await asked<{ results: object[] }>('rank', '--customer', 'one.json', '--taxes', '2026-03-01').then(
      ({ results }) => results,
    );
    expect(first).toMatchObject({
      factura_estimada: records[0].best[0].factura_estimada,
      cost: records[0].best[0].cost,
    });
  });

  it('rank --customers whose curves are more than one body may have', async () => {
    const entries = Array.from({ length: 36 }, (_, at) => ({
      mes: (at % 12) + 1,
      dias: 28,
      energia: { e1: 9, e2: 9, e3: 9 },
    }));
    const customer = { supply_type: 'LUZ', tariff_type: '2.0TD', potencia: { p1: 4.6, p2: 4.6 }, perfil: entries };
    const lines = Array.from({ length: 200 }, (_, at) => JSON.stringify({ ref: `${at}`, ...customer }));
    await written('curves.ndjson', lines.join('\n'));
    expect(await asked('rank', '--customers', 'curves.ndjson', '--top', '1', '--out', 'out.csv')).toEqual({
      ...{ customers: 200, errors: 0, out: at('out.csv') },
    });
  });
});

it.each([
  [
    'nothing listens',
    ['taxes'],
    'http://127.0.0.1:1',
    {},
    /^tarifario: the server: the service cannot be reached: .+ \(unreachable\)\n$/,
  ],
  [
    'the key is none',
    ['taxes'],
    null,
    { TARIFARIO_KEY: 'tfk_none' },
    /^tarifario: the server: .* \(unauthenticated\)\n$/,
  ],
  [
    'a field is wrong',
    ['power', 'one.json'],
    null,
    {},
    /^tarifario: the server: .* \(invalid_request\)\n {2}[a-z_.]+: /,
  ],
])('a command with --url, where %s, says so without the key', async (_case, args, server, more, message) => {
  const files = args.map((arg) => (arg.endsWith('.json') ? at(arg) : arg));
  const answer = await place.runHere([...files, '--url', server ?? url], { ...env, ...more });
  expect(answer).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(message) });
  expect(answer.stderr).not.toContain('tfk_');
});

it('taxes --pretty shows the same table with --url as without', async () => {
  const args = ['taxes', '--date', '2026-11-29', '--supply', 'LUZ', '--pretty'];
  const without = await place.runHere(args);
  expect(without.stdout).toMatch(/^rate +of +supply.*5\.11269632: if the condition/s);
  expect(await place.runHere([...args, '--url', url], env)).toEqual(without);
});

/** What a command says where something else than the service answers. */
async function saidOf(args: readonly string[], answer: (response: ServerResponse) => void) {
  const other = createServer((_request, response) => answer(response));
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const files = args.map((arg) => (/\.(json|ndjson)$/.test(arg) ? at(arg) : arg));
  const said = await place.runHere([...files, '--url', `http://127.0.0.1:${Object(other.address()).port}`], env);
  other.close();
  return said;
}

const answering = (text: string) => (response: ServerResponse) =>
  void response.writeHead(200, { 'Content-Type': 'application/json' }).end(text);

const MANY_TO = (out: string) => ['rank', '--customers', 'many.ndjson', '--out', out];

it.each([
  [MANY_TO('none.ndjson'), '{}', 'is not one for each customer'],
  [MANY_TO('none.ndjson'), '{"results":[]}', 'is not one for each customer'],
  [['rank', '--customer', 'one.json', '--pretty'], '{}', 'has no results'],
  [['negotiate', '--offer', '1', '--customers', 'many.ndjson'], '{}', 'has no results'],
  [['taxes', '--pretty'], '{}', 'has no filas'],
])('%j, where something else than the service answers %s, fails without output', async (args, text, message) => {
  expect(await saidOf(args, answering(text))).toEqual({
    ...{ status: 1, stdout: '' },
    stderr: `tarifario: the server: its answer ${message}\n`,
  });
  expect((await readdir(place.folder)).filter((name) => name.startsWith('none'))).toEqual([]);
});

it('a command with --url, where the server answers a redirect, says that it was one', async () => {
  const { status, stderr } = await saidOf(['taxes'], (response) => {
    response.writeHead(302, { Location: url }).end();
  });
  expect([status, stderr]).toEqual([
    1,
    'tarifario: the server: the service cannot be reached: unexpected redirect (unreachable)\n',
  ]);
});

it('rank --customers --w, where the key sees no commissions, fails without a file', async () => {
  const args = ['rank', '--customers', at('many.ndjson'), '--out', at('none.ndjson'), '--w', '0.5', '--url', url];
  expect(await place.runHere(args, masked)).toEqual({
    ...{ status: 1, stdout: '' },
    stderr: 'tarifario: the server: w below 1 needs the scope commissions:read (weight_needs_commissions)\n',
  });
  expect((await readdir(place.folder)).filter((name) => name.startsWith('none'))).toEqual([]);
});

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('rank --customers that %s ends leaves no file', async (signal, status) => {
  const silent = createServer();
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const args = ['rank', '--customers', at('many.ndjson'), '--out', at('none.ndjson')];
  const child = place.start([...args, '--url', `http://127.0.0.1:${Object(silent.address()).port}`], { env });
  await once(silent, 'request');
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([status, null]);
  expect((await readdir(place.folder)).filter((name) => name.startsWith('none'))).toEqual([]);
  silent.closeAllConnections();
  silent.close();
});

it.each([
  ['rank --customer x.json --url nowhere', '--url must be an address'],
  ['rank --customer x.json --offers o.json --url http://a', 'either --offers or --url'],
  ['rank --customers x.csv --out y.csv --threads 2 --url http://a', 'either --url or --threads'],
  ['taxes --due --url http://a', 'either --due or --url'],
])('%s is wrong usage', async (line, message) => {
  const { status, stderr } = await place.runHere(line.split(' '), env);
  expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
});

it('a command with --url and without a key in TARIFARIO_KEY is wrong usage', async () => {
  const { status, stderr } = await place.runHere(['taxes', '--url', url], { TARIFARIO_KEY: '' });
  expect([status, stderr]).toEqual([2, expect.stringContaining('--url needs a key in TARIFARIO_KEY')]);
});

it('A-166: rank reads a curve beside the indices of the server of --url', async () => {
  const published = fileURLToPath(new URL('../../../test-fixtures/catalog/pvpc-2.0TD-hourly.csv', import.meta.url));
  await place.json(['indices', 'import', '--as', 'HORAS', published]);
  const days = Array.from({ length: 30 }, (_, day) => `2026-06-${String(day + 1).padStart(2, '0')}`);
  const hours = madeUpHours(days, () => 24);
  await written('june.csv', curveText(hours, 'datadis', PLAIN_STYLE));
  const args = ['--indices', 'HORAS', '--url', url];
  const of = ['--tariff', '2.0TD', '--territory', 'peninsula'];
  const { tariff_type, zona, perfil } = await place.json<Record<string, unknown>>(
    ['curve', at('june.csv'), ...of, ...args],
    { env },
  );
  expect(perfil).toMatchObject([{ anio: 2026, indices: { HORAS: { d1: expect.any(Number) } } }]);
  const question = { supply_type: 'LUZ', tariff_type, territory: zona, perfil, potencia: { p1: 4, p2: 4 } };
  await written('june.json', JSON.stringify(question));
  const ranked = await place.json(['rank', '--curve', at('june.csv'), '--power', '4,4', ...args], { env });
  expect(ranked).toEqual(await place.json(['rank', '--customer', at('june.json'), '--url', url], { env }));
  expect(ranked).toMatchObject({
    avisos: expect.arrayContaining([expect.objectContaining({ codigo: 'indexada_sin_curva' })]),
  });
});
