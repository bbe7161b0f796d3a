import type { Issue } from './errors.ts';
import { type Message, say } from './messages/message.ts';

/** Characters of a name, as people count them. */
export const MAX_NAME_LENGTH = 200;
/** Characters of an address. */
export const MAX_URL_LENGTH = 2048;
/** What a mail server accepts, in characters. */
const MAX_EMAIL_LENGTH = 254;

// Characters that change a text without being seen: controls (Cc), formats such as bidi marks, zero-width characters and
// tags (Cf), line and paragraph separators (Zl, Zp), private use (Co), unassigned ones (Cn), everything that Unicode has
// shown as nothing (fillers, joiners, variation selectors), the blank of Braille, and the place of an object.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800\uFFFC]/u;
/** Marks alone have no character to be placed on. */
const ONLY_MARKS = /^[\p{M}\p{Z}]+$/u;

/** Selects whether an emoji is shown in colour. It is allowed after an emoji and ignored in comparisons. */
const EMOJI_SELECTORS = /(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]|(?<=[0-9#*])\uFE0F(?=\u20E3)/gu;

/** Whether a text has more characters, as people count them. A much longer text is not counted exactly. */
export function isLongerThan(text: string, length: number): boolean {
  return text.length > length && (text.length > 2 * length || [...text].length > length);
}

/** Letters, digits and signs of ASCII, as most names have: composed, visible and one unit each. */
const PLAIN = /^[ -~]*$/;

/**
 * Marks in a row, the most that the Stream-Safe Text Format of Unicode (UAX 15) has. No language needs half of them.
 */
const MAX_MARKS = 30;
const TOO_MANY_MARKS = new RegExp(`(?:^|\\P{M})\\p{M}{${MAX_MARKS + 1}}`, 'u');
/** The maximum number of UTF-16 units for one composed character. */
const UNITS_PER_CHARACTER = 6;
/** The maximum length of a text to be composed, in UTF-16 units: that of 255 characters, the maximum of file names. */
const MAX_UNITS = 255 * UNITS_PER_CHARACTER;

/**
 * A name as it is stored: composed (NFC), without surrounding spaces. Composing takes quadratic time in consecutive
 * marks, so a text that is too long, or has too many of them, is returned unchanged and refused by `checkName`.
 */
export function cleanName(name: string): string {
  const text = name.trim();
  if (PLAIN.test(text)) return text;
  return text.length <= MAX_UNITS && text.isWellFormed() && !TOO_MANY_MARKS.test(text) ? text.normalize('NFC') : text;
}

/** Space that does not look different from one space: several, or one of another width. */
const OTHER_SPACE = /\p{Zs}{2,}|(?! )\p{Zs}/gu;

/**
 * The form in which names are compared and searched: ignoring case, surrounding spaces, the number and width of other
 * spaces, and emoji colour selectors, but not accents.
 */
export function foldName(name: string): string {
  const text = cleanName(PLAIN.test(name) ? name : name.replace(EMOJI_SELECTORS, ''));
  return text.replace(OTHER_SPACE, ' ').toLowerCase();
}

/** The form in which names are searched and ordered: as `foldName` makes it, without accents. */
export function searchForm(name: string): string {
  const folded = foldName(name);
  return PLAIN.test(folded) ? folded : folded.normalize('NFD').replace(/\p{M}/gu, '');
}

/**
 * What is wrong with a name that people will read: 1 to 200 characters after cleaning, none of them invisible, at most
 * 30 marks in a row, not only marks, no lone surrogate.
 *
 * @see docs/assumptions.md, A-02
 */
export function checkName(path: string, name: string, maxLength = MAX_NAME_LENGTH): Issue[] {
  const issue = (message: Message) => [{ path, message }];
  const wrongLength = issue(say('must have {min} to {max} characters', { min: 1, max: maxLength }));
  if (!name.isWellFormed()) return issue('must be well-formed Unicode');
  const text = name.trim();
  if (text.length < 1 || text.length > maxLength * UNITS_PER_CHARACTER) return wrongLength;
  if (PLAIN.test(text)) return text.length > maxLength ? wrongLength : [];
  if (TOO_MANY_MARKS.test(text)) return issue(say('must not have more than {max} marks in a row', { max: MAX_MARKS }));
  if (isLongerThan(cleanName(text), maxLength)) return wrongLength;
  if (INVISIBLE.test(text.replace(EMOJI_SELECTORS, ''))) return issue('must not contain invisible characters');
  return ONLY_MARKS.test(text) ? issue('must not consist of marks alone') : [];
}

/** The same for a name that may be unchanged: a stored name need not satisfy later rules. */
export function checkChangedName(
  path: string,
  name: string,
  { stored, maxLength }: { readonly stored: string | null | undefined; readonly maxLength?: number },
): Issue[] {
  return name !== '' && name === stored ? [] : checkName(path, name, maxLength);
}

// Host name labels, then a port, then what RFC 3986 allows in a path, query or fragment, and letters of any script:
// no quote, bracket or backslash that could end an attribute of the page that shows the picture.
const HTTPS_URL =
  /^https:\/\/[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)*\.?(?::(\d{1,5}))?(?:[/?#](?:[\p{L}\p{N}\-._~:/?#[\]@!$&()*+,;=]|%[0-9a-f]{2})*)?$/iu;
const HIGHEST_PORT = 65_535;

/**
 * What is wrong with the address of a picture: https only, at most 2 048 characters, a host, no user info. It is
 * stored and never fetched; `null` is no address.
 */
export function checkUrl(path: string, url: string | null): Issue[] {
  if (url === null) return [];
  const match = url.isWellFormed() && url.length <= MAX_URL_LENGTH ? HTTPS_URL.exec(url) : null;
  const sound = match !== null && Number(match[1] ?? 443) <= HIGHEST_PORT && Number(match[1] ?? 443) > 0;
  const message = say('must be an https address of at most {max} characters without user info', {
    max: MAX_URL_LENGTH,
  });
  return sound ? [] : [{ path, message }];
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/u;

/**
 * What is wrong with an e-mail address: one `@`, a dot in what follows it, no space, nothing invisible, at most 254
 * characters. Whether the address exists is not checked.
 */
export function checkEmail(path: string, email: string): Issue[] {
  const sound =
    email.isWellFormed() && !isLongerThan(email, MAX_EMAIL_LENGTH) && EMAIL.test(email) && !INVISIBLE.test(email);
  const message = say('must be an e-mail address of at most {max} characters', { max: MAX_EMAIL_LENGTH });
  return sound ? [] : [{ path, message }];
}

/** How many characters have to be added, removed or replaced. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, character] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (character === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
