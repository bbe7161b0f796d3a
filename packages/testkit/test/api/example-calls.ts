import { operations } from '@tarifario/api';
import type { MakeFile } from './workbooks.ts';
import type { CallInput } from './world.ts';

/** Ids by noun, in the order in which the records of the examples were made (`example-world.ts`). */
export type IdsByNoun = Readonly<Record<keyof typeof EXAMPLE_IDS, readonly number[]>>;

const EXAMPLE_IDS = {
  clients: [1, 2],
  companies: [1, 2],
  offers: [1, 2, 3, 4],
  proposals: [1],
  uploads: [1, 2, 3],
  webhooks: [1],
  keys: [2],
  catalogCompanies: [3],
  catalogOffers: [5, 6],
};

/** For every operation the first example of the document, about these records in place of those of the examples. */
export function exampleCalls(ids: IdsByNoun, makeFile: MakeFile): Readonly<Record<string, CallInput>> {
  const calls = operations.map(({ id, path, examples }): [string, CallInput] => {
    const { params = {}, query, body, form } = examples[0] ?? {};
    const replaced = (value: unknown) => withIds(value, { ids, path, name: '' });
    const texts = Object.entries(params).map(([name, value]) => [name, String(withIds(value, { ids, path, name }))]);
    return [
      id,
      {
        ...(texts.length > 0 && { params: Object.fromEntries(texts) }),
        ...(query && { query: asTexts(replaced(query)) }),
        ...(body !== undefined && { body: replaced(body) }),
        ...(form && { form: { ...form, bytes: makeFile(form.sheets) } }),
      },
    ];
  });
  return Object.fromEntries(calls);
}

interface Place {
  readonly ids: IdsByNoun;
  readonly path: string;
  /** The name of the field or parameter, which says what an id is of. */
  readonly name: string;
}

function withIds(value: unknown, place: Place): unknown {
  if (Array.isArray(value)) return value.map((entry) => withIds(entry, place));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withIds(inner, { ...place, name })]));
  }
  const noun = nounOf(place);
  const index = noun === null ? -1 : EXAMPLE_IDS[noun].findIndex((id) => Object.is(id, value));
  return noun === null || index < 0 ? value : (place.ids[noun][index] ?? value);
}

/** Whose id a field or parameter of an operation is; `null`: it is none. */
function nounOf({ path, name }: Place): keyof IdsByNoun | null {
  const isOfCatalog = path.startsWith('/v1/catalog/');
  if (name === 'client_id') return 'clients';
  if (name === 'company_id') return /catalog/.test(path) ? 'catalogCompanies' : 'companies';
  if (name === 'ids' || name === 'offer_ids') return 'offers';
  if (name !== 'id') return null;
  if (isOfCatalog) return path.startsWith('/v1/catalog/offers') ? 'catalogOffers' : 'catalogCompanies';
  const noun = path.split('/')[2] ?? '';
  return isNoun(noun) ? noun : null;
}

function isNoun(name: string): name is keyof IdsByNoun {
  return Object.hasOwn(EXAMPLE_IDS, name);
}

function asTexts(query: unknown): Record<string, string | readonly string[]> {
  const entries = Object.entries(Object(query)).map(([name, value]): [string, string | readonly string[]] => [
    name,
    Array.isArray(value) ? value.map(String) : String(value),
  ]);
  return Object.fromEntries(entries);
}
