// Apart, because the process that reads files loads nothing of core.
/** What stands between the cells of a CSV. */
export type Separator = ',' | ';' | '\t' | '|';

const SEPARATORS = [';', '\t', '|', ','] as const;
const FIRST_LINES = 20;
const FIRST_LENGTH = 16_384;
/** A line that Excel writes and reads, which may have the separators of the table behind it. */
const HINT = /^"?sep=([,;\t|])"?[,;\t|]*(?=[\r\n]|$)/i;

/** Whether the beginning of a text shows its separator. */
export function showsSeparator(text: string): boolean {
  return text.length >= FIRST_LENGTH || text.split('\n').length > FIRST_LINES;
}

/** The separator of which most of the first lines have equally many, and the text without a hint, which says it. */
export function separatedText(text: string): { readonly text: string; readonly separator: Separator } {
  const [hint = '', said] = HINT.exec(text) ?? [];
  if (said !== undefined) return { text: text.slice(hint.length), separator: said as Separator };
  const start = text.slice(0, FIRST_LENGTH).replaceAll(/"[^"]*"/g, '');
  const lines = start.split(/[\r\n]+/).filter((line) => line !== '');
  // Below a header with another separator a comma in a number is its decimal mark.
  const [header = ''] = lines.filter((line) => /[;\t|,]/.test(line));
  const withoutMarks = (line: string) => (header.includes(',') ? line : line.replaceAll(/(?<=\d),(?=\d)/g, ''));
  const agreeing = SEPARATORS.map((separator) => {
    const shown = lines.slice(0, FIRST_LINES).map((line) => (separator === ',' ? withoutMarks(line) : line));
    const counts = shown.map((line) => line.split(separator).length);
    return Math.max(0, ...counts.map((count) => (count > 1 ? counts.filter((other) => other === count).length : 0)));
  });
  const most = Math.max(...agreeing);
  return { text, separator: most === 0 ? ',' : (SEPARATORS[agreeing.indexOf(most)] ?? ',') };
}

/** By a mark, or by half of a plain letter. */
const UTF16 = [
  [/^(ÿþ|[^\0]\0)/, 'utf-16le'],
  [/^(þÿ|\0[^\0])/, 'utf-16be'],
] as const;

/**
 * What decodes the pieces of a text: UTF-16 by its first two bytes, UTF-8, or else the Latin-1 of Windows. `null`: it has
 * characters of UTF-8 and bytes that are none.
 */
export async function decoderOf(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<InstanceType<typeof TextDecoder> | null> {
  const [utf8, latin1] = [new TextDecoder('utf-8', { fatal: true }), new TextDecoder('windows-1252')];
  let start: string | null = null;
  let [hasUtf8, isUtf8] = [false, true];
  const take = (piece?: Uint8Array) => {
    try {
      const text = utf8.decode(piece, { stream: piece !== undefined });
      hasUtf8 ||= /[^\0-\x7f]/.test(text);
    } catch {
      isUtf8 = false;
      hasUtf8 ||= /[ÂÃ][\u00a0-\u00bf]/.test(latin1.decode(piece));
    }
  };
  for await (const piece of pieces) {
    start ??= latin1.decode(piece.subarray(0, 2));
    // A stream that is read to its end can be read again.
    if (isUtf8) take(piece);
  }
  if (isUtf8) take();
  const [, utf16] = UTF16.find(([bytes]) => bytes.test(start ?? '')) ?? [];
  if (utf16) return new TextDecoder(utf16);
  if (isUtf8) return new TextDecoder();
  return hasUtf8 ? null : latin1;
}
