import { fillServer } from '@tarifario/testkit/http/http-world';
import type { RunningServer } from '@tarifario/testkit/http/running-server';
import { mirrored, modern, request, startMcpServer } from '@tarifario/testkit/mcp/mcp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ask, WAYS } from './ways.ts';

// What clients were seen to send, whatever the model wrote.

let server: RunningServer;
let key: string;
let firstId: number;
let secondId: number;

beforeAll(async () => {
  server = await startMcpServer();
  const filled = await fillServer(server, 'written');
  ({ key } = filled);
  firstId = filled.sample.luzId;
  secondId = filled.sample.gasId;
});
afterAll(() => server.close());

const TERMS = { supply_type: 'LUZ', tariff_type: '2.0TD', territory: 'peninsula', client_type: 'dni', limit: 1 };
const HOUSEHOLD = { ...TERMS, energia: { e1: 1200, e2: 900, e3: 1400 }, potencia: { p1: 4.6, p2: 4.6 } };
const BILLED = { ...HOUSEHOLD, impuestos: { fecha: '2026-02-01', alquiler: 1.5 } };
const MONTHS = [{ mes: 1, dias: 31, energia: { e1: 100, e2: 80, e3: 120 } }];
const PROFILE = { ...TERMS, perfil: MONTHS, potencia: HOUSEHOLD.potencia };
const POWER = {
  ...{ tariff_type: '3.0TD', territory: 'peninsula', fecha: '2026-02-01', tipo_medida: 4 },
  potencia: { p1: 20, p2: 20, p3: 20, p4: 20, p5: 20, p6: 20 },
  periodos: [{ mes: 1, dias: 31, maximos: { p1: 18, p2: 19, p6: 21 } }],
};
const GROUPED = { condiciones: { permanencia_max: 12 }, razones: { explicar: true, umbrales_consumo: true } };
const JSON_OF = JSON.stringify;

const WRITTEN: readonly [what: string, tool: string, written: unknown, plain: () => object][] = [
  [
    'numbers as text',
    'rank_offers',
    { ...HOUSEHOLD, energia: { e1: '1200', e2: '900.0', e3: '1.4e3' }, limit: '1' },
    () => HOUSEHOLD,
  ],
  ['an object as text of JSON', 'rank_offers', { ...HOUSEHOLD, energia: JSON_OF(HOUSEHOLD.energia) }, () => HOUSEHOLD],
  [
    'a list as text of JSON, with numbers as text in it',
    'rank_offers',
    { ...PROFILE, perfil: JSON_OF([{ mes: 1, dias: 31, energia: JSON_OF({ e1: '100', e2: 80, e3: 120 }) }]) },
    () => PROFILE,
  ],
  [
    'a number as text where a word may stand too',
    'rank_offers',
    { ...BILLED, impuestos: { ...BILLED.impuestos, alquiler: '1.5' } },
    () => BILLED,
  ],
  [
    'null for what is not set',
    'rank_offers',
    {
      ...HOUSEHOLD,
      energia: { ...HOUSEHOLD.energia, e4: null },
      company_name: null,
      mes: null,
      impuestos: null,
      dias: null,
    },
    () => HOUSEHOLD,
  ],
  ['null for an argument with a default', 'list_offers', { limit: null, offset: null, fields: null }, () => ({})],
  ['all arguments as text of JSON', 'rank_offers', JSON_OF(HOUSEHOLD), () => HOUSEHOLD],
  ['null for all arguments', 'about', null, () => ({})],
  [
    'a boolean as text',
    'list_offers',
    { placas_solares: 'false', limit: '2' },
    () => ({ placas_solares: false, limit: 2 }),
  ],
  [
    'by the names of REST what groups hold',
    'rank_offers',
    { ...HOUSEHOLD, permanencia_max: 12, explicar: true, umbrales_consumo: 'true' },
    () => ({ ...HOUSEHOLD, ...GROUPED }),
  ],
  [
    'groups as text of JSON, or null',
    'rank_offers',
    { ...HOUSEHOLD, condiciones: JSON_OF({ permanencia_max: '12', energia_verde: null }), razones: GROUPED.razones },
    () => ({ ...HOUSEHOLD, ...GROUPED }),
  ],
  [
    'null by the name of REST for what a group holds',
    'rank_offers',
    { ...HOUSEHOLD, ...GROUPED, permanencia_max: null, explicar: null },
    () => ({ ...HOUSEHOLD, ...GROUPED }),
  ],
  ['null for a group', 'rank_offers', { ...HOUSEHOLD, condiciones: null, razones: {} }, () => HOUSEHOLD],
  ['one of some numbers as text', 'optimize_power', { ...POWER, tipo_medida: '4' }, () => POWER],
];

describe.each(WAYS)('arguments $name', ({ open }) => {
  it.each(WRITTEN)('A-47: with %s are answered as they are meant', async (_what, name, written, plain) => {
    const ask = open(server, key);
    const textOf = async (args: unknown) => (await ask(request('tools/call', { name, arguments: args }))).text;
    const meant = await textOf(plain());
    expect(meant).toContain('"isError":false');
    expect(await textOf(written)).toBe(meant);
  });

  it('A-47: with an id as text, in a list too, are answered as they are meant', async () => {
    const ask: Ask = open(server, key);
    const textOf = async (name: string, args: unknown) =>
      (await ask(request('tools/call', { name, arguments: args }))).text;
    expect(await textOf('get_offer', { id: `${firstId}.0` })).toBe(await textOf('get_offer', { id: firstId }));
    const ids = [firstId, secondId];
    expect(await textOf('compare_offers', { ids: ids.map(String) })).toBe(await textOf('compare_offers', { ids }));
  });
});

it('A-47: params that are null are none', async () => {
  const open = WAYS.filter(({ name }) => name.endsWith('2025-11-25'));
  for (const way of open) {
    const { text } = await way.open(server, key)({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: null });
    expect(JSON.parse(text).result.tools).not.toHaveLength(0);
  }
});

it('A-47: a cursor that is null is none, and so is an invoice without its text', async () => {
  const ask = WAYS[0]?.open(server, key);
  expect((await ask?.(request('tools/list', { cursor: null })))?.text).toContain('rank_offers');
  const prompt = { name: 'compare_for_invoice', arguments: JSON_OF({ invoice: '3 kW' }) };
  expect((await ask?.(request('prompts/get', prompt)))?.text).toContain('3 kW');
});

it('A-47: a slash after /mcp changes nothing', async () => {
  const message = request('tools/list');
  for (const [body, headers] of [
    [message, {}],
    [modern(message), mirrored(message)],
  ] as const) {
    const answers = ['/mcp', '/mcp/'].map(async (path) => {
      const sent = { 'Content-Type': 'application/json', 'X-API-Key': key, ...headers };
      const response = await fetch(server.url + path, { method: 'POST', headers: sent, body: JSON_OF(body) });
      return [response.status, await response.text()];
    });
    const [plain, slashed] = await Promise.all(answers);
    expect(plain?.[0]).toBe(200);
    expect(slashed).toEqual(plain);
  }
});
