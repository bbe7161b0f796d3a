import { filledWorld, goodCalls, type Sample } from '@tarifario/testkit/api/sample';
import { callTool, toArguments, toolsOf } from '@tarifario/testkit/api/tool-calls';
import { fakeFile } from '@tarifario/testkit/api/workbooks';
import { asRecord, type CallInput, operationOf, type World } from '@tarifario/testkit/api/world';
import { RETRY_ON_NOISE } from '@tarifario/testkit/loop-watch';
import { expectWithin } from '@tarifario/testkit/share';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ApiAnswer, operations } from '../src/index.ts';
import { argumentFields } from '../src/read-input.ts';
import { bodySchemaFor } from '../src/sent-form.ts';

const LENGTH = 500_000;
/** Composing them takes time with the square of the marks in a row, if it is done. */
const LONG_TEXTS = {
  'marks alone': '\u0301'.repeat(LENGTH),
  'a letter with marks': `a${'\u0301'.repeat(LENGTH)}`,
  'marks of two classes in turn': `a${'\u0301\u0323'.repeat(LENGTH / 2)}`,
} as const;
const SHAPES = Object.entries(LONG_TEXTS);
/** A call takes a thread for no longer than this, in time of a processor. */
const CALL_MS = 50;

/** Fields that name something: they are refused for their length, in the words of every name. */
const NAMES = ['name', 'offer_name', 'tariff_type', 'company_name', 'file_name', 'endpoint'];
const LENGTH_REFUSAL = /must have 1 to \d+ characters|must be one of: 2\.0TD/;

let world: World;
let sample: Sample;

beforeAll(async () => {
  ({ world, sample } = await filledWorld());
});

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

type Path = readonly (string | number)[];

function schemaOf(schema: z.ZodType): Schema {
  return JSON.parse(
    JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: z.registry() })),
  );
}

/** Where a text may stand, the first entry for all of a list. */
function textPaths({ type, format, properties = {}, items, anyOf = [] }: Schema, path: Path = []): readonly Path[] {
  const here = type === 'string' && format !== 'binary' ? [path] : [];
  const inside = Object.entries(properties).flatMap(([name, inner]) => textPaths(inner, [...path, name]));
  const listed = items ? textPaths(items, [...path, 0]) : [];
  return [...here, ...inside, ...listed, ...anyOf.flatMap((option) => textPaths(option, path))];
}

function withText(value: unknown, [key, ...rest]: Path, text: string): unknown {
  if (key === undefined) return text;
  if (typeof key === 'number') return [withText(Array.isArray(value) ? value[key] : undefined, rest, text)];
  const record = typeof value === 'object' && value !== null ? asRecord(value) : {};
  return { ...record, [key]: withText(record[key], rest, text) };
}

/** Every way in which a call of an operation can carry a text: where, and the call. */
function placesOf(id: string): readonly { readonly place: string; readonly send: (text: string) => CallInput }[] {
  const good = goodCalls(sample)[id] ?? {};
  const { input, replayable } = operationOf(id);
  const json = input.body === null ? null : bodySchemaFor(input.body, 'json');
  const form = input.body === null ? null : bodySchemaFor(input.body, 'multipart');
  const bodyPaths = json === null ? [] : textPaths(schemaOf(json));
  const { bytes = new Uint8Array([80]) } = good.form ?? {};
  const query = typeof good.query === 'object' ? good.query : {};
  return [
    ...Object.keys(input.path.shape).map((name) => ({
      place: name,
      send: (text: string) => ({ ...good, params: { ...good.params, [name]: text } }),
    })),
    ...Object.keys(input.query.shape).map((name) => ({
      place: name,
      send: (text: string) => ({ ...good, query: { ...query, [name]: text } }),
    })),
    ...bodyPaths.map((path) => ({
      place: path.join('.'),
      send: (text: string) => ({ ...good, body: withText(good.body, path, text) }),
    })),
    // The name of a curve is not looked at.
    ...Object.keys(form instanceof z.ZodObject && id !== 'readConsumption' ? form.shape : {})
      .filter((name) => name !== 'file' || id !== 'optimizePower')
      .map((name) => ({
        place: name === 'file' ? 'file_name' : name,
        send: (text: string): CallInput => ({
          ...good,
          body: undefined,
          form:
            name === 'file'
              ? { bytes, fileName: text, ...(id === 'createUpload' && { fields: { kind: 'offers_bulk_update' } }) }
              : { bytes, fields: { [name]: text } },
        }),
      })),
    ...(replayable ? [{ place: 'Idempotency-Key', send: (text: string) => ({ ...good, idempotencyKey: text }) }] : []),
  ];
}

async function measured(call: () => Promise<ApiAnswer>): Promise<{ readonly answer: ApiAnswer; readonly ms: number }> {
  const before = process.threadCpuUsage();
  const answer = await call();
  const { user, system } = process.threadCpuUsage(before);
  return { answer, ms: (user + system) / 1000 };
}

function expectRefused(place: string, { answer, ms }: { readonly answer: ApiAnswer; readonly ms: number }): void {
  const body = JSON.stringify(answer.body);
  expect(answer.status, place).toBeOneOf([400, 404, 422]);
  if (NAMES.includes(place.split('.').at(-1) ?? '')) expect(body, place).toMatch(LENGTH_REFUSAL);
  expect(body.length, place).toBeLessThan(1000);
  expectWithin(ms, CALL_MS);
}

describe(
  'A-02: a text of 500 000 marks is refused in less than 50 ms of a processor, wherever it comes in',
  RETRY_ON_NOISE,
  () => {
    it.each(operations.map(({ id }) => id))('%s', async (id) => {
      for (const [shape, text] of SHAPES) {
        for (const { place, send } of placesOf(id)) {
          const input = send(text);
          // The body is already parsed here: only what follows is measured.
          const outcome = await measured(() => world.call(id, input));
          // A portfolio answers each customer by himself.
          if (['rankPortfolio', 'negotiateOffer'].includes(id) && outcome.answer.status === 200) {
            expect(JSON.stringify(outcome.answer.body), `${place}, ${shape}`).toContain('"code":"invalid_request"');
            expectWithin(outcome.ms, CALL_MS);
          } else expectRefused(`${place}`, outcome);
        }
      }
      expect(world.bugs).toEqual([]);
    });

    it('as an argument of a tool', async () => {
      for (const tool of await toolsOf(world)) {
        const operation = operations.find(({ mcp }) => mcp === tool.name);
        if (!operation) throw new Error(`no operation ${tool.name}`);
        const { path, query, body } = argumentFields({ ...operation.input, body: operation.input.body });
        const good = toArguments(tool, goodCalls(sample)[operation.id] ?? {});
        const fields = schemaOf(z.object({ ...path, ...query, ...body }));
        for (const [, text] of SHAPES) {
          for (const place of textPaths(fields)) {
            const args = asRecord(withText(good, place, text));
            expectRefused(place.join('.'), await measured(async () => (await callTool(world, tool.name, args)).answer));
          }
        }
      }
    });
  },
);

describe('a file whose cells are as long as they may be and full of marks', RETRY_ON_NOISE, () => {
  /** 4 KB in UTF-8, as much as a cell may have. */
  const CELL = `a${'\u0301\u0323'.repeat(1023)}`;
  const NAMED = ['cliente', 'company_name', 'offer_name'];
  const SHEETS = {
    ofertas: [...NAMED, 'supply_type', 'tariff_type', 'is_indexed', 'e1', 'acepta_dni', 'acepta_cif', 'communities'],
    precios_indexados: [...NAMED, 'reference_month', 'e1'],
    tramos_consumo: [...NAMED, 'consumption_from', 'consumption_to', 'commission', 'commission_type'],
  };
  const ROWS = 100;

  const fileOf = (cell: string) =>
    fakeFile(
      Object.fromEntries(
        Object.entries(SHEETS).map(([sheet, columns]) => {
          return [sheet, [columns, ...Array.from({ length: ROWS }, () => columns.map(() => cell))]] as const;
        }),
      ),
    );

  it('A-56: is refused for 2 200 cells within 20 times what one of plain letters takes', async () => {
    const refuse = (bytes: Uint8Array) => measured(() => world.call('bulkUpdateOffers', { form: { bytes } }));
    const plain = await refuse(fileOf('a'.repeat(CELL.length)));
    const { answer, ms } = await refuse(fileOf(CELL));
    expect(answer.status).toBe(422);
    expect(asRecord(asRecord(answer.body).detail).error_count).toBeGreaterThan(10 * ROWS);
    expectWithin(ms, 20 * plain.ms);
  });
});
