import { editDistance, type Message, say } from '@tarifario/core/service';
import { z } from 'zod';
import type { Outcome } from './call.ts';
import { fromUtf8, isJsonObject } from './json.ts';
import { inSchema } from './messages/in-schema.ts';
import type { Visibility } from './wire/answer.ts';
import { NOT_FOR_MODELS } from './wire/answer.ts';

/** The members of an answer that a caller asks for, each with those inside it; `null`: all of them. */
export type Wanted = Map<string, Wanted | null>;

const MAX_LENGTH = 2000;
/** Different ones. */
const MAX_NAMES = 100;
const MAX_NEAR = 3;

/** What tools answer in any case: no model may leave out a warning, or that there is more than it was shown. */
const KEPT_BY_TOOLS = ['avisos', 'total'];

/**
 * The parameter `fields` of an operation that answers this: names of members separated by commas.
 *
 * @param tool - Who calls a tool. Members about commissions do not exist for a caller who may not see them, nor
 *   pictures for anyone.
 */
export function answerFields(output: z.ZodType, tool: Visibility | null = null) {
  const near = (path: string) => nearestTo(path, output, tool);
  const kept = tool === null ? [] : KEPT_BY_TOOLS.filter((name) => near(name) === null);
  return z
    .string()
    .max(MAX_LENGTH)
    .transform((text, context) => {
      const wanted: Wanted = new Map(kept.map((name) => [name, null]));
      const refuse = (path: number[], message: Message) =>
        context.addIssue({ code: 'custom', path, message: inSchema(message) });
      const sent = text.split(',').map((name) => name.trim());
      const paths = new Set(sent);
      if (paths.size > MAX_NAMES) {
        refuse([], say('must have at most {max} entries', { max: MAX_NAMES }));
        return wanted;
      }
      let isFirst = true;
      for (const path of paths) {
        const nearest = near(path);
        if (nearest === null) add(wanted, path.split('.'));
        else {
          // To compare names is slow.
          const ofEntries = `results.${path}`;
          const names = () => (near(ofEntries) === null ? ofEntries : nearest().join(', '));
          const unknown = 'is not a field of the answer';
          const message = isFirst ? say(`${unknown}; the nearest are: {names}`, { names: names() }) : unknown;
          refuse([sent.indexOf(path)], message);
          isFirst = false;
        }
      }
      return wanted;
    });
}

/** Finds the most similar fields in the place of one that does not exist; `null`: it exists. */
function nearestTo(path: string, output: z.ZodType, tool: Visibility | null): (() => readonly string[]) | null {
  const isThere = ([name, shape]: readonly [name: string, shape: unknown]) =>
    tool === null || (!NOT_FOR_MODELS.has(name) && (tool.seesCommissions || !isMasked(shape)));
  let shapes: readonly unknown[] = [output];
  let before = '';
  for (const name of path.split('.')) {
    const members = shapes.flatMap(membersOf).filter(isThere);
    shapes = members.flatMap(([member, shape]) => (member === name ? [shape] : []));
    if (shapes.length === 0) {
      return () => {
        const apart = new Map(members.map(([member]) => [member, editDistance(member, name)]));
        const nearest = [...apart].sort(([, a], [, b]) => a - b).slice(0, MAX_NEAR);
        return nearest.length > 0 ? nearest.map(([member]) => before + member) : [before.slice(0, -1)];
      };
    }
    before += `${name}.`;
  }
  return null;
}

/** The members of a shape; those of a list are those of its entries. */
function membersOf(shape: unknown): readonly (readonly [name: string, shape: unknown])[] {
  if (shape instanceof z.ZodObject) return Object.entries(shape.shape);
  if (shape instanceof z.ZodArray) return membersOf(shape.element);
  if (shape instanceof z.ZodUnion) return shape.options.flatMap(membersOf);
  if (shape instanceof z.ZodNullable || shape instanceof z.ZodOptional) return membersOf(shape.unwrap());
  if (shape instanceof z.ZodRecord && shape.keyType instanceof z.ZodEnum) {
    return shape.keyType.options.map((name) => [String(name), shape.valueType]);
  }
  return [];
}

/** Whether a member is about commissions. */
function isMasked(shape: unknown): boolean {
  if (shape instanceof z.ZodType && shape.meta()?.masked === null) return true;
  return (shape instanceof z.ZodNullable || shape instanceof z.ZodOptional) && isMasked(shape.unwrap());
}

/** Adds a member; what is wanted whole stays whole. */
function add(wanted: Wanted, [name = '', ...rest]: readonly string[]): void {
  const inner = wanted.get(name);
  if (rest.length === 0) wanted.set(name, null);
  else if (inner !== null) {
    const members: Wanted = inner ?? new Map();
    wanted.set(name, members);
    add(members, rest);
  }
}

/** What the parameter `fields` was read as; `undefined`: it was not sent. */
export function wantedOf(fields: unknown): Wanted | undefined {
  return fields instanceof Map ? fields : undefined;
}

/** A whole answer reduced to what is wanted. It keeps its tag, which is that of the whole. */
export function reduced(outcome: Outcome, wanted: Wanted | undefined): Outcome {
  if (wanted === undefined) return outcome;
  const { status, headers = {}, json, body } = outcome;
  const whole: unknown = body === undefined && json ? JSON.parse(fromUtf8(json)) : body;
  return { status, headers, body: only(whole, wanted) };
}

/** A value reduced to what is wanted. */
export function only(value: unknown, wanted: Wanted): unknown {
  if (Array.isArray(value)) return value.map((entry) => only(entry, wanted));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const inner = wanted.get(name);
    return inner === undefined ? [] : [[name, inner === null ? member : only(member, inner)]];
  });
  return Object.fromEntries(members);
}
