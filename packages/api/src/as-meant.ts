import { z } from 'zod';
import { isJsonObject, type JsonMembers } from './json.ts';

/** The fields of an object as clients of tools write them: null is a field that is not set. */
export function asMeant(shape: z.ZodRawShape, sent: JsonMembers): JsonMembers {
  return Object.fromEntries(
    Object.entries(sent)
      .filter(([name, value]) => value !== null || !Object.hasOwn(shape, name))
      .map(([name, value]) => [name, Object.hasOwn(shape, name) ? valueMeant(shape[name], value) : value]),
  );
}

/** Arguments that hold what belongs together: a model reads the list of tools in every conversation. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  condiciones: ['permanencia_max', 'precio_fijo_min', 'energia_verde', 'placas_solares', 'ssaa_included'],
  razones: ['explicar', 'frente_a', 'umbrales_consumo', 'retrospectiva', 'margen'],
};

/** The groups that some of these fields make. */
export function groupsIn(fields: z.ZodRawShape): Readonly<Record<string, z.ZodObject>> {
  const groups = Object.entries(GROUPS).map(([group, names]) => {
    const own = Object.entries(fields).filter(([name]) => names.includes(name));
    return [group, z.strictObject(Object.fromEntries(own))] as const;
  });
  return Object.fromEntries(groups.filter(([, { shape }]) => Object.keys(shape).length > 1));
}

/** A value as clients of tools write it: where something else than a text is expected, a text is its JSON. */
function valueMeant(schema: unknown, sent: unknown): unknown {
  const inner = innermost(schema);
  if (inner instanceof z.ZodPipe) return valueMeant(inner.in, sent);
  const value = typeof sent === 'string' ? fromText(typesOf(inner), sent) : sent;
  if (inner instanceof z.ZodArray && Array.isArray(value)) return value.map((each) => valueMeant(inner.element, each));
  return inner instanceof z.ZodObject && isJsonObject(value) ? asMeant(inner.shape, value) : value;
}

/** What a text says in JSON, if that is of one of these types; else the text. */
function fromText(types: readonly string[], text: string): unknown {
  try {
    const said: unknown = JSON.parse(text);
    return types.includes(typeOf(said)) ? said : text;
  } catch {
    return text;
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The types of the values of JSON that a schema takes, except texts. */
function typesOf(schema: unknown): readonly string[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(typesOf);
  const types = schema instanceof z.ZodLiteral ? [...schema.values].map(typeOf) : [];
  return schema instanceof z.ZodType ? [...types, schema.def.type].filter((type) => type !== 'string') : [];
}

/** A schema without what says that its value may be left out. */
export function innermost(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return innermost(schema.unwrap());
  }
  return schema;
}
