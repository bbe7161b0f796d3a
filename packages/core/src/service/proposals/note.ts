import { hasCups } from '../../engine/cups.ts';
import type { Issue } from '../../engine/errors.ts';

/** Longest note of a proposal, in characters of UTF-16. */
export const MAX_NOTE_LENGTH = 2000;
/** Longest `ref` of a proposal, in characters of UTF-16. */
export const MAX_REF_LENGTH = 80;

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
 * The texts that must not be stored with a proposal: a supply point anywhere, and invisible characters in what people
 * type.
 *
 * @param texts - All texts to be stored, by the name of the field.
 */
export function noteIssues(texts: {
  readonly nota: string | null;
  readonly ref: string | null;
  readonly request: unknown;
}): readonly Issue[] {
  const typed = { nota: texts.nota?.replaceAll(/[\n\t]/g, ''), ref: texts.ref };
  return [
    ...Object.entries(typed)
      .filter(([, text]) => HIDDEN.test(text ?? ''))
      .map(([path]): Issue => ({ path, message: 'must have no characters that do not show' })),
    ...Object.entries(texts)
      .filter(([, value]) => textsIn(value).some(hasCups))
      .map(
        ([path]): Issue => ({
          ...{ path, message: 'must not hold a CUPS: a proposal says nothing of who the customer is' },
        }),
      ),
  ];
}
