/** The letters that check the 16 digits of a CUPS: their remainder by 529, as two digits of base 23. */
const CHECK_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';

/** Capitals of Cyrillic and Greek, and the Latin ones that they look like. */
const LOOK_ALIKES = new Map<string, string>([
  ...[...'АВСԀЕԌНІЈКМОРԚЅТѴԜХУҮҺ'].map((letter, at) => [letter, 'ABCDEGHIJKMOPQSTVWXYYH'.charAt(at)] as const),
  ...[...'ΑΒϹΕϜΗΙͿΚΜΝΟΡΤΧΥΖ'].map((letter, at) => [letter, 'ABCEFHIJKMNOPTXYZ'.charAt(at)] as const),
]);

const DIGIT = /\p{Nd}/u;
const UNSEEN = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu;

/** What may stand between two characters of a CUPS: a few that are neither letters nor numbers. */
const GAP = '[^\\p{L}\\p{N}]{0,8}';
/** No CUPS has fewer numbers; a number of Unicode may be two digits. */
const NUMBERS = /(?:\p{N}\P{N}*){8}/u;
const ASCII = /^[\0-\x7f]*$/;
const ES = `E${GAP}S${GAP}`;
/** Two letters after 16 digits that are a whole number: neither the end of a longer one nor that of an IBAN. */
const CANDIDATE = new RegExp(
  `(?:(?<es>${ES})|(?=\\d)(?<!\\d)(?<=(?<before>(?<!\\d)\\d{4}[^\\p{L}\\p{N}]{1,3})?)(?<!${ES}(?:\\d${GAP}){6}))` +
    `(?<digits>(?:\\d${GAP}){16})` +
    `(?<letters>[A-Z]${GAP}[A-Z])(?<suffix>${GAP}\\d[A-Z])?(?=(?<rest>\\p{L})?)`,
  'gu',
);
/** As they are printed, in fours. The first four are the distributor, and begin with 0. */
const IN_FOURS = new RegExp(`^0\\d{3}${GAP}(?:\\d{4}${GAP}){3}$`, 'u');
/** The same without ES, parted alike. */
const PARTED_IN_FOURS = /^0\d{3}(\s{1,3}|\s?[.·\p{Pd}]\s?)\d{4}\1\d{4}\1\d{4}/u;
const GAPS = /[^\p{L}\p{N}]/gu;

/** Capitals of ASCII for what looks like them, and the digits of ASCII for those of all scripts. */
function plainOf(character: string): string {
  const letters = character.normalize('NFKD').replaceAll(UNSEEN, '').toUpperCase();
  return Array.from(letters, (letter) => LOOK_ALIKES.get(letter) ?? digitOf(letter) ?? letter).join('');
}

/** Every script has its digits in a row, from 0 to 9; some have two rows, one behind the other. */
function digitOf(character: string): string | null {
  if (!DIGIT.test(character)) return null;
  const code = character.codePointAt(0) ?? 0;
  let value = 0;
  while (DIGIT.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value % 10);
}

interface PlainText {
  readonly plain: string;
  /** Where in the text each character comes from; `null`: from the same place. */
  readonly origins: readonly number[] | null;
}

function plainText(text: string): PlainText {
  if (ASCII.test(text)) return { plain: text.toUpperCase(), origins: null };
  const known = new Map<string, string>();
  const origins: number[] = [];
  let plain = '';
  let at = 0;
  for (const character of text) {
    const letters = known.get(character) ?? plainOf(character);
    known.set(character, letters);
    for (let index = 0; index < letters.length; index += 1) origins.push(at);
    plain += letters;
    at += character.length;
  }
  origins.push(at);
  return { plain, origins };
}

function isChecked(digits: string, letters: string): boolean {
  const rest = Number(BigInt(digits) % 529n);
  return letters === CHECK_LETTERS.charAt(Math.floor(rest / 23)) + CHECK_LETTERS.charAt(rest % 23);
}

function isCups({
  es,
  before,
  digits = '',
  letters = '',
  suffix,
  rest,
}: Readonly<Record<string, string | undefined>>): boolean {
  const endsAWord = suffix !== undefined || rest === undefined;
  const isRight = isChecked(digits.replaceAll(GAPS, ''), letters.replaceAll(GAPS, ''));
  if (isRight) return es !== undefined || endsAWord;
  // Fours behind another four are those of an account.
  return endsAWord && (es === undefined ? before === undefined && PARTED_IN_FOURS.test(digits) : IN_FOURS.test(digits));
}

/** Where a text has the numbers of supply points: from the first character to the one behind the last. */
function cupsIn(text: string): readonly (readonly [from: number, to: number])[] {
  if (!NUMBERS.test(text)) return [];
  const { plain, origins } = plainText(text);
  const placeOf = (at: number) => origins?.[at] ?? at;
  const found: [number, number][] = [];
  CANDIDATE.lastIndex = 0;
  for (let match = CANDIDATE.exec(plain); match !== null; match = CANDIDATE.exec(plain)) {
    const isFound = isCups(match.groups ?? {});
    if (isFound) found.push([placeOf(match.index), placeOf(CANDIDATE.lastIndex)]);
    // The letters after a number that is none may be the ES of one.
    else CANDIDATE.lastIndex = match.index + 1;
  }
  return found;
}

//
/** Whether a text has the number of a supply point, as `withoutCups` finds it. */
export function hasCups(text: string): boolean {
  return cupsIn(text).length > 0;
}

//
/**
 * A text with something else in place of each number of a supply point (CUPS), which identifies a home: 16 digits and the
 * two letters that check them, mostly after ES; in fours, after ES or parted by spaces, dots or dashes, with any two
 * letters. It is found in any case and spacing, in the digits of any script, and in letters of Cyrillic and Greek that look
 * like those of Latin.
 *
 * @param by - What stands there instead of the number, which it gets as it is written.
 */
export function replaceCups(text: string, by: (cups: string) => string): string {
  let [kept, end] = ['', 0];
  for (const [from, to] of cupsIn(text)) {
    kept += text.slice(end, from) + by(text.slice(from, to));
    end = to;
  }
  return kept + text.slice(end);
}

/** A text with `(CUPS)` in place of the numbers of supply points. */
export const withoutCups = (text: string): string => replaceCups(text, () => '(CUPS)');
