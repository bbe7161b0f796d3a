import { DomainError, type Issue, type Message, say } from '@tarifario/core/service';
import { z } from 'zod';
import { asMeant, groupsIn, innermost } from './as-meant.ts';
import { isJsonObject } from './json.ts';
import { fromSchema, inSchema } from './messages/in-schema.ts';
import { bodySchemaFor, isSentForm } from './sent-form.ts';

/** Query parameters; a `URLSearchParams` is one. */
export type QueryParams = Iterable<[string, string]>;

/** Path, query and body in one flat object of JSON values, as a tool is called. */
export type JsonArguments = Readonly<Record<string, unknown>>;

/** A request as received by a transport. */
export interface RawInput {
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryParams;
  /** Parsed JSON or a `SentForm`; `undefined` when the operation takes no body. */
  readonly body: unknown;
}

/** The input of an operation; `body: null`: it takes none. */
export interface InputSchemas {
  readonly path: z.ZodObject;
  readonly query: z.ZodObject;
  readonly body: z.ZodType | null;
}

export interface BodyCaps {
  readonly bytes: number;
  /** Entries of lists and members of objects, at any depth. */
  readonly values: number;
}

/**
 * The limit on the values of most bodies. The largest that makes sense, a change of 500 offers with all their tiers,
 * has about 1 100 values. A schema spends time and memory on each.
 */
export const BODY_CAPS: BodyCaps = { bytes: 1024 * 1024, values: 5000 };

/** The most issues that are reported. The others get no message. */
const MAX_ISSUES = 100;

export interface ParsedInput {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

const NO_BODY = z.undefined();

/** Reads the input of an operation. Both throw DomainError `invalid_request` with every finding, in wire names. */
interface InputReader {
  /** @see docs/assumptions.md, A-28 */
  fromRequest(raw: RawInput): ParsedInput;
  /**
   * Flat arguments are read as clients write them and then checked as strictly as a request: an argument that the
   * operation does not have is refused. Callers who may not see commissions do not have the arguments that weigh them.
   *
   * @see docs/assumptions.md, A-47 and A-48
   */
  fromArguments(args: JsonArguments, visibility: { readonly seesCommissions: boolean }): ParsedInput;
}

/** @param toolQuery - The query of a tool, by who calls it. */
export function inputReader(
  schemas: InputSchemas,
  caps: BodyCaps,
  toolQuery: (seesCommissions: boolean) => z.ZodObject = () => schemas.query,
): InputReader {
  const { path, query } = schemas;
  const body = schemas.body ?? NO_BODY;
  const ofJson = bodySchemaFor(body, 'json') ?? body;
  // Most requests have no parameters, so the parsed result for none is computed once. It is never modified.
  const none = { path: path.safeParse(NO_VALUES, OWN_WORDS), query: query.safeParse(NO_VALUES, OWN_WORDS) };
  const check = (
    sent: ParsedInput,
    { bodySchema, ofTool, more = [] }: { bodySchema: z.ZodType; ofTool?: z.ZodObject; more?: readonly Issue[] },
  ): ParsedInput => {
    const words = ofTool ? TOOL_WORDS : OWN_WORDS;
    const read = {
      path: sent.path === NO_VALUES ? none.path : path.safeParse(sent.path, words),
      query: sent.query === NO_VALUES ? none.query : (ofTool ?? query).safeParse(sent.query, words),
      body: body.safeParse(sent.body),
    };
    if (read.path.success && read.query.success && read.body.success && more.length === 0) {
      return { path: read.path.data, query: read.query.data, body: read.body.data };
    }
    const unknown = (part: 'path' | 'query') => (ofTool ? 'unknown field' : (`unknown ${part} parameter` as const));
    throw malformed([
      ...issuesOf(read.path, unknown('path')),
      ...issuesOf(read.query, unknown('query')),
      // The schema for the way in which the body was sent.
      ...(read.body.success ? [] : issuesIn(bodySchema, sent.body, words)),
      ...more,
    ]);
  };
  return {
    fromRequest(raw) {
      const { body: sent, schema } = bodyToRead({ schema: body, ofJson }, raw.body, caps.values);
      const values = { path: pathToValues(path, raw.params), query: queryToValues(query, raw.query), body: sent };
      return check(values, { bodySchema: schema });
    },
    fromArguments(args, { seesCommissions }) {
      refuseTooManyValues(args);
      const fields = argumentFields(schemas);
      const { flat, issues } = ungrouped({ ...fields.path, ...fields.query, ...fields.body }, args);
      const isHidden = (name: string) =>
        !seesCommissions && Object.hasOwn(WEIGHTS, name) && flat[name] !== WEIGHTS[name];
      const among = (shape: z.ZodRawShape) => ({
        ...('limit' in shape ? { limit: TOOL_LIMIT } : {}),
        ...asMeant(
          shape,
          Object.fromEntries(Object.entries(flat).filter(([name]) => Object.hasOwn(shape, name) && !isHidden(name))),
        ),
      });
      const isKnown = (name: string) => Object.values(fields).some((shape) => Object.hasOwn(shape, name));
      const unknown = Object.keys(flat).filter((name) => isHidden(name) || !isKnown(name));
      const more = [...unknown.map((name) => ({ path: name, message: 'unknown argument' as const })), ...issues];
      // For a body that may also be a file a tool sends the other form.
      const sent = ofJson instanceof z.ZodObject ? among(fields.body) : undefined;
      const values = { path: among(fields.path), query: among(fields.query), body: sent };
      // A text may have held many.
      refuseTooManyValues({ ...values.path, ...values.query, ...values.body });
      return check(values, { bodySchema: ofJson, ofTool: toolQuery(seesCommissions), more });
    },
  };
}

/**
 * Fields that tools do not take: a model that talks to customers has no use for deactivated records, and pages by
 * offset, in order of id.
 */
const NOT_ARGUMENTS: readonly string[] = ['include_inactive', 'after_id', 'sort', 'after'];
/** The same of bodies: it reads rankings from their beginning, and the list of tools is long as it is. */
const NOT_IN_BODY: readonly string[] = ['q'];
/** The arguments that weigh commissions, with the values at which a caller who may not see any ranks anyway. */
export const WEIGHTS: Readonly<Record<string, number>> = { w: 1, tolerancia: 0 };
/** How many results a tool answers unless asked for more: a model reads and pays for each. */
const TOOL_LIMIT = 10;

/** The fields of an operation that are arguments of its tool. One that path, query or body share is one argument. */
export function argumentFields(input: InputSchemas) {
  const asJson = input.body && bodySchemaFor(input.body, 'json');
  const sent = Object.entries(asJson instanceof z.ZodObject ? asJson.shape : {});
  const body: z.ZodRawShape = Object.fromEntries(sent.filter(([name]) => !NOT_IN_BODY.includes(name)));
  const query = Object.entries(input.query.shape).filter(
    ([name]) => !NOT_ARGUMENTS.includes(name) && !Object.hasOwn(body, name),
  );
  return { path: input.path.shape, query: Object.fromEntries(query), body };
}

/** Arguments with what groups hold in its place, where lists of tools that a client has kept still have it. */
function ungrouped(fields: z.ZodRawShape, args: JsonArguments) {
  const groups = z.strictObject(groupsIn(fields)).partial();
  const isGroup = ([name]: readonly [string, unknown]) => Object.hasOwn(groups.shape, name);
  const sent = asMeant(groups.shape, Object.fromEntries(Object.entries(args).filter(isGroup)));
  const members = Object.values(sent).flatMap((group) => (isJsonObject(group) ? Object.entries(group) : []));
  const isSet = (name: string) => Object.hasOwn(args, name) && args[name] !== null;
  const twice = Object.entries(sent).flatMap(([field, group]) =>
    Object.keys(isJsonObject(group) ? group : {})
      .filter(isSet)
      .map((path) => ({ path, message: say('must not be sent together with {field}', { field }) })),
  );
  const issues = [...issuesIn(groups, sent, TOOL_WORDS), ...twice];
  const rest = Object.entries(args).filter((entry) => !isGroup(entry));
  return { flat: Object.fromEntries(issues.length > 0 ? rest : [...rest, ...members]), issues };
}

/** The values of a body, and the schema for the way in which it was sent. */
function bodyToRead(
  { schema, ofJson }: { readonly schema: z.ZodType; readonly ofJson: z.ZodType },
  body: unknown,
  maxValues: number,
): { readonly body: unknown; readonly schema: z.ZodType } {
  if (isSentForm(body)) {
    const ofForm = bodySchemaFor(schema, 'multipart');
    const texts = ofForm instanceof z.ZodObject ? queryToValues(ofForm, body.fields) : {};
    return { body: { ...texts, file: body.file }, schema: ofForm ?? schema };
  }
  refuseTooManyValues(body, maxValues);
  return { body, schema: ofJson };
}

/** What is wrong with a JSON value or a form, according to a schema. */
function issuesIn(schema: z.ZodType, input: unknown, words = OWN_WORDS): readonly Issue[] {
  return issuesOf(schema.safeParse(input, words), 'unknown field');
}

/**
 * A JSON value checked against a schema.
 *
 * @throws DomainError `invalid_request` with every finding.
 */
export function readJson<T extends z.ZodType>(schema: T, json: unknown): z.output<T> {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  throw malformed(issuesIn(schema, json));
}

/** @throws DomainError `invalid_request` before a schema has seen any of the values. */
function refuseTooManyValues(json: unknown, maxValues = BODY_CAPS.values): void {
  if (hasTooManyValues(json, maxValues))
    throw new DomainError('invalid_request', { message: 'the body has too many values' });
}

/** Counts level by level and stops as soon as there are too many. */
function hasTooManyValues(body: unknown, maxValues: number): boolean {
  const open: unknown[] = [body];
  let count = 0;
  for (const value of open) {
    if (typeof value !== 'object' || value === null) continue;
    const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    count += inner.length;
    if (count > maxValues) return true;
    open.push(...inner);
  }
  return false;
}

function malformed(issues: readonly Issue[]): DomainError {
  return new DomainError('invalid_request', { issues });
}

const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const WHOLE = /^(0|-?[1-9]\d*)$/;
const ID = /^[1-9]\d*$/;
const NOBODYS_ID = Number.MAX_VALUE;
const NO_VALUES = {};

/** A path id that is not an id is not malformed input: no record has it, so the answer is "not found". */
function pathToValues(schema: z.ZodObject, params: Readonly<Record<string, string>>): Record<string, unknown> {
  const sent = Object.entries(params);
  if (sent.length === 0) return NO_VALUES;
  return Object.fromEntries(
    sent.map(([name, text]) => {
      if (kindOf(schema.shape[name]) !== 'whole') return [name, text];
      return [name, ID.test(text) ? wholeFrom(text) : NOBODYS_ID];
    }),
  );
}

/**
 * Converts query text to the values that the schema expects. Text that is not exactly such a value stays text, and a
 * repeated parameter becomes a list, so that the schema refuses both. Unknown names are limited to the number of
 * reported issues.
 */
function queryToValues(schema: z.ZodObject, query: QueryParams): Record<string, unknown> {
  // In one pass, because looking up a name in URLSearchParams scans all of them.
  const sent = new Map<string, string[]>();
  let unknown = 0;
  for (const [name, text] of query) {
    const texts = sent.get(name);
    if (texts) texts.push(text);
    else if (Object.hasOwn(schema.shape, name) || ++unknown <= MAX_ISSUES) sent.set(name, [text]);
  }
  if (sent.size === 0) return NO_VALUES;
  return Object.fromEntries(
    [...sent].map(([name, texts]) => {
      const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
      const inner = listElement(field);
      if (inner) return [name, texts.map((text) => textToValue(kindOf(inner), text))];
      return [name, texts.length === 1 ? textToValue(kindOf(field), texts[0] ?? '') : texts];
    }),
  );
}

function textToValue(kind: Kind, text: string): unknown {
  if (kind === 'whole' && WHOLE.test(text)) return wholeFrom(text);
  if (kind === 'decimal' && DECIMAL.test(text)) return Number(text);
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** An integer with too many digits for a double is still an integer, out of every range. */
function wholeFrom(digits: string): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(digits)));
}

type Kind = 'text' | 'whole' | 'decimal' | 'boolean';

function listElement(schema: unknown): unknown {
  const inner = innermost(schema);
  return inner instanceof z.ZodArray ? inner.element : null;
}

function kindOf(schema: unknown): Kind {
  const inner = innermost(schema);
  if (inner instanceof z.ZodBoolean) return 'boolean';
  if (inner instanceof z.ZodType && inner.meta()?.type === 'integer') return 'whole';
  if (inner instanceof z.ZodNumber) return inner.format === 'safeint' ? 'whole' : 'decimal';
  return 'text';
}

/**
 * One finding for each of the first paths. Of several the last one counts, which for a whole number is its own range
 * and not that of all integers.
 *
 * @param unknownKey - The message for a name that the schema does not have.
 */
function issuesOf({ error }: z.ZodSafeParseResult<unknown>, unknownKey: Message): readonly Issue[] {
  const messages = new Map<string, Message>();
  for (const issue of error?.issues ?? []) {
    if (issue.code === 'unrecognized_keys') {
      const keys = issue.keys.slice(0, MAX_ISSUES);
      for (const key of keys) messages.set(pathText([...issue.path, key]), unknownKey);
    } else {
      const path = pathText(issue.path);
      const told = messages.get(path);
      // The length of a text that should be a list is not that of the list.
      if (typeof told !== 'object' || told.text !== SUCH_AS) messages.set(path, fromSchema(issue.message));
    }
    if (messages.size > MAX_ISSUES) break;
  }
  return [...messages].slice(0, MAX_ISSUES).map(([path, message]) => ({ path, message }));
}

function pathText(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

const EXPECTED: Readonly<Record<string, Message>> = {
  number: 'must be a finite number',
  int: 'must be a whole number',
  string: 'must be text',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
};

/** What a text or a list has so many of; `null`: it is a number. */
function unitOf(origin: string, count: number) {
  if (origin === 'string') return count === 1 ? 'character' : 'characters';
  if (origin === 'array') return count === 1 ? 'entry' : 'entries';
  return null;
}

function tooSmall(origin: string, min: number): Message {
  const unit = unitOf(origin, min);
  return unit ? say(`must have at least {min} ${unit}`, { min }) : say('must be at least {min}', { min });
}

function tooBig(origin: string, max: number): Message {
  const unit = unitOf(origin, max);
  return unit ? say(`must have at most {max} ${unit}`, { max }) : say('must be at most {max}', { max });
}

/** The messages of issues: never the text of the library, never the input. Our own checks have theirs. */
const OWN_WORDS = { error: (issue: z.core.$ZodRawIssue) => inSchema(messageFor(issue)) };

const SUCH_AS = '{=error}, such as {example}';

/** The same for tools, whose callers learn from an example how to write what a text did not say. */
const TOOL_WORDS = {
  error: (issue: z.core.$ZodRawIssue) => {
    const error = messageFor(issue);
    const isText = issue.code === 'invalid_type' && typeof issue.input === 'string' && issue.expected !== 'boolean';
    const example = JSON.stringify(exampleOf(issue.inst));
    return inSchema(isText ? say(SUCH_AS, { error, example }) : error);
  },
};

/** A value of the type that a schema takes. */
function exampleOf(schema: unknown): unknown {
  const inner = innermost(schema);
  if (inner instanceof z.ZodArray) return [exampleOf(inner.element)];
  if (inner instanceof z.ZodBoolean) return true;
  if (!(inner instanceof z.ZodObject)) return kindOf(inner) === 'text' ? '...' : 1;
  return Object.fromEntries(
    Object.entries(inner.shape)
      .slice(0, 1)
      .map(([name, field]) => [name, exampleOf(field)]),
  );
}

function messageFor(issue: z.core.$ZodRawIssue): Message {
  const { input } = issue;
  switch (issue.code) {
    case 'invalid_type':
      if (input === undefined) return 'is required';
      if (Array.isArray(input) && issue.expected !== 'object') return 'must be one value';
      return EXPECTED[kindOf(issue.inst) === 'whole' ? 'int' : issue.expected] ?? 'must be of another type';
    case 'invalid_value':
      return input === undefined
        ? 'is required'
        : say('must be one of: {values}', { values: issue.values.map(String).join(', ') });
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum));
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum));
    default:
      return 'is not valid';
  }
}
