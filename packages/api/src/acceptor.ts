import { z } from 'zod';

/** In place of what a schema makes of a value: zod has to say. */
export const UNDECIDED = Symbol('undecided');

/**
 * What a schema makes of a value that `JSON.parse` made, where the schema accepts it, with less work than zod's. What is
 * refused, and much else, is left to zod: nobody else says what is wrong.
 *
 * @returns UNDECIDED, or what `schema.parse` returns.
 */
export type Acceptor = (value: unknown) => unknown;

/** Whether an acceptor of the schema has decided. */
export function isDecided<T extends z.ZodType>(_schema: T, made: unknown): made is z.output<T> {
  return made !== UNDECIDED;
}

/**
 * The acceptor of a schema. It reads records, numbers, words out of a list, booleans and whatever of these may be left
 * out or has a default; a field that is anything else is read by its own schema.
 */
export function acceptorOf(schema: z.ZodType): Acceptor {
  if (schema instanceof z.ZodOptional) return acceptorOf(typeOf(schema.unwrap()));
  if (schema instanceof z.ZodObject && isStrict(schema)) return recordAcceptor(schema);
  if (schema instanceof z.ZodNumber && isPlain(schema)) return numberAcceptor(schema);
  if (schema instanceof z.ZodEnum) return checked(schema, oneOf(schema.options));
  if (schema instanceof z.ZodBoolean) return checked(schema, oneOf([true, false]));
  return (value) => {
    const result = schema.safeParse(value);
    return result.success ? result.data : UNDECIDED;
  };
}

function typeOf(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new RangeError('schemas are those of zod, not of its core');
}

function isStrict({ def }: z.ZodObject): boolean {
  return def.catchall instanceof z.ZodNever;
}

/** A number of any kind, or a whole one: zod has others, such as those of 32 bits. */
function isPlain({ format }: z.ZodNumber): boolean {
  return format === null || format === 'safeint';
}

function numberAcceptor(schema: z.ZodNumber): Acceptor {
  const isInRange = schema.format === null ? Number.isFinite : Number.isSafeInteger;
  return checked(schema, (value) => (isInRange(value) ? value : UNDECIDED));
}

function oneOf(values: Iterable<unknown>): Acceptor {
  const known = new Set(values);
  return (value) => (known.has(value) ? value : UNDECIDED);
}

/** One for all checks, which follow each other: what they say of a value is looked at, and never kept. */
const said: z.core.ParsePayload = { value: undefined, issues: [] };

/** What a schema checks beyond the kind of a value. The checks are zod's own; some of them change the value. */
function checked({ def }: z.ZodType, accept: Acceptor): Acceptor {
  const checks = (def.checks ?? []).map(checkOf);
  if (checks.length === 0) return accept;
  return (value) => {
    const made = accept(value);
    if (made === UNDECIDED) return UNDECIDED;
    said.value = made;
    for (const { _zod } of checks) {
      if (_zod.def.when && !_zod.def.when(said)) continue;
      const later = _zod.check(said);
      if (later instanceof Promise || said.issues.length > 0) {
        said.issues = [];
        return UNDECIDED;
      }
    }
    return said.value;
  };
}

function isCheck(check: z.core.$ZodCheck): check is z.core.$ZodCheck<unknown> {
  return check instanceof z.core.$ZodCheck;
}

function checkOf(check: z.core.$ZodCheck): z.core.$ZodCheck<unknown> {
  if (isCheck(check)) return check;
  throw new RangeError('what a schema checks is a check of zod');
}

type Members = Record<string, unknown>;

function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Field {
  /** Where it stands among the fields of its schema. */
  readonly place: number;
  readonly accept: Acceptor;
  /** Where it is not sent zod has to say. */
  readonly isNeeded: boolean;
}

/** Whether nothing comes of a field that is not sent; where a default is within, something does. */
function mayBeAbsent(field: z.ZodType): boolean {
  return field instanceof z.ZodOptional && field._zod.optin === 'optional';
}

function recordAcceptor(schema: z.ZodObject): Acceptor {
  const fields = new Map<string, Field>();
  const defaults: { readonly name: string; readonly place: number; readonly def: z.ZodDefault['def'] }[] = [];
  for (const [place, [name, core]] of Object.entries(schema.shape).entries()) {
    const field = typeOf(core);
    const isDefault = field instanceof z.ZodDefault;
    if (isDefault) defaults.push({ name, place, def: field.def });
    const accept = acceptorOf(isDefault ? typeOf(field.unwrap()) : field);
    fields.set(name, { place, accept, isNeeded: !isDefault && !mayBeAbsent(field) });
  }
  const neededCount = [...fields.values()].filter(({ isNeeded }) => isNeeded).length;
  return checked(schema, (value) => {
    if (!isRecord(value)) return UNDECIDED;
    const made: Members = {};
    let missingCount = neededCount;
    let lastPlace = -1;
    let isInOrder = true;
    for (const name in value) {
      const field = fields.get(name);
      const member = field ? field.accept(value[name]) : UNDECIDED;
      if (!field || member === UNDECIDED) return UNDECIDED;
      made[name] = member;
      if (field.isNeeded) missingCount -= 1;
      isInOrder &&= field.place > lastPlace;
      lastPlace = field.place;
    }
    if (missingCount > 0) return UNDECIDED;
    for (const { name, place, def } of defaults) {
      if (Object.hasOwn(made, name)) continue;
      made[name] = def.defaultValue;
      isInOrder &&= place > lastPlace;
      lastPlace = place;
    }
    return isInOrder ? made : inOrder(made, fields.keys());
  });
}

/** As zod has it, however the members were sent. */
function inOrder(members: Members, names: Iterable<string>): Members {
  const ordered: Members = {};
  for (const name of names) if (Object.hasOwn(members, name)) ordered[name] = members[name];
  return ordered;
}
