import { z } from 'zod';
import { isJsonObject } from '../json.ts';
import type { Operation } from '../operation.ts';
import { argumentFields, WEIGHTS } from '../read-input.ts';
import type { Visibility } from '../wire/answer.ts';
import { NOT_FOR_MODELS } from '../wire/answer.ts';

/** A JSON Schema of an object. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

/** A part of a schema that is being completed. */
type Json = Record<string, unknown>;

function isJson(value: unknown): value is Json {
  return isJsonObject(value);
}

/**
 * The schema of the arguments of a tool: path, query and body in one flat object. Schemas and notes for callers who may not
 * see commissions do not mention them. Written in what the dialects of all models have; what it does not say is
 * checked all the same.
 */
export function inputSchemaOf({ input }: Operation, { seesCommissions }: Visibility): ObjectSchema {
  const { path, query, body } = argumentFields(input);
  const fields = { ...path, ...query, ...body };
  const schema: ObjectSchema & Json = { ...toSchema(z.strictObject(fields), 'input'), type: 'object' };
  toDialect(schema);
  if (!seesCommissions) withoutWeights(schema);
  shortenPeriods(schema);
  return schema;
}

/** No model's dialect knows these, or one refuses them. The instructions and the descriptions say what they said. */
const IN_NO_DIALECT = ['format', 'uniqueItems', 'maxLength', 'default'];

/** Says with a type and words what some dialects cannot: a date, one of some numbers, a word or a number. */
function toDialect(part: unknown): void {
  if (!isJson(part)) return;
  if (part.format === 'date') part.pattern = '^\\d{4}-\\d{2}-\\d{2}$';
  for (const keyword of IN_NO_DIALECT) delete part[keyword];
  const { enum: values, anyOf: options } = part;
  if (part.type === 'number' && Array.isArray(values)) {
    Object.assign(part, { type: 'integer', minimum: Math.min(...values), maximum: Math.max(...values) });
    delete part.enum;
  }
  if (Array.isArray(options)) {
    const words = options.flatMap(({ enum: some = [] }) => some).join(', ');
    Object.assign(part, { type: 'string', description: `${part.description} One of ${words}, or a number.` });
    delete part.anyOf;
  }
  const inner = isJson(part.properties) ? Object.values(part.properties) : [];
  for (const each of [...inner, part.items]) toDialect(each);
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
  return notesIn(schema);
}

function notesIn(part: unknown): [name: string, note: string][] {
  if (Array.isArray(part)) return part.flatMap(notesIn);
  if (!isJson(part)) return [];
  const own = isJson(part.properties) ? Object.entries(part.properties) : [];
  const noted = own.flatMap(([name, field]): [string, string][] =>
    isJson(field) && typeof field.description === 'string' && !NOT_FOR_MODELS.has(name)
      ? [[name, field.description]]
      : [],
  );
  return [...noted, ...Object.values(part).flatMap(notesIn)];
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      // A whole number is bounded by the integers of a double, which would only cost tokens.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return made;
}

/**
 * Leaves out members about commissions, at any depth, and takes the words for callers who may not see them where a
 * member has such words.
 */
function mask(part: unknown): void {
  if (Array.isArray(part)) for (const entry of part) mask(entry);
  if (!isJson(part)) return;
  if (isJson(part.properties)) {
    for (const [name, field] of Object.entries(part.properties)) {
      if (!isJson(field) || field.masked === undefined) continue;
      if (field.masked === null) delete part.properties[name];
      else field.description = field.masked;
    }
  }
  for (const inner of Object.values(part)) mask(inner);
}
