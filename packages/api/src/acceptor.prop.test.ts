import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { holds } from '../../core/test/laws.ts';
import { acceptorOf, UNDECIDED } from './acceptor.ts';
import { idField, monthField, numberBetween, patchOf } from './fields.ts';
import { EXAMPLES } from './openapi/examples.ts';
import { operations } from './operations.ts';
import { withoutMinusZero } from './wire/numbers.ts';

/** A value as a request brings it. */
function sent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? 'null');
}

/** Whether an acceptor decides; what it makes is what zod makes, in texts that tell the order of members too. */
function decides(schema: z.ZodType, value: unknown): boolean {
  const made = acceptorOf(schema)(value);
  if (made === UNDECIDED) return false;
  const told = schema.safeParse(value);
  expect({ value, isAccepted: told.success }).toEqual({ value, isAccepted: true });
  expect(made).toStrictEqual(told.data);
  expect(JSON.stringify(made)).toBe(JSON.stringify(told.data));
  return true;
}

const EDGES = [
  0,
  -0,
  1,
  -1,
  0.5,
  2,
  5,
  1e9,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  1e300,
  5e-324,
];
const LEAF: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...EDGES,
    'LUZ',
    'GAS',
    '',
    '0',
    'true',
    true,
    false,
    null,
    '2026-03',
    [],
    {},
    [1],
    '__proto__',
  ),
  fc.double({ noNaN: true }),
  fc.integer({ min: -3, max: 8 }),
);

const FIELDS: Arbitrary<z.ZodType> = fc.constantFrom<z.ZodType>(
  z.number(),
  z.number().min(0).max(5),
  z.number().gt(0).lt(5),
  z.number().overwrite(withoutMinusZero).min(0),
  numberBetween(-1, 2),
  z.int(),
  z.int().min(1).max(8),
  z.int32(),
  z.coerce.number(),
  z.number().multipleOf(0.5),
  z.number().refine((value) => value !== 1, 'not 1'),
  z.enum(['LUZ', 'GAS']),
  z.enum(['LUZ', 'GAS']).refine((value) => value !== 'GAS', 'not gas'),
  z.boolean(),
  z.coerce.boolean(),
  z.string().max(4),
  z.number().nullable(),
  z.array(z.number()).max(1),
  z.union([z.number(), z.boolean()]),
  z.unknown(),
  idField,
  monthField,
);

const NAMES = ['a', 'b', 'c', '1', '0'];

/** Records of all kinds of fields, within each other, with checks of their own. */
function schemas(depth: number): Arbitrary<z.ZodType> {
  return depth === 0 ? FIELDS : fc.oneof(FIELDS, records(depth));
}

function records(depth: number): Arbitrary<z.ZodType> {
  const shape = fc.dictionary(fc.constantFrom(...NAMES), members(depth - 1), { maxKeys: 4 });
  return fc.tuple(shape, fc.nat({ max: 6 })).map(([fields, kind]): z.ZodType => {
    if (kind === 0) return z.object(fields);
    if (kind === 1) return z.looseObject(fields);
    if (kind === 2) return patchOf(fields);
    const strict = z.strictObject(fields);
    return kind === 3 ? strict.superRefine(refuseOdd) : strict;
  });
}

function members(depth: number): Arbitrary<z.ZodType> {
  return fc.tuple(schemas(depth), fc.nat({ max: 8 })).map(([inner, kind]): z.ZodType => {
    if (kind < 3) return inner.optional();
    if (kind === 3) return inner.nullable().optional();
    if (kind === 4) return inner.default(5);
    if (kind === 5) return inner.default(() => ['made anew']);
    if (kind === 6) return inner.default(5).optional();
    return kind === 7 ? inner.optional().default(5) : inner;
  });
}

function refuseOdd(record: Record<string, unknown>, context: z.RefinementCtx): void {
  if (Object.keys(record).length % 2 === 1) context.addIssue({ code: 'custom', path: ['a'], message: 'odd' });
}

function values(depth: number): Arbitrary<unknown> {
  if (depth === 0) return LEAF;
  const name = fc.constantFrom(...NAMES, ...NAMES, ...NAMES, 'd', '__proto__', 'constructor', 'toString');
  const record = fc.array(fc.tuple(name, values(depth - 1)), { maxLength: 4 }).map((sentMembers): unknown => {
    return JSON.parse(`{${sentMembers.map(([key, value]) => `${JSON.stringify(key)}:${textOf(value)}`).join(',')}}`);
  });
  return fc.oneof(LEAF, record, record);
}

const VALUE = values(3);

/** JSON has no infinity, but numbers so large that they are read as such. */
function textOf(value: unknown): string {
  return typeof value === 'number' && Math.abs(value) === Number.POSITIVE_INFINITY
    ? `${value < 0 ? '-' : ''}1e999`
    : JSON.stringify(value);
}

test('what an acceptor accepts its schema accepts, and makes the same of it', () => {
  let acceptedCount = 0;
  holds(
    fc.property(schemas(3), fc.array(VALUE, { minLength: 1, maxLength: 8 }), (schema, values) => {
      for (const value of values) acceptedCount += Number(decides(schema, value));
    }),
    2000,
  );
  expect(acceptedCount).toBeGreaterThan(500);
});

const MEMBER = fc.record({
  place: fc.nat(),
  kind: fc.constantFrom('other', 'other', 'twice the number', 'gone', 'last', 'unknown'),
  value: VALUE,
});

/** A body in which something was changed, taken away, moved or added, at any depth. */
function changed(body: unknown, { place, kind, value }: typeof MEMBER extends Arbitrary<infer T> ? T : never): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return kind === 'other' ? value : body;
  const members = Object.entries(body);
  if (kind === 'unknown') return { ...body, [`x${place % 3}`]: value };
  const chosen = members[place % Math.max(1, members.length)];
  if (!chosen) return body;
  const [name, before] = chosen;
  const rest = Object.fromEntries(members.filter((member) => member !== chosen));
  if (kind === 'gone') return rest;
  if (kind === 'last') return { ...rest, [name]: before };
  if (typeof before === 'object' && before !== null && place % 2 === 0) {
    return { ...body, [name]: changed(before, { place: Math.floor(place / 2), kind, value }) };
  }
  return { ...body, [name]: kind === 'other' ? value : typeof before === 'number' ? 2 * before : before };
}

const BODIES = operations.flatMap(({ id, input }) => {
  const schema = input.body;
  const examples = (EXAMPLES[id] ?? []).flatMap(({ body }) => (body === undefined ? [] : [sent(body)]));
  return schema === null ? [] : examples.map((body) => ({ id, schema, body }));
});

test('the body of every operation is accepted where its schema accepts it, and nowhere else', () => {
  expect(new Set(BODIES.map(({ id }) => id)).size).toBeGreaterThan(10);
  let acceptedCount = 0;
  holds(
    fc.property(fc.constantFrom(...BODIES), fc.array(MEMBER, { maxLength: 4 }), ({ schema, body }, changes) => {
      const value = sent(changes.reduce<unknown>(changed, body));
      const isAccepted = decides(schema, value);
      expect({ value, isAccepted }).toEqual({ value, isAccepted: schema.safeParse(value).success });
      acceptedCount += Number(isAccepted);
    }),
    2000,
  );
  expect(acceptedCount).toBeGreaterThan(500);
});
