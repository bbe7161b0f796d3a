import { SPANISH } from './spanish.ts';

/** Longer texts are not translated, because no message of ours is so long. */
const MAX_LENGTH = 4000;

/** A message with values in it. */
interface Template {
  readonly pattern: RegExp;
  /** The names of its values, in order; `isMessage`: each is a message itself. */
  readonly values: readonly { readonly name: string; readonly isMessage: boolean }[];
  readonly spanish: string;
}

const TEMPLATES: readonly Template[] = Object.entries(SPANISH)
  .filter(([english]) => english.includes('{'))
  .map(([english, spanish]) => {
    const values = [...english.matchAll(/\{(=?)(\w+)\}/g)];
    const literals = english.split(/\{=?\w+\}/).map((text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
    return {
      pattern: new RegExp(`^${literals.join('(.+?)')}$`, 's'),
      values: values.map(([, mark, name = '']) => ({ name, isMessage: mark === '=' })),
      spanish,
    };
  });

/** A message in Spanish; `null`: the text is no message of ours. */
export function inSpanish(message: string): string | null {
  if (Object.hasOwn(SPANISH, message)) return SPANISH[message] ?? null;
  if (message.length > MAX_LENGTH) return null;
  for (const template of TEMPLATES) {
    const match = template.pattern.exec(message);
    const spanish = match && filled(template, match.slice(1));
    if (spanish) return spanish;
  }
  return null;
}

/** `null` when a value is not a message where one is required. */
function filled({ values, spanish }: Template, texts: readonly string[]): string | null {
  const named = new Map<string, string>();
  for (const [index, { name, isMessage }] of values.entries()) {
    const text = texts[index] ?? '';
    const shown = isMessage ? inSpanish(text) : text;
    if (shown === null) return null;
    named.set(name, shown);
  }
  return spanish.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => named.get(name) ?? '');
}

/** The members of answers that are messages: of refusals, of wrong rows and fields, of warnings. */
const MESSAGES = ['message', 'error'];

/** The body of an answer with its messages in Spanish; the very same body where it has none. */
export function bodyInSpanish(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const members = Object.entries(body);
  const translated = members.map(([name, value]) =>
    typeof value === 'string' && MESSAGES.includes(name) ? (inSpanish(value) ?? value) : bodyInSpanish(value),
  );
  if (translated.every((value, index) => value === members[index]?.[1])) return body;
  if (Array.isArray(body)) return translated;
  return Object.fromEntries(members.map(([name], index) => [name, translated[index]]));
}

/** Whether `Accept-Language` prefers Spanish to English. @see docs/assumptions.md, A-95 */
export function prefersSpanish(acceptLanguage: string | null): boolean {
  const languages = (acceptLanguage ?? '').split(',').flatMap((part) => {
    const [, language = null, weight = '1'] = /^\s*(es|en)\b[\w-]*\s*(?:;\s*q=([\d.]+)\s*)?$/i.exec(part) ?? [];
    return language === null ? [] : [{ language: language.toLowerCase(), weight: Number(weight) }];
  });
  // Of languages with the same weight the first one counts.
  const [best] = languages.toSorted((a, b) => b.weight - a.weight);
  return best !== undefined && best.language === 'es' && best.weight > 0;
}
