/** A schema of an object. */
export interface ObjectSchema {
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

type Schemas = Readonly<Record<string, object>>;

function isObject(value: unknown): value is Schemas {
  return typeof value === 'object' && value !== null;
}

function isObjectSchema(value: unknown): value is ObjectSchema {
  return isObject(value) && isObject(value.properties);
}

/** The schema of an object with these members and no others. */
export function closed(properties: Schemas, required: readonly string[]): ObjectSchema & { readonly type: 'object' } {
  return { ...{ additionalProperties: false, type: 'object' }, properties, required };
}

/** The members of an object that are there in another one too, with the same schema and as necessary. */
export function common(one: ObjectSchema, other: ObjectSchema): ObjectSchema {
  const others = membersOf(other);
  return only(
    one,
    [...membersOf(one)].flatMap(([name, text]) => (others.get(name) === text ? [name] : [])),
  );
}

function only({ properties, required = [] }: ObjectSchema, names: readonly string[]): ObjectSchema {
  const members = names.map((name) => [name, properties[name]]);
  const isKept = (name: string) => names.includes(name);
  return closed(Object.fromEntries(members), required.filter(isKept));
}

/** By name, as a text that can be compared. */
function membersOf({ properties, required = [] }: ObjectSchema): ReadonlyMap<string, string> {
  const texts = Object.entries(properties).map(([name, schema]) => JSON.stringify([schema, required.includes(name)]));
  return new Map(Object.keys(properties).map((name, index) => [name, texts[index] ?? '']));
}

/** The object at a place: a schema, and members of it. Of a list it is what the entries are, of several the first. */
export function objectAt(schemas: Schemas, [name = '', ...path]: readonly string[]): ObjectSchema {
  const part = path.reduce<unknown>((part, member) => objectIn(part).properties[member], schemas[name]);
  return objectIn(part);
}

function objectIn(schema: unknown): ObjectSchema {
  if (isObjectSchema(schema)) return schema;
  const { items, anyOf } = Object(schema);
  if (items) return objectIn(items);
  if (Array.isArray(anyOf)) return objectIn(anyOf.find((option) => option.type !== 'null'));
  throw new RangeError('there is no object at this place');
}

/** Schemas with their parts: where an object has all members of a part, it refers to that, and to the largest first. */
export function withSharedParts(schemas: Schemas, parts: Readonly<Record<string, ObjectSchema>>): Schemas {
  const bySize = Object.entries(parts)
    .map(([name, part]) => ({ name, members: membersOf(part) }))
    .sort((a, b) => b.members.size - a.members.size);
  const refer = (schema: ObjectSchema, self: string | null): object => {
    const remaining = new Map(membersOf(schema));
    const refs = bySize.flatMap(({ name, members }) => {
      if (name === self || ![...members].every(([member, text]) => remaining.get(member) === text)) return [];
      for (const member of members.keys()) remaining.delete(member);
      return [{ $ref: `#/components/schemas/${name}` }];
    });
    const rest = only(schema, [...remaining.keys()]);
    const own = { ...rest, properties: inside(rest.properties) };
    const { properties: _properties, required: _required, ...others } = schema;
    if (refs.length === 0) return { ...others, ...own };
    const { type: _type, additionalProperties: _closed, ...notes } = Object(others);
    const all = remaining.size === 0 ? refs : [...refs, own];
    return all.length === 1 ? { ...notes, ...all[0] } : { ...notes, allOf: all };
  };
  const inside = (value: unknown): Schemas =>
    Object(
      Array.isArray(value)
        ? value.map(shared)
        : Object.fromEntries(Object.entries(Object(value)).map(([name, inner]) => [name, shared(inner)])),
    );
  const shared = (value: unknown): unknown => {
    if (!isObject(value)) return value;
    return isObjectSchema(value) ? refer(value, null) : inside(value);
  };
  const named = Object.entries({ ...schemas, ...parts }).map(([name, schema]) => [
    name,
    isObjectSchema(schema) ? refer(schema, name) : shared(schema),
  ]);
  return Object.fromEntries(named);
}
