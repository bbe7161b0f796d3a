import type { TextName, Translation } from '../texts/texts.ts';
import { numberTyped, typedNumber } from './numbers.ts';

/** What is wrong with a field, in the language of the page. */
export type Fault = (translation: Translation) => string;

/** What to type in place of a text that `readNumber` refuses; where it could mean two numbers, both of them. */
export function numberFault(fault: 'ambiguous' | 'notNumber', text: string): Fault {
  const { thousands = 0, decimals = 0 } = Object(numberTyped(text));
  return ({ say, language }) => say(fault, { thousands: String(thousands), decimals: typedNumber(decimals, language) });
}

const meant =
  (text: TextName, right: number): Fault =>
  ({ say, number }) =>
    say(text, { right: number(right, 0, 4) });

/** A power of 2.0TD, which has at most 15 kW, that was most likely meant in W. */
export const wattsFault = (kw: number): Fault | null => (kw >= 1000 && kw <= 15_000 ? meant('watts', kw / 1000) : null);

/** A price that was most likely meant in another unit, with what to write instead. */
export function priceFault(unit: string, price: number): Fault | null {
  if (unit === 'EUR/kWh' && price > 2) return meant('cents', price / 100);
  return unit === 'EUR/kW·day' && price > 1 ? meant('perYear', price / 365) : null;
}
