import { hasCups } from '../../engine/cups.ts';
import type { Issue } from '../../engine/errors.ts';

/** Longest note of a proposal, in characters of UTF-16. */
export const MAX_NOTE_LENGTH = 2000;

/** All invisible characters except tabs and ends of lines, and the joiners of emoji. */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?!\u200d|\ufe0e|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** All texts of a JSON value, names of members included. */
function textsIn(value: unknown): readonly string[] {
  const texts: string[] = [];
  JSON.stringify(value, (name, member: unknown) => {
    texts.push(name);
    if (typeof member === 'string') texts.push(member);
    return member;
  });
  return texts;
}

/** A note as it is stored: composed, with one kind of line ends. A note that is too long is returned unchanged. */
export function cleanNote(text: string): string {
  if (text.length > MAX_NOTE_LENGTH) return text;
  return text.replaceAll(/\r\n?/g, '\n').normalize('NFC').trim();
}

/**
 * The texts that must not be stored with a proposal: a supply point anywhere, and invisible characters in the note.
 *
 * @param texts - All texts to be stored, by the name of the field.
 */
export function noteIssues(texts: { readonly nota: string | null; readonly request: unknown }): readonly Issue[] {
  const { nota } = texts;
  const isHidden = nota !== null && HIDDEN.test(nota.replaceAll(/[\n\t]/g, ''));
  const hidden: Issue = { path: 'nota', message: 'must have no characters that do not show' };
  return [
    ...(isHidden ? [hidden] : []),
    ...Object.entries(texts)
      .filter(([, value]) => textsIn(value).some(hasCups))
      .map(
        ([path]): Issue => ({
          ...{ path, message: 'must not hold a CUPS: a proposal says nothing of who the customer is' },
        }),
      ),
  ];
}
