import type { AnySchemaObject } from 'ajv/dist/2020.js';
import fc from 'fast-check';

/**
 * Values for a schema: some that fit, some that break one keyword of it. Where a value must be written in a way that
 * JSON.stringify would not, it is text that begins with `@raw:`; the id of a record that exists is text such as
 * `@offers:0`, the first offer of the account.
 */

export type Resolve = (schema: AnySchemaObject) => AnySchemaObject;

/** Texts that have broken programs before. */
export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '  outer space  ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202eabc',
  '\ufeffabc',
  'a\u200bb',
  'a\nb',
  '\u{1f4a1}\u{e0041}',
  'n\u0303',
  "' OR 1=1 --",
  '%',
  '_',
  '\\',
  '"',
  '=1+1',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  'true',
  'TRUE',
  '1e3',
  '0x10',
  '1,5',
  '+1',
  '01',
  '-0',
  '9'.repeat(40),
  '2025-02-30',
  '2025-13',
  '0000-00-00',
  '+275760-09-13',
  '2026-01-31T24:00:00Z',
  'https://user:secret@example.com/x.png',
  'javascript:alert(1)',
  'x'.repeat(200),
  'x'.repeat(201),
  '\u00e9'.repeat(2100),
];

/** Numbers as they stand in JSON. */
export const ODD_NUMBERS: readonly unknown[] = [
  0,
  1,
  -1,
  1.5,
  0.1,
  -0.000001,
  '@raw:-0',
  '@raw:1e999',
  '@raw:-1e999',
  '@raw:1e-999',
  '@raw:5e-324',
  '@raw:1.7976931348623157e308',
  '@raw:9007199254740993',
  `@raw:${'9'.repeat(40)}`,
  '@raw:1E+2',
  2_147_483_648,
  Number.MAX_SAFE_INTEGER,
];

const OTHER_TYPES: readonly unknown[] = [null, true, 'abc', 7, [], {}, [[]], { e1: 1 }];

function typesOf(schema: AnySchemaObject): readonly string[] {
  return [schema.type ?? (schema.properties ? 'object' : 'string')].flat();
}

/** Values that break one keyword of a schema each, or sit on its bounds. */
export function brokenValues(reference: AnySchemaObject, resolve: Resolve): readonly unknown[] {
  const schema = resolve(reference);
  const branches: readonly AnySchemaObject[] = schema.anyOf ?? schema.oneOf ?? [];
  if (branches.length > 0) return branches.flatMap((branch) => brokenValues(branch, resolve));
  const types = typesOf(schema);
  return [
    ...OTHER_TYPES,
    ...(types.includes('number') || types.includes('integer') ? [...ODD_NUMBERS, ...aroundBounds(schema)] : []),
    ...(types.includes('string') ? brokenTexts(schema) : []),
    ...(types.includes('array') ? brokenLists(schema, resolve) : []),
  ];
}

function aroundBounds({ minimum, maximum }: AnySchemaObject): readonly unknown[] {
  const bounds = [minimum, maximum].filter((bound) => typeof bound === 'number');
  return bounds.flatMap((bound) => [bound - 1, bound - 1e-9, bound, bound + 1e-9, bound + 1]);
}

function brokenTexts({ enum: values, minLength, maxLength }: AnySchemaObject): readonly unknown[] {
  if (Array.isArray(values)) {
    return [
      ...values,
      ...values.slice(0, 2).flatMap((value) => [`${value} `, `${value}`.toLowerCase()]),
      '',
      '__proto__',
    ];
  }
  const lengths = [minLength, maxLength].filter((length) => typeof length === 'number');
  return [
    ...ODD_TEXTS,
    ...lengths.flatMap((length) => [length - 1, length, length + 1].map((count) => 'ñ'.repeat(Math.max(0, count)))),
  ];
}

function brokenLists({ items, minItems = 0, maxItems = 50 }: AnySchemaObject, resolve: Resolve): readonly unknown[] {
  const [one] = fc.sample(fittingValue(items, { resolve }), { numRuns: 1, seed: 1 });
  const lengths = [minItems - 1, minItems, maxItems, maxItems + 1].filter((length) => length >= 0);
  return [...lengths.map((length) => Array.from({ length }, () => one)), [one, one], [one, null], [[one]], { 0: one }];
}

/** What an id in a field of this name refers to. */
export const NOUN_OF_FIELD: Readonly<Record<string, string>> = {
  client_id: 'clients',
  company_id: 'companies',
  offer_id: 'offers',
  offer_ids: 'offers',
  ids: 'offers',
};

/** Text for the id that a field of this name refers to, where there is such a record. */
export function idTexts(noun: string): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.nat(3).map((index) => `@${noun}:${index}`) },
    { weight: 1, arbitrary: fc.constantFrom(`@${noun}:foreign`, `@${noun}:missing`) },
  );
}

interface Place {
  readonly resolve: Resolve;
  /** The name of the property, which says what an id refers to. */
  readonly name?: string;
}

/** Values that a schema allows, most of them plausible. */
export function fittingValue(reference: AnySchemaObject, place: Place): fc.Arbitrary<unknown> {
  const { resolve, name = '' } = place;
  const schema = resolve(reference);
  const branches: readonly AnySchemaObject[] = schema.anyOf ?? schema.oneOf ?? [];
  if (branches.length > 0 && !schema.type) return fc.oneof(...branches.map((branch) => fittingValue(branch, place)));
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  return fc.oneof(...typesOf(schema).map((type) => ofType(type, schema, { resolve, name })));
}

function ofType(type: string, schema: AnySchemaObject, place: Required<Place>): fc.Arbitrary<unknown> {
  const { minimum = -1e6, maximum = 1e6, items, minItems = 0, maxItems = 4, uniqueItems } = schema;
  const { properties = {}, required } = schema;
  const noun = NOUN_OF_FIELD[place.name];
  switch (type) {
    case 'integer':
      return noun === undefined ? fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31 - 1) }) : idTexts(noun);
    case 'number':
      return fc.oneof(
        // Most people write such numbers.
        { weight: 3, arbitrary: fc.nat(30_000).map((n) => Math.max(minimum, Math.min(maximum, n / 1000))) },
        fc.double({ min: Math.max(0, minimum), max: Math.min(1, maximum), noNaN: true }),
        fc.double({ min: minimum, max: maximum, noNaN: true }),
      );
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return listOf(fittingValue(items, place), { isUnique: Boolean(uniqueItems), minItems, maxItems });
    case 'object': {
      const entries = Object.entries<AnySchemaObject>(properties);
      const inner = entries.map(([name, value]): [string, fc.Arbitrary<unknown>] => [
        name,
        fittingValue(value, { ...place, name }),
      ]);
      return fc.record(Object.fromEntries(inner), { requiredKeys: required ?? [] });
    }
    default:
      return fittingText(schema);
  }
}

function listOf(
  entry: fc.Arbitrary<unknown>,
  list: { readonly isUnique: boolean; readonly minItems: number; readonly maxItems: number },
): fc.Arbitrary<unknown> {
  const { isUnique, minItems, maxItems } = list;
  const lengths = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 4) };
  return isUnique ? fc.uniqueArray(entry, lengths) : fc.array(entry, lengths);
}

function fittingText({ format, pattern, minLength = 1, maxLength = 40, anyOf }: AnySchemaObject): fc.Arbitrary<string> {
  const instants = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
  if (format === 'date-time' || anyOf) return instants.map((instant) => instant.toISOString());
  if (pattern !== undefined) return instants.map((instant) => instant.toISOString().slice(0, 7));
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 60) });
}
