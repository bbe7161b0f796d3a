import { meantAs } from '@tarifario/core';
import type { TextName, Translation } from '../texts/texts.ts';
import { numberTyped, typedNumber } from './numbers.ts';

/** What is wrong with a field, in the language of the page. */
export type Fault = (translation: Translation) => string;

/** What to type in place of a text that `readNumber` refuses; where it could mean two numbers, both of them. */
export function numberFault(fault: 'ambiguous' | 'notNumber', text: string): Fault {
  const { thousands = 0, decimals = 0 } = Object(numberTyped(text));
  return ({ say, language }) => say(fault, { thousands: String(thousands), decimals: typedNumber(decimals, language) });
}

/** A number that was most likely meant in another unit, with what to write instead. */
export function unitFault(unit: string, value: number): Fault | null {
  const meant = meantAs(unit, value);
  // What is asked of a month may well be more for a company.
  if (meant === null || unit === 'EUR/month') return null;
  const text: TextName = meant.mistake;
  return ({ say, number }) => say(text, { right: number(meant.right, 0, 4) });
}
