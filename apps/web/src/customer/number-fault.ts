import type { Translation } from '../texts/texts.ts';
import { typedNumber, withoutUnit } from './numbers.ts';

/** What is wrong with a field, in the language of the page. */
export type Fault = (translation: Translation) => string;

/** What to type in place of a text that `readNumber` refuses; where it could mean two numbers, both of them. */
export function numberFault(fault: 'ambiguous' | 'notNumber', text: string): Fault {
  const plain = withoutUnit(text).replace(',', '.');
  return ({ say, language }) =>
    say(fault, { thousands: plain.replace('.', ''), decimals: typedNumber(Number(plain), language) });
}
