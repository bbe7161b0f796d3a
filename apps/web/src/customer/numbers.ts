import { numberIn } from '@tarifario/core';
import type { Language } from '../texts/common.ts';

/** The unit of a price, which its field names too. */
const PER_UNIT = /€\/[\w/·]*\s*$/;

/** What a typed text says by itself. */
export const numberTyped = (text: string): ReturnType<typeof numberIn>['value'] =>
  numberIn(text.replace(PER_UNIT, '€')).value;

/** A number in Spanish or English notation. A text that could mean two numbers is refused. */
export function readNumber(text: string, language: Language): number | 'ambiguous' | 'notNumber' {
  const value = numberTyped(text);
  if (value === null) return 'notNumber';
  if (typeof value === 'number') return value;
  // The decimal mark of the language does not separate thousands.
  return value.mark === (language === 'es' ? ',' : '.') ? value.decimals : 'ambiguous';
}

/** A number as it is typed in a language. */
export const typedNumber = (value: number, language: Language): string =>
  language === 'es' ? String(value).replace('.', ',') : String(value);

/** The numbers among some values, as they are typed, under these names with a prefix. */
export function typedAll(values: object, prefix: string, language: Language): Record<string, string> {
  const entries = Object.entries(values).filter(([, value]) => typeof value === 'number');
  return Object.fromEntries(entries.map(([name, value]) => [prefix + name, typedNumber(value, language)]));
}
