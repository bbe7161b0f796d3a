import { fieldPartsOf, fieldsOf } from '@tarifario/core/service';
import { z } from 'zod';
import { addNotes, isJson, type Json } from '../openapi/field-notes.ts';
import type { Operation } from '../operation.ts';
import { argumentFields, TOOL_LIMIT, WEIGHTS } from '../read-input.ts';

/** A JSON Schema of an object. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

/** The readers of the texts: texts for callers who may not see commissions do not mention them. */
export interface Visibility {
  readonly seesCommissions: boolean;
}

/** The fields that are not shown to callers who may not see commissions. */
const COMMISSION_FIELDS: ReadonlySet<string> = new Set([
  ...fieldsOf('commissions')
    .flatMap(fieldPartsOf)
    .map(({ wire }) => wire),
  'mas_comision_id',
  'comision_min',
  'comision_max',
  'umbrales',
  'nota_comision',
  'en_frontera',
  'conflicto',
  'coste_extra',
  'comision_extra',
  'comision_eur_mwh',
]);

/** Replacements of notes about commissions, for callers who may not see them. */
const BLIND_NOTES: Readonly<Record<string, string>> = {
  w: 'Always 1.',
  nota: 'The score, 0 to 10: 10 is the cheapest offer.',
  escala: 'The extremes that the scores are relative to.',
  mas_barata_id: 'The cheapest offer.',
  mas_eficiente_id: 'The first offer.',
};

/** The schema of the arguments of a tool: path, query and body in one flat object. */
export function inputSchemaOf({ input }: Operation, { seesCommissions }: Visibility): ObjectSchema {
  const { path, query, body } = argumentFields(input);
  const fields = { ...path, ...query, ...body };
  const schema: ObjectSchema & Json = { ...toSchema(z.strictObject(fields), 'input'), type: 'object' };
  const { limit } = isJson(schema.properties) ? schema.properties : {};
  if (isJson(limit)) limit.default = TOOL_LIMIT;
  if (!seesCommissions) withoutWeights(schema);
  addNotes(schema);
  shortenPeriods(schema);
  return schema;
}

/** The note and the bounds of the first period hold for the others. */
function shortenPeriods(part: unknown): void {
  if (!isJson(part)) return;
  const { properties } = part;
  if (isJson(properties)) {
    for (const [name, field] of Object.entries(properties))
      if (/^[ep][2-6]$/.test(name) && isJson(field)) properties[name] = { type: field.type };
  }
  for (const inner of Object.values(part)) shortenPeriods(inner);
}

/** Removes the arguments that weigh commissions. */
function withoutWeights({ properties }: Json): void {
  if (isJson(properties)) for (const name of Object.keys(WEIGHTS)) delete properties[name];
}

/**
 * The meaning of the fields of an answer, by name. Fields about commissions are absent for callers who may not see
 * them.
 */
export function outputNotesOf(
  { id, output }: Operation,
  { seesCommissions }: Visibility,
): [name: string, note: string][] {
  if (output === null) throw new RangeError(`${id} answers nothing that a tool could`);
  const schema = toSchema(output, 'output');
  if (!seesCommissions) mask(schema);
  // The notes of a named schema come before the general ones, because existing notes are not replaced.
  for (const [name, part] of namedParts(id, schema)) addNotes(part, name);
  addNotes(schema);
  return notesIn(schema);
}

function notesIn(part: unknown): [name: string, note: string][] {
  if (Array.isArray(part)) return part.flatMap(notesIn);
  if (!isJson(part)) return [];
  const own = isJson(part.properties) ? Object.entries(part.properties) : [];
  const noted = own.flatMap(([name, field]): [string, string][] =>
    isJson(field) && typeof field.description === 'string' ? [[name, field.description]] : [],
  );
  return [...noted, ...Object.values(part).flatMap(notesIn)];
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      // A whole number is bounded by the integers of a double, and a format needs no pattern: both would only cost
      // tokens.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
  oneTypeEach(made);
  return made;
}

/** Splits "number or null" into two options, because not every client accepts a list of types. */
function oneTypeEach(part: unknown): void {
  if (Array.isArray(part)) for (const entry of part) oneTypeEach(entry);
  if (!isJson(part)) return;
  for (const inner of Object.values(part)) oneTypeEach(inner);
  const { type: types } = part;
  if (!Array.isArray(types)) return;
  const { type: _types, description: _words, masked: _masked, ...others } = part;
  for (const keyword of ['type', ...Object.keys(others)]) delete part[keyword];
  part.anyOf = types.map((type) => (type === 'null' ? { type } : { type, ...others }));
}

/** Parts that have a name of their own in the notes. */
function namedParts(id: string, schema: Json): [name: string, part: unknown][] {
  const entry = at(schema, 'properties', 'results', 'items');
  if (id === 'rankOffers') {
    return [
      ['RankingResult', entry],
      ['Ranking', schema],
    ];
  }
  if (id === 'getCompany') return [['Company', schema]];
  return id.endsWith('Companies') ? [['Company', entry]] : [];
}

function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((part, name) => (isJson(part) ? part[name] : undefined), value);
}

/** Removes every field about commissions, at any depth. */
function mask(part: unknown): void {
  if (Array.isArray(part)) for (const entry of part) mask(entry);
  if (!isJson(part)) return;
  if (isJson(part.properties)) {
    for (const [name, field] of Object.entries(part.properties)) {
      if (COMMISSION_FIELDS.has(name)) delete part.properties[name];
      else if (isJson(field) && BLIND_NOTES[name] !== undefined) field.description = BLIND_NOTES[name];
    }
  }
  for (const inner of Object.values(part)) mask(inner);
}
