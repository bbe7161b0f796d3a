import type { Scope } from '@tarifario/core/service';
import { filledWorld, MONTHLY_CURVE, QR_ADDRESS, type Sample } from '@tarifario/testkit/api/sample';
import { callTool, contentOf, shownOf } from '@tarifario/testkit/api/tool-calls';
import type { CallInput, World } from '@tarifario/testkit/api/world';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../src/index.ts';
import { argumentFields } from '../src/read-input.ts';
import { argumentsOf } from '../src/tools/schemas.ts';

// A tool gives the same answer as its endpoint to the same key: successes and refusals alike.

interface Field {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Field;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
}

const BLIND: readonly Scope[] = [
  'offers:read',
  'catalog:read',
  'companies:read',
  'clients:read',
  'indexed_prices:read',
];

let world: World;
let sample: Sample;
let keys: readonly (readonly [name: string, key: string])[];

beforeAll(async () => {
  ({ world, sample } = await filledWorld());
  const newKey = (options: object) => world.newKey(world.account.id, options);
  keys = [
    ['full', world.fullKey],
    ['blind', await newKey({ scopes: BLIND })],
    ['bound', await newKey({ firmId: sample.clientId })],
    ['bot', await newKey({ scopes: BLIND.slice(0, 2) })],
  ];
});

const HOUSEHOLD_MONTH = { mes: 1, dias: 31, maximos: { p1: 3.21, p2: 5 } };

/** Values for a field: mostly fitting ones, among them ids that exist, and some that break it. */
function valuesFor(name: string, field: Field): fc.Arbitrary<unknown> {
  const { type, minimum = 0, maximum = 1000 } = field;
  if (name === 'id' || name.endsWith('_id')) return fc.constantFrom(...Object.values(sample), 1, 2, 999_999);
  if (field.enum) return fc.constantFrom(...field.enum, ...field.enum, ...field.enum, 'x');
  if (name === 'tariff_type') return fc.constantFrom('2.0TD', ' 2.0TD ', '3.0TD', 'RL.1', '');
  if (name === 'company_name') return fc.constantFrom('comercial', 'COMÚN', 'nadie');
  if (name === 'url')
    return fc.constantFrom(QR_ADDRESS, QR_ADDRESS, QR_ADDRESS.replace('tc=E0', 'tc=A0'), `${QR_ADDRESS}&tf=R`);
  if (name === 'csv') return fc.constantFrom(MONTHLY_CURVE, MONTHLY_CURVE, MONTHLY_CURVE.replace('95,5', 'x'), '');
  if (name === 'mes') return fc.constantFrom('2025-12', '2025-11-15', '2024-01', '2025-02-30');
  if (name === 'fecha') return fc.constantFrom('2026-03-01', '2026-12-31', '2026-03-01', '2027-01-01', '2026-02-30');
  if (name === 'potencia')
    return fc.oneof(objectsFor(field), fc.constantFrom({ p1: 4.6, p2: 4.6 }, { p1: 15, p2: 15 }));
  if (name === 'periodos') return fc.constantFrom([HOUSEHOLD_MONTH], [HOUSEHOLD_MONTH, { ...HOUSEHOLD_MONTH, mes: 2 }]);
  if (field.items) return fc.array(valuesFor('id', field.items), { maxLength: 4 });
  if (field.properties) return objectsFor(field);
  switch (type) {
    case 'integer':
      return fc.oneof(
        { weight: 39, arbitrary: fc.integer({ min: minimum, max: Math.min(maximum, 400) }) },
        { weight: 1, arbitrary: fc.constantFrom(-1, maximum + 1) },
      );
    case 'number':
      return fc.oneof(
        { weight: 39, arbitrary: fc.double({ min: minimum, max: Math.min(maximum, 5000), noNaN: true }) },
        { weight: 1, arbitrary: fc.constantFrom(minimum, maximum, -1) },
      );
    case 'boolean':
      return fc.boolean();
    default:
      return fc.string({ maxLength: 20 });
  }
}

function objectsFor({ properties = {}, required = [] }: Field): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(properties).map(([name, field]): [string, fc.Arbitrary<unknown>] => {
    const present = valuesFor(name, field);
    const isLikely = required.includes(name) || /^(energia|consumo_gas|[ep][1-3])$/.test(name);
    const [weight, absent] = isLikely ? [19, 1] : [1, 7];
    return [name, fc.oneof({ weight, arbitrary: present }, { weight: absent, arbitrary: fc.constant(undefined) })];
  });
  return fc
    .record(Object.fromEntries(fields))
    .map((made) => Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)));
}

const OF_ELECTRICITY = ['energia', 'potencia', 'excedentes', 'ssaa_included', 'fee_potencia', 'power_kw'];

/** Without the fields that its supply does not have; what they are answered is tried often enough with the rest. */
function tidied(args: Record<string, unknown>): Record<string, unknown> {
  const others = args.supply_type === 'GAS' ? OF_ELECTRICITY : ['consumo_gas'];
  return Object.fromEntries(Object.entries(args).filter(([name]) => !others.includes(name)));
}

/** The same question as a request: what the path and the query carry as text, the rest as the body. */
function toSent(toolName: string, grouped: Record<string, unknown>): [id: string, sent: CallInput] {
  const { condiciones, razones, ...own } = grouped;
  const args = { ...own, ...Object(condiciones), ...Object(razones) };
  const row = operations.find(({ mcp }) => mcp === toolName);
  if (!row) throw new Error(`no operation for ${toolName}`);
  const { path } = row.input;
  const body = argumentFields(row.input).body;
  const inBody = Object.entries(args).filter(
    ([name]) => row.input.body !== null && (Object.hasOwn(body, name) || !Object.hasOwn(row.input.query.shape, name)),
  );
  const texts = Object.entries(args)
    .filter((entry) => !inBody.some(([name]) => name === entry[0]))
    .map(([name, value]): [string, string | string[]] => [
      name,
      Array.isArray(value) ? value.map(plain) : plain(value),
    ]);
  const params = texts.filter(([name]) => Object.hasOwn(path.shape, name)).map(([name, text]) => [name, String(text)]);
  const query = texts.filter(([name]) => !Object.hasOwn(path.shape, name));
  const input = { params: Object.fromEntries(params), query: Object.fromEntries(query) };
  return [row.id, row.input.body === null ? input : { ...input, body: Object.fromEntries(inBody) }];
}

/** A number as an address writes it: never with an exponent. */
function plain(value: unknown): string {
  if (typeof value !== 'number' || Number.isInteger(value)) return String(value);
  return value.toFixed(6);
}

const names = operations.flatMap(({ mcp }) => (mcp === null ? [] : [mcp]));

describe.each(names)('%s', (name) => {
  it('A-47, A-92: gives what REST answers to the same key', async () => {
    const row = operations.find(({ mcp }) => mcp === name) ?? expect.fail(`no operation for ${name}`);
    const schema: Field = argumentsOf(row, { seesCommissions: true });
    const rounded = objectsFor(schema).map((args) => {
      return JSON.parse(
        JSON.stringify(args, (_key, value) => (typeof value === 'number' ? Number(plain(value)) : value)),
      );
    });
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(rounded, fc.nat(), fc.nat({ max: 9 }), async (made, turn, disorder) => {
        const [who, key = ''] = keys[turn % keys.length] ?? [];
        // To a masked key of a tool these are unknown, and REST names the missing scope.
        const { w: _w, tolerancia: _tolerance, ...unweighed } = made;
        const sent = who === 'blind' || who === 'bot' ? unweighed : made;
        const args = disorder === 0 ? sent : tidied(sent);
        // A required argument that is missing has no request: an address without it is another one.
        const [id, input] = toSent(name, schema.properties?.limit ? { limit: 10, ...args } : args);
        if (/\{id\}/.test(operations.find((row) => row.id === id)?.path ?? '')) fc.pre(Object.hasOwn(args, 'id'));
        const rest = await world.call(id, { ...input, key });
        const { answer, result } = await callTool(world, name, args, key);
        statuses.add(answer.status);
        expect(answer.status).toBe(rest.status);
        if (answer.status !== 400) expect(answer.body).toEqual(rest.body);
        if (result.isError) return;
        // The note of an empty list and the offset of the next page are for models only.
        const { note: _note, next_offset, ...content } = contentOf(result);
        expect(content).toEqual(shownOf(JSON.parse(JSON.stringify(rest.body))));
        const { total = 0, results = [] } = Object(rest.body);
        const end = (args.offset ?? 0) + results.length;
        expect(next_offset).toBe(results.length === 0 || end >= total ? undefined : end);
      }),
      { seed: 20_261_120, numRuns: runsOf(50, 150) },
    );
    expect(statuses).toContain(200);
    expect(world.bugs).toEqual([]);
  });
});
