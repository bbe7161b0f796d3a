import type { Issue } from '../errors.ts';
import { CUPS } from '../text.ts';

/** Longest note of a proposal, in characters of UTF-16. */
export const MAX_NOTE_LENGTH = 2000;

/** Everything that is not shown but tabs and ends of lines, and what emoji are put together with. */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?!\u200d|\ufe0e|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** JSON as somebody reads it: wide letters as plain ones, every dash as `-`, lines as spaces, without what is not shown. */
function readable(json: string): string {
  const plain = json.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
  return plain.replaceAll(/\p{Pd}/gu, '-').replaceAll(/\\(?:[bfnrt]|u[\da-f]{4})/g, ' ');
}

/** A note as it is kept: composed, with one kind of line ends. One that is too long stays as it is. */
export function cleanNote(text: string): string {
  if (text.length > MAX_NOTE_LENGTH) return text;
  return text.replaceAll(/\r\n?/g, '\n').normalize('NFC').trim();
}

/**
 * What must not be kept with a proposal: a supply point anywhere, and what does not show in the note.
 *
 * @param texts - All that would be kept, by the name of its field.
 */
export function noteIssues(texts: { readonly nota: string | null; readonly request: unknown }): readonly Issue[] {
  const { nota } = texts;
  const isHidden = nota !== null && HIDDEN.test(nota.replaceAll(/[\n\t]/g, ''));
  return [
    ...(isHidden ? [{ path: 'nota', message: 'must have no characters that do not show' }] : []),
    ...Object.entries(texts)
      .filter(([, value]) => CUPS.test(readable(JSON.stringify(value))))
      .map(([path]) => ({ path, message: 'must not hold a CUPS: a proposal says nothing of who the customer is' })),
  ];
}
