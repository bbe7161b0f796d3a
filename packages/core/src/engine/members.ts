import { editDistance } from './text.ts';

// What a compiler refuses and a program in JavaScript may send nevertheless: a misspelt member would silently be none.

/** What a member may be; `numbers` is a list of them, `any` is checked where it is used. */
export type Kind = 'number' | 'text' | 'boolean' | 'object' | 'function' | 'numbers' | 'any';

/** The kind of every member of a type. */
export type Kinds<T> = Readonly<Record<T extends unknown ? keyof T : never, Kind>>;

/** Of letters that are wrong, at most this share: `wieght` has two of six. */
const MAX_WRONG = 1 / 3;

/** The known name that a misspelt one stands for; `null`: it is like none. */
export function meantBy(name: string, known: readonly string[]): string | null {
  const given = name.toLowerCase();
  const begun = known.find((one) => one.toLowerCase().startsWith(given));
  if (begun !== undefined) return begun;
  const far = known.map((one) => editDistance(given, one.toLowerCase()));
  const least = Math.min(...far);
  return least <= MAX_WRONG * name.length ? (known[far.indexOf(least)] ?? null) : null;
}

/**
 * Checks that an object has known members of their kinds; `undefined` is none.
 *
 * @param at - What stands before the name of a member in messages: `filter.`
 * @throws RangeError that names the first member which is unknown, with what was probably meant, or of another kind.
 */
export function checkMembers(at: string, given: object, kinds: Readonly<Record<string, Kind>>): void {
  if (!isObject(given)) throw new RangeError(`${at.slice(0, -1) || 'a question'} is an object with members`);
  // Without lists of entries, which would take longer than the checks.
  for (const name in given) {
    const value: unknown = given[name as keyof typeof given];
    if (value === undefined) continue;
    const kind = kinds[name];
    if (kind === undefined || !Object.hasOwn(kinds, name)) throw new RangeError(unknownMember(at, name, kinds));
    if (value !== null && !isOfKind(value, kind)) throw new RangeError(otherKind(at + name, value, kind));
  }
}

function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind === 'any') return true;
  if (kind !== 'numbers') return typeof value === TYPES[kind];
  if (!Array.isArray(value)) return true;
  for (let index = 0; index < value.length; index++) if (!isNumberOrNone(value[index])) return false;
  return true;
}

const isNumberOrNone = (value: unknown) => value === undefined || value === null || typeof value === 'number';

function otherKind(path: string, value: unknown, kind: Kind): string {
  if (kind !== 'numbers' || !Array.isArray(value)) return `${path} is ${WORDS[kind]}, and not ${wordOf(value)}`;
  const index = value.findIndex((one) => !isNumberOrNone(one));
  return `${path}.${index} is a number, and not ${wordOf(value[index])}`;
}

const TYPES = { number: 'number', text: 'string', boolean: 'boolean', object: 'object', function: 'function' } as const;
const WORDS = {
  number: 'a number',
  text: 'text',
  boolean: 'true or false',
  object: 'an object',
  function: 'a function',
  numbers: 'a list',
  any: 'anything',
};

const wordOf = (value: unknown) =>
  typeof value === 'string' ? WORDS.text : (Reflect.get(WORDS, typeof value) ?? typeof value);
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

function unknownMember(at: string, name: string, kinds: object): string {
  const known = Object.keys(kinds);
  const meant = meantBy(name, known);
  return `${at}${name} is unknown: ${meant === null ? `there are ${known.join(', ')}` : `is ${meant} meant?`}`;
}
