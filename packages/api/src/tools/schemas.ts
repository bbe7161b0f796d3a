import { z } from 'zod';
import { groupsIn } from '../as-meant.ts';
import { isJsonObject } from '../json.ts';
import type { Operation } from '../operation.ts';
import { argumentFields, WEIGHTS } from '../read-input.ts';
import type { Visibility } from '../wire/answer.ts';
import { NOT_FOR_MODELS } from '../wire/answer.ts';
import { ARGUMENT_TEXTS } from './texts.ts';

/** A JSON Schema of an object. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

/** A part of a schema. */
type Json = Record<string, unknown>;

function isJson(value: unknown): value is Json {
  return isJsonObject(value);
}

/** Who reads a schema. */
export interface Reader extends Visibility {
  /** The key is bound to a firm, so there is none to choose. */
  readonly isBound: boolean;
}

/** The tools whose answer a firm narrows. */
const OF_A_FIRM = ['list_offers', 'rank_offers', 'recommend_offers', 'list_companies'];

/**
 * The schema of the arguments of a tool: path, query and body in one object, in which groups hold what belongs together.
 * Schemas and notes for callers who may not see commissions do not mention them (A-48). Written in what the dialects of all
 * models have; what it does not say is checked all the same.
 */
export function inputSchemaOf(row: Operation, reader: Reader): ObjectSchema {
  const whole = argumentsOf(row, reader);
  const hasFirm = !reader.isBound && OF_A_FIRM.includes(String(row.mcp));
  const shown = membersOf(whole).flatMap(([name, { enum: words, ...field }]) => {
    if (name === 'client_id' && !hasFirm) return [];
    const own = ARGUMENT_TEXTS[`${row.mcp}.${name}`];
    const said = own === undefined ? { ...field, enum: words } : field;
    return [[name, inAllDialects(said, own ?? ARGUMENT_TEXTS[name] ?? field.description)]];
  });
  return { ...inAllDialects({ ...whole, properties: {} }), type: 'object', properties: Object.fromEntries(shown) };
}

/** All that can be said of the arguments of a tool. */
export function argumentsOf({ input }: Operation, { seesCommissions }: Visibility): Json {
  const { path, query, body } = argumentFields(input);
  const fields = { ...path, ...query, ...body };
  const groups = groupsIn(fields);
  const own = Object.entries(fields).filter(
    ([name]) =>
      (seesCommissions || !Object.hasOwn(WEIGHTS, name)) &&
      !Object.values(groups).some(({ shape }) => Object.hasOwn(shape, name)),
  );
  const optional = Object.entries(groups).map(([name, group]) => [name, group.optional()]);
  return toSchema(z.strictObject(Object.fromEntries([...own, ...optional])), 'input');
}

/** The members of an object in a schema. */
function membersOf({ properties }: Json): readonly [name: string, field: Json][] {
  return isJson(properties)
    ? Object.entries(properties).filter((entry): entry is [string, Json] => isJson(entry[1]))
    : [];
}

/** The types and the words of a field. An argument speaks for what is inside it. */
function inAllDialects(field: Json, description?: unknown): Json {
  const { type = 'string', enum: words, items, required } = field;
  const properties = field.properties ?? namedMembers(field);
  const members = membersOf({ properties }).map(([name, inner]) => [name, inAllDialects(inner)]);
  return {
    type,
    ...(description !== undefined && { description }),
    ...(type === 'string' && words !== undefined && { enum: words }),
    ...(isJson(items) && { items: inAllDialects(items) }),
    ...(isJson(properties) && { properties: Object.fromEntries(members), additionalProperties: false }),
    ...(required !== undefined && { required }),
  };
}

/** A dialect takes no open object: one by names, as an index has, shows the members of its examples. */
function namedMembers({ additionalProperties, propertyNames }: Json): Json | null {
  const examples = isJson(propertyNames) ? propertyNames.examples : null;
  if (!Array.isArray(examples)) return null;
  return Object.fromEntries(examples.map((name) => [name, additionalProperties]));
}

/** What the arguments of a tool mean, by name; those inside another one behind its name and a point. */
export function argumentNotesOf(row: Operation, visibility: Visibility): [name: string, note: string][] {
  const notes = (schema: Json, before: string): [string, string][] =>
    membersOf(schema).flatMap(([name, field]) => [
      // The words of the document are of the whole period.
      [`${before}${name}`, before === 'perfil.energia.' ? 'kWh of the entry.' : noteOf(field)] as [string, string],
      ...notes(isJson(field.items) ? field.items : field, `${before}${name}.`),
    ]);
  return notes(argumentsOf(row, visibility), '').filter(([, note]) => note !== '');
}

/** The words of a field, and what it may hold. */
function noteOf({ description = '', enum: words, anyOf, minimum, maximum }: Json): string {
  const some = [words ?? anyOf ?? []].flat().flatMap((one) => (isJson(one) ? (one.enum ?? 'a number') : one));
  const oneOf = some.length > 0 ? ` One of ${some.join(', ')}.` : '';
  const isBounded = minimum !== undefined && Number(maximum) < Number.MAX_SAFE_INTEGER;
  return `${description}${oneOf}${isBounded ? ` ${minimum} to ${maximum}.` : ''}`.trim();
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
  const noted = membersOf(part).flatMap(([name, { description }]): [string, string][] =>
    typeof description === 'string' && !NOT_FOR_MODELS.has(name) ? [[name, description]] : [],
  );
  return [...noted, ...Object.values(part).flatMap(notesIn)];
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  return z.toJSONSchema(schema, { io });
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
