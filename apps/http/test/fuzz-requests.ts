import { ANY_CHARACTER } from '@tarifario/core/testing';
import type { DocumentedParameter, Row } from '@tarifario/testkit/api/contract';
import {
  brokenValues,
  fittingValue,
  idTexts,
  NOUN_OF_FIELD,
  ODD_TEXTS,
  type Resolve,
} from '@tarifario/testkit/http/fuzz-values';
import type { AnySchemaObject } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { exampleForm, type FormDraft, formDrafts, randomForm } from './fuzz-forms.ts';

/** A request in terms of records that exist: see `fuzz-values.ts` for `@offers:0` and `@raw:`. */
export interface Draft {
  readonly params: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  /** Added to the query as it is. */
  readonly rawQuery?: string;
  readonly body?: unknown;
  /** In place of `body`. */
  readonly rawBody?: string;
  readonly contentType?: string;
  /** In place of all of these. */
  readonly form?: FormDraft;
}

/** Whose ids a parameter of a path is one of. */
function nounOf({ path }: Row, name = 'id'): string {
  const [, , noun = '', ofCatalog = ''] = path.split('/');
  if (name === 'company_id') return 'catalogCompanies';
  if (noun !== 'catalog') return noun;
  return ofCatalog === 'offers' ? 'catalogOffers' : 'catalogCompanies';
}

function isId(name: string): boolean {
  return name === 'id' || name === 'company_id';
}

function parametersOf({ operation }: Row, place: 'path' | 'query'): readonly DocumentedParameter[] {
  return (operation.parameters ?? []).filter((parameter) => parameter.in === place);
}

/** An example of the document with its ids, which count from 1, as references to the records that exist. */
function referring(row: Row, value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((entry) => referring(row, entry, name));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, referring(row, inner, key)]));
  }
  const isOfCatalog = name === 'company_id' && row.path.startsWith('/v1/catalog/');
  const noun = isOfCatalog ? 'catalogCompanies' : NOUN_OF_FIELD[name];
  return noun !== undefined && typeof value === 'number' ? `@${noun}:${value - 1}` : value;
}

function queryPairs(name: string, value: unknown): readonly (readonly [string, string])[] {
  return [value].flat().map((entry): [string, string] => [name, String(entry).replace(/^@raw:/, '')]);
}

function takesJson({ operation }: Row): boolean {
  return operation.requestBody?.content['application/json'] !== undefined;
}

/** What the document shows as the first example of an operation. */
export function exampleOf(row: Row): Draft {
  const { requestBody } = row.operation;
  const [shown] = Object.values(requestBody?.content['application/json']?.examples ?? {});
  const params = parametersOf(row, 'path').map(({ name, example }): [string, string] => [
    name,
    isId(name) && typeof example === 'number' ? `@${nounOf(row, name)}:${example - 1}` : String(example),
  ]);
  const query = parametersOf(row, 'query').filter(({ example }) => example !== undefined);
  const form = takesJson(row) ? null : exampleForm(row);
  return {
    params: Object.fromEntries(params),
    query: query.flatMap(({ name, example }) => queryPairs(name, referring(row, example, name))),
    ...(shown ? { body: referring(row, shown.value) } : {}),
    ...(form ? { form } : {}),
  };
}

/** Requests that differ from an example in one thing: a keyword broken, a bound, a field too many or too few. */
export function systematicDrafts(row: Row, resolve: Resolve): readonly Draft[] {
  const example = exampleOf(row);
  const content = row.operation.requestBody?.content['application/json'];
  return [
    example,
    ...pathDrafts(row, example),
    ...queryDrafts(row, { example, resolve }),
    ...(content ? bodyDrafts(content.schema, { example, resolve }) : []),
    ...formDrafts(row).map((form) => ({ params: example.params, query: example.query, form })),
  ];
}

function pathDrafts(row: Row, example: Draft): readonly Draft[] {
  return parametersOf(row, 'path').flatMap(({ name }) => {
    const noun = nounOf(row, name);
    const ids = [`@${noun}:1`, `@${noun}:foreign`, `@${noun}:missing`, '0', '1.0', '%zz', '9007199254740993', 'a/b'];
    // An empty text would be another path. All texts that are not ids are alike, so a few are enough.
    const odd = ODD_TEXTS.filter((text, index) => text.trim() !== '' && (!isId(name) || index % 4 === 0));
    const texts = [...ids, ...odd];
    return texts.map((text) => ({ ...example, params: { ...example.params, [name]: text } }));
  });
}

function queryDrafts(row: Row, parts: { readonly example: Draft; readonly resolve: Resolve }): readonly Draft[] {
  const { example, resolve } = parts;
  const parameters = parametersOf(row, 'query');
  const others = (name: string) => example.query.filter(([own]) => own !== name);
  const drafts = distinct(parameters).flatMap(({ name, schema }) =>
    brokenValues(schema, resolve).map((value) => ({
      ...example,
      query: [...others(name), ...queryPairs(name, typeof value === 'object' ? JSON.stringify(value) : value)],
    })),
  );
  const lists = parameters.flatMap(({ name, schema }) => {
    const { minItems = 0, maxItems = 0 } = resolve(schema);
    const lengths = maxItems > 0 ? [minItems - 1, minItems, maxItems, maxItems + 1] : [2];
    return lengths.map((length) => ({
      ...example,
      query: [...others(name), ...Array.from({ length }, (_, index): [string, string] => [name, `@offers:${index}`])],
    }));
  });
  const missing = parameters.map(({ name }) => ({ ...example, query: others(name) }));
  const raw = [
    'unknown=1',
    '__proto__=1',
    'constructor',
    'limit=%zz',
    '%00=%00',
    '&&==&',
    'client_id[]=1',
    'client_id=',
  ];
  return [...drafts, ...lists, ...missing, ...raw.map((rawQuery) => ({ ...example, rawQuery }))];
}

/** Of those with the same schema the first: what holds for e1 holds for e2. */
function distinct<T extends { readonly schema: AnySchemaObject }>(things: readonly T[]): readonly T[] {
  const key = ({ schema: { description: _, ...schema } }: T) => JSON.stringify(schema);
  return [...new Map(things.toReversed().map((thing) => [key(thing), thing])).values()].reverse();
}

const BROKEN_BODIES: readonly Pick<Draft, 'rawBody' | 'contentType'>[] = [
  { rawBody: '' },
  { rawBody: '{' },
  { rawBody: 'null' },
  { rawBody: '[]' },
  { rawBody: '"text"' },
  { rawBody: '\ufeff{}' },
  { rawBody: '{"a":NaN}' },
  { rawBody: '{"__proto__":{"polluted":true}}' },
  { rawBody: '{"constructor":{"prototype":{"polluted":true}}}' },
  { rawBody: '['.repeat(100_000) },
  { rawBody: `{"a":"${'x'.repeat(1_100_000)}"}` },
  { rawBody: `{"a":[${'{},'.repeat(330_000)}{}]}` },
  { rawBody: '{}', contentType: 'text/plain' },
  { rawBody: '{}', contentType: 'application/json; charset=utf-16' },
  { rawBody: 'a=1', contentType: 'application/x-www-form-urlencoded' },
];

function bodyDrafts(
  schema: AnySchemaObject,
  parts: { readonly example: Draft; readonly resolve: Resolve },
): readonly Draft[] {
  const { example } = parts;
  const { body, ...bare } = example;
  const changed = brokenObjects(schema, { ...parts, value: body, depth: 0 });
  return [
    ...changed.map((value) => ({ ...bare, body: value })),
    ...BROKEN_BODIES.map((broken) => ({ ...bare, ...broken })),
    // The last of two equal keys counts, as everywhere.
    { ...bare, rawBody: JSON.stringify(body).replace(/^\{("[^"]+":)/, '{$1null,$1') },
  ];
}

/** The object with one property changed, taken away or added, down to the objects and lists within it. */
function brokenObjects(
  reference: AnySchemaObject,
  at: { readonly value: unknown; readonly resolve: Resolve; readonly depth: number },
): readonly unknown[] {
  const { value, resolve, depth } = at;
  const schema = resolve(reference);
  const properties = Object.entries<AnySchemaObject>(schema.properties ?? {});
  if (properties.length === 0 || typeof value !== 'object' || value === null || depth > 3) return [];
  const named = distinct(properties.map(([name, inner]) => ({ name, schema: inner })));
  const changed = named.flatMap(({ name, schema: inner }) => {
    const old: unknown = Reflect.get(value, name);
    const within = insideOf(inner, { value: old, resolve, depth: depth + 1 });
    return [...brokenValues(inner, resolve), ...within].map((next) => ({ ...value, [name]: next }));
  });
  const without = Object.keys(value).map((name) => {
    const { [name]: _, ...rest } = Object(value);
    return rest;
  });
  const added = ['unknown', '__proto__', 'constructor', ''].map((name) =>
    Object.fromEntries([...Object.entries(value), [name, 1]]),
  );
  return [...changed, ...without, ...added];
}

function insideOf(
  reference: AnySchemaObject,
  at: { readonly value: unknown; readonly resolve: Resolve; readonly depth: number },
): readonly unknown[] {
  const schema = at.resolve(reference);
  const [first, ...rest]: readonly unknown[] = Array.isArray(at.value) ? at.value : [];
  if (!schema.items) return brokenObjects(schema, at);
  return brokenObjects(schema.items, { ...at, value: first }).map((next) => [next, ...rest]);
}

/** Requests at random: an example with some fields set anew, or everything at random. */
export function randomDraft(row: Row, resolve: Resolve): fc.Arbitrary<Draft> {
  const example = exampleOf(row);
  const schema = row.operation.requestBody?.content['application/json']?.schema;
  const params = Object.fromEntries(
    parametersOf(row, 'path').map(({ name, schema: own }) => [name, pathText(name, { row, own, resolve })]),
  );
  const query = parametersOf(row, 'query').map(({ name, schema: own, required }) =>
    fc
      .option(queryValue(own, { resolve, name }), { nil: undefined, freq: required ? 20 : 2 })
      .map((value) => (value === undefined ? [] : queryPairs(name, value))),
  );
  const anew = fc.record({ params: fc.record(params), query: fc.tuple(...query).map((pairs) => pairs.flat()) });
  const form = exampleForm(row);
  const withForm = form && fc.tuple(anew, randomForm(form)).map(([rest, own]): Draft => ({ ...rest, form: own }));
  if (!schema) return withForm ?? anew;
  const { properties = {} } = resolve(schema);
  const fields = Object.entries<AnySchemaObject>(properties).map(([name, own]): [string, fc.Arbitrary<unknown>] => [
    name,
    fittingValue(own, { resolve, name }),
  ]);
  const body = fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(
          fc.record(Object.fromEntries(fields), { requiredKeys: [] }),
          fc.subarray(
            fields.map(([name]) => name),
            { maxLength: Math.min(3, fields.length) },
          ),
        )
        .map(([values, names]) => ({
          ...Object(example.body),
          ...Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name))),
        })),
    },
    { weight: 2, arbitrary: fittingValue(schema, { resolve }) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3, stringUnit: ANY_CHARACTER }) },
  );
  const withBody = fc.tuple(anew, body).map(([rest, own]): Draft => ({ ...rest, body: own }));
  return withForm ? fc.oneof(withBody, withForm) : withBody;
}

function pathText(
  name: string,
  { row, own, resolve }: { readonly row: Row; readonly own: AnySchemaObject; readonly resolve: Resolve },
): fc.Arbitrary<string> {
  if (isId(name)) return idTexts(nounOf(row, name));
  return fc.oneof(
    fittingValue(own, { resolve }).map(String),
    fc.string({ unit: 'grapheme', minLength: 3, maxLength: 20 }),
  );
}

function queryValue(own: AnySchemaObject, place: { readonly resolve: Resolve; readonly name: string }) {
  return fc.oneof(
    { weight: 14, arbitrary: fittingValue(own, place) },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_TEXTS) },
    { weight: 1, arbitrary: fc.string({ unit: ANY_CHARACTER, maxLength: 30 }) },
  );
}
