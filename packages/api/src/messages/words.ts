import { inWords, type Message, type MessageText, type Said, SPANISH } from '@tarifario/core/service';

export type Language = 'en' | 'es';

/** The texts of a language, by their English. */
const TEXTS: Readonly<Record<Language, (text: MessageText) => string>> = {
  en: (text) => text,
  es: (text) => (Object.hasOwn(SPANISH, text) ? SPANISH[text] : text),
};

/** The members of answers that are messages: of refusals, of wrong rows and fields, of warnings, of laws. */
const MESSAGES = ['message', 'error', 'condicion'];

/** What of an answer is put in words. */
interface InWords {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** An answer with its messages in words. An answer with an `ETag` has no messages. @see docs/assumptions.md, A-95 */
export function inLanguage<A extends InWords>(answer: A, language: Language = 'en'): A {
  if (answer.headers.ETag !== undefined) return answer;
  const body = bodyIn(answer.body, language);
  if (body === answer.body) return answer;
  return { ...answer, body, headers: { ...answer.headers, ...headersIn(language) } };
}

/** The headers of an answer whose messages are words. */
export function headersIn(language: Language): Readonly<Record<string, string>> {
  return language === 'en' ? {} : { 'Content-Language': language, Vary: 'Accept-Language' };
}

/** A body whose messages are words. */
export type Worded<T> = T extends Message
  ? string
  : T extends object
    ? { readonly [Name in keyof T]: Worded<T[Name]> }
    : T;

/** A body with its messages in words; the very same body where that changes nothing. */
export function bodyIn<T>(body: T, language: Language = 'en'): Worded<T> {
  return valueIn(body, TEXTS[language]) as Worded<T>;
}

function valueIn(value: unknown, textFor: (text: MessageText) => string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isSaid(value)) return inWords(value, textFor);
  const members = Object.entries(value);
  const printed = members.map(([name, member]) =>
    typeof member === 'string' && MESSAGES.includes(name)
      ? inWords(member as Message, textFor)
      : valueIn(member, textFor),
  );
  if (printed.every((member, index) => member === members[index]?.[1])) return value;
  if (Array.isArray(value)) return printed;
  return Object.fromEntries(members.map(([name], index) => [name, printed[index]]));
}

function isSaid(value: object): value is Said {
  return 'text' in value && 'values' in value;
}

/** The language that `Accept-Language` prefers: Spanish or, for lack of it, English. @see docs/assumptions.md, A-95 */
export function preferredLanguage(acceptLanguage: string | null): Language {
  const languages = (acceptLanguage ?? '').split(',').flatMap((part) => {
    const [, language = null, weight = '1'] = /^\s*(es|en)\b[\w-]*\s*(?:;\s*q=([\d.]+)\s*)?$/i.exec(part) ?? [];
    return language === null ? [] : [{ language: language.toLowerCase(), weight: Number(weight) }];
  });
  // Of languages with the same weight the first one counts.
  const [best] = languages.toSorted((a, b) => b.weight - a.weight);
  return best !== undefined && best.language === 'es' && best.weight > 0 ? 'es' : 'en';
}
