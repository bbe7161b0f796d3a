import { Help, type HelpConfiguration } from 'commander';

/** The columns of the terminal; elsewhere 80. */
function columns(): number {
  return (process.stdout.isTTY && process.stdout.columns) || 80;
}

/** Texts have this many columns at least, however narrow the terminal is. */
const MIN_TEXT_COLUMNS = 20;

/** Of the columns, for options and commands beside their texts. */
const MAX_TERM_SHARE = 0.4;

const plain = Object.assign(new Help(), { minWidthToWrap: MIN_TEXT_COLUMNS });

/** A text whose lines end where the terminal ends. What comes after such an end is indented by four. */
export function wrapped(text: string, lineEnd = '\n'): string {
  const lines = text.split('\n').map((line) => plain.boxWrap(line, columns() - 4).replaceAll('\n', `${lineEnd}    `));
  return lines.join('\n');
}

/** A command that can be copied to a shell: a line that is continued ends with a backslash, and no quoted text is cut. */
export function wrappedExample(example: string): string {
  const whole = example.replaceAll(/"[^"]*"/g, (quoted) => quoted.replaceAll(' ', '\0'));
  return wrapped(`  ${whole}`, ' \\\n').replaceAll('\0', ' ');
}

/** Help as wide as the terminal. */
export const HELP_LAYOUT: HelpConfiguration = {
  minWidthToWrap: MIN_TEXT_COLUMNS,
  commandUsage: (command) => wrapped(`Usage: ${plain.commandUsage(command)}`).slice('Usage: '.length),
  padWidth: (command, helper) => Math.min(plain.padWidth(command, helper), Math.floor(columns() * MAX_TERM_SHARE)),
  // A term that is wider than its column has a line of its own.
  formatItem(term, termWidth, description, helper) {
    const format = (own: string) => Help.prototype.formatItem.call(helper, own, termWidth, description, helper);
    return term.length <= termWidth ? format(term) : `  ${term}\n${format('')}`;
  },
};
