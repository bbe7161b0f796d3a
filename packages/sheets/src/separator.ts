// Apart, because the process that reads files loads nothing of core.
/** What stands between the cells of a CSV. */
export type Separator = ',' | ';' | '\t';

/** The separator, detected in the header only, because further down a comma may be a decimal comma. */
export function separatorOf(text: string): Separator {
  const [header = ''] = /[^\r\n]+/.exec(text) ?? [];
  const [, hint] = /^"?sep=([,;\t])/i.exec(header) ?? [];
  const bare = hint ?? header.replaceAll(/"[^"]*"/g, '');
  if (bare.includes(';')) return ';';
  return bare.includes('\t') && !bare.includes(',') ? '\t' : ',';
}

/** Whether a cell is the hint that Excel writes and reads, a first line such as `sep=;`, with or without the separator. */
export function isHint(cell: string): boolean {
  return /^sep=[,;\t]?$/i.test(cell);
}

const FIRST_LINES = 20;
const SEPARATORS = [';', '\t', ','] as const;

/** The separator where lines without one may stand above the header: the first of these in half of the first lines. */
export function commonSeparatorOf(text: string): Separator {
  const lines = text
    .slice(0, 16_384)
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '')
    .slice(0, FIRST_LINES);
  return SEPARATORS.find((one) => 2 * lines.filter((line) => line.includes(one)).length >= lines.length) ?? ',';
}

/** A text in UTF-16 with its mark, in UTF-8, or in the Latin-1 of Windows. */
export function csvText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
