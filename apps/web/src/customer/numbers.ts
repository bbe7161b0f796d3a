import type { Language } from '../texts/common.ts';

const UNIT = /(?<=[\d.,])\s*(kWh|kW|€[\w/·]*|EUR|d[ií]as?|days?)$/i;
/** Thousands in groups that no other reading has: by spaces, by a mark that is repeated, or that is before the other one. */
const GROUPED = [
  [/^-?\d{1,3}(\s\d{3})+([.,]\d*)?$/, /\s/g],
  [/^-?\d{1,3}((\.\d{3})+,\d*|(\.\d{3}){2,})$/, /\./g],
  [/^-?\d{1,3}((,\d{3})+\.\d*|(,\d{3}){2,})$/, /,/g],
] as const;

/** A typed text without a unit behind it. */
export const withoutUnit = (text: string): string => text.trim().replace(UNIT, '');

/** A number in Spanish or English notation. A text that could mean two numbers is refused. */
export function readNumber(text: string, language: Language): number | 'ambiguous' | 'notNumber' {
  const bare = withoutUnit(text);
  const [, mark] = GROUPED.find(([form]) => form.test(bare)) ?? [];
  const plain = (mark ? bare.replaceAll(mark, '') : bare).replace(',', '.');
  // The decimal mark of the language does not separate thousands.
  const other = language === 'es' ? '.' : ',';
  if (!mark && bare.includes(other) && /^[1-9]\d{0,2}\.\d{3}$/.test(plain)) return 'ambiguous';
  return /^-?\d+(\.\d*)?$|^-?\.\d+$/.test(plain) ? Number(plain) : 'notNumber';
}

/** A number as it is typed in a language. */
export const typedNumber = (value: number, language: Language): string =>
  language === 'es' ? String(value).replace('.', ',') : String(value);
