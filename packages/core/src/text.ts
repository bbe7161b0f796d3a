import type { Issue } from './errors.ts';

/** Characters of a name, as people count them. */
export const MAX_NAME_LENGTH = 200;
/** Characters of an address. */
export const MAX_URL_LENGTH = 2048;
/** What a mail server accepts, in characters. */
export const MAX_EMAIL_LENGTH = 254;

// Characters that change how a text looks without being seen: controls (Cc), formats such as bidi marks, zero-width
// characters and tags (Cf), line and paragraph separators (Zl, Zp), private use (Co) and unassigned ones (Cn).
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/u;

/** Letters, digits and signs of ASCII, as most names have: composed, visible and one unit each. */
const PLAIN = /^[ -~]*$/;

/** A name as it is stored: composed (NFC), without outer space. */
export function cleanName(name: string): string {
  if (PLAIN.test(name)) return name.trim();
  return name.isWellFormed() ? name.normalize('NFC').trim() : name;
}

/** The form in which names are compared and searched: without case and outer space, accents kept. */
export function foldName(name: string): string {
  return cleanName(name).toLowerCase();
}

/**
 * What is wrong with a name that people will read: 1 to 200 characters after cleaning, none of them invisible, no
 * lone surrogate.
 *
 * @see docs/assumptions.md, A-02
 */
export function checkName(path: string, name: string, maxLength = MAX_NAME_LENGTH): Issue[] {
  if (!name.isWellFormed()) return [{ path, message: 'must be well-formed Unicode' }];
  const clean = cleanName(name);
  const isPlain = PLAIN.test(clean);
  const length = isPlain ? clean.length : [...clean].length;
  if (length < 1 || length > maxLength) return [{ path, message: `must have 1 to ${maxLength} characters` }];
  return !isPlain && INVISIBLE.test(clean) ? [{ path, message: 'must not contain invisible characters' }] : [];
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
  return sound
    ? []
    : [{ path, message: `must be an https address of at most ${MAX_URL_LENGTH} characters without user info` }];
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/u;

/**
 * What is wrong with an e-mail address: one `@`, a dot in what follows it, no space, nothing invisible, at most 254
 * characters. Whether it exists is known only by writing to it.
 */
export function checkEmail(path: string, email: string): Issue[] {
  const sound =
    email.isWellFormed() && [...email].length <= MAX_EMAIL_LENGTH && EMAIL.test(email) && !INVISIBLE.test(email);
  return sound ? [] : [{ path, message: `must be an e-mail address of at most ${MAX_EMAIL_LENGTH} characters` }];
}
