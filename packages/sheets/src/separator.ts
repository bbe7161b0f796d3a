// Apart, because the process that reads files loads nothing of core.
/** What stands between the cells of a CSV. */
export type Separator = ',' | ';';

/** The separator, detected in the header only, because further down a comma may be a decimal comma. */
export function separatorOf(text: string): Separator {
  const [header = ''] = text.split(/[\r\n]/, 1);
  return header.replaceAll(/"[^"]*"/g, '').includes(';') ? ';' : ',';
}
