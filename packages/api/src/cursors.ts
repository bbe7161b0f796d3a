import type { Deps } from '@tarifario/core/service';

/** Texts that are given to a caller and sent back, and that only this service can read or make. */
export interface Cursors {
  /** @param text - ASCII, at most 90 characters: every token is of one length. */
  seal(text: string): string;
  /** `null`: a token of another key, for another purpose, or made up. */
  open(token: string): string | null;
}

const TEXT_LENGTH = 90;
/** Characters of the tag: 128 bits, two characters for each byte. */
const TAG_LENGTH = 32;
const DIGITS = '0123456789abcdef';
const LETTERS = 'abcdefghijklmnop';

/**
 * Deterministic encryption in the SIV construction (Rogaway and Shrimpton, 2006) with HMAC-SHA-256 as its function: the
 * tag is a keyed hash of the text, and what is added to the text follows from key and tag. Equal texts give equal
 * tokens, and a token reveals nothing else about its text, not even its length. It has letters alone, so that a search
 * for the digits of an amount never matches.
 *
 * @param about - What the tokens are for: one of another purpose is not opened.
 */
export function cursorsFor({ fingerprint }: Deps['secrets'], key: string, about: string): Cursors {
  const tagOf = (text: string) => fingerprint(key, ['cursor ', about, '\n', text]).slice(0, TAG_LENGTH);
  const padOf = (tag: string) => [0, 1, 2].map((part) => fingerprint(key, ['cursor pad ', String(part), tag])).join('');
  const mixed = (codes: readonly number[], tag: string) => {
    const pad = padOf(tag);
    return codes.map((code, index) => code ^ Number.parseInt(pad.slice(2 * index, 2 * index + 2), 16));
  };
  return {
    seal(text) {
      const padded = text.padEnd(TEXT_LENGTH);
      if (padded.length > TEXT_LENGTH) throw new RangeError('a cursor is too long');
      const tag = tagOf(padded);
      const bytes = mixed(
        [...padded].map((character) => character.charCodeAt(0)),
        tag,
      );
      return toLetters(tag + bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(''));
    },
    open(token) {
      if (token.length !== TAG_LENGTH + 2 * TEXT_LENGTH || !/^[a-p]+$/.test(token)) return null;
      const hex = token.replace(/./g, (letter) => DIGITS[LETTERS.indexOf(letter)] ?? '');
      const tag = hex.slice(0, TAG_LENGTH);
      const bytes = Array.from({ length: TEXT_LENGTH }, (_, index) =>
        Number.parseInt(hex.slice(TAG_LENGTH + 2 * index, TAG_LENGTH + 2 * index + 2), 16),
      );
      const text = String.fromCharCode(...mixed(bytes, tag));
      return tagOf(text) === tag ? text.trimEnd() : null;
    },
  };
}

function toLetters(hex: string): string {
  return hex.replace(/./g, (digit) => LETTERS[DIGITS.indexOf(digit)] ?? '');
}
