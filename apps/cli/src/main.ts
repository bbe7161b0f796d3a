import { type Command, CommanderError } from 'commander';
import { type Arguments, FileRefusal, type Output, UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';
import { isExpected, isNamed } from './expected.ts';
import { createProgram } from './program.ts';

// Each write reports its own error. A server keeps running when the reader of its output has gone.
process.stdout.on('error', () => {});

/**
 * Runs one command.
 *
 * @param args - The arguments after the name of the program.
 * @returns The exit status: 0, 1 when the command failed, 2 when its arguments were wrong.
 */
export async function main(args: readonly string[]): Promise<number> {
  try {
    return await run(args);
  } catch (error) {
    return await report(error, args);
  }
}

async function run(args: readonly string[]): Promise<number> {
  let text = '';
  let status = 0;
  const program = createProgram({
    write: (part) => {
      text += part;
    },
    finish: async (output, values, isPretty) => {
      text = await textOf(output, values, isPretty);
      status = output.status ?? 0;
    },
  });
  if (args[0] === 'completion' || args[0] === 'complete') await addCompletion(program);
  try {
    await program.parseAsync(withHelpLast(args), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw usageErrorOf(error, args);
  }
  // A server that has ended prints nothing, because its output may have no reader left.
  return text === '' ? status : (await print(text)) || status;
}

async function textOf({ json, pretty, records }: Output, values: Arguments, isPretty: boolean): Promise<string> {
  if (records !== undefined && (values.value('out') !== null || values.value('format') !== null)) {
    const { writeTable } = await import('./table-file.ts');
    return writeTable(records, values);
  }
  if (!isPretty) return `${JSON.stringify(json, null, 2)}\n`;
  const { formatRecords } = await import('./table.ts');
  return pretty ?? `${formatRecords(json).join('\n')}\n`;
}

/** The message of commander, as one line of ours. */
function usageErrorOf({ code, message }: CommanderError, args: readonly string[]): UsageError {
  const called = args.join(' ');
  if (code === 'commander.help') {
    const words = COMMANDS.filter((spec) => spec.words.startsWith(`${called} `)).map(
      (spec) => spec.words.split(' ')[1],
    );
    return new UsageError(`${called} needs one of ${words.join(', ')}`);
  }
  if (code === 'commander.excessArguments') {
    const spec = COMMANDS.find(({ words }) => called.startsWith(words));
    return new UsageError(`${spec?.words} takes no word more without an option`);
  }
  // The text after a wrong name may be a password.
  return new UsageError(
    withoutPrivateWords(message, args)
      .replace(/^error: /, '')
      .replace(/=[\s\S]*?'/, "'")
      .replaceAll('\n', ' '),
  );
}

/**
 * `help rank` and `--help rank` are `rank --help`, and nothing is `--help`; `help rnak` is `rnak`, which commander refuses
 * with a suggestion.
 */
function withHelpLast(args: readonly string[]): readonly string[] {
  const [first = 'help', ...others] = args;
  if (!['help', '-h', '--help'].includes(first)) return args;
  const isCommand = ({ words }: { readonly words: string }) =>
    words.split(' ').every((word, index) => (others[index] ?? word) === word);
  const isMistyped = /^(?!-|completion$)/.test(others[0] ?? '-') && !COMMANDS.some(isCommand);
  return isMistyped ? others : [...others, '--help'];
}

/** @returns The exit status: 1 when the reader is gone (`| head`), without a message. */
function print(text: string): Promise<number> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error) resolve(0);
      else if ('code' in error && error.code === 'EPIPE') resolve(1);
      else reject(error);
    });
  });
}

/** `completion SHELL`, and the requests that the shell then makes at each press of the key. */
async function addCompletion(program: Command): Promise<void> {
  const { default: tab } = await import('@bomb.sh/tab/commander');
  tab(program, { completionCommandName: 'completion' });
}

async function report(error: unknown, args: readonly string[]): Promise<number> {
  const tell = (text: string) => void process.stderr.write(`tarifario: ${withoutPrivateWords(text, args)}\n`);
  if (error instanceof UsageError || isNamed(error, 'ConfigError')) {
    const hint = error instanceof UsageError ? ' (tarifario --help shows the commands)' : '';
    tell(`${error.message}${hint}`);
    return 2;
  }
  const { DomainError, inWords } = await import('@tarifario/core/service');
  const { toWireIssue } = await import('@tarifario/api');
  const refusal = error instanceof FileRefusal ? error.refusal : error;
  const where = error instanceof FileRefusal ? `${error.file}: ` : '';
  if (refusal instanceof DomainError) {
    const { details } = refusal;
    const issues = 'issues' in details ? (details.issues ?? []) : [];
    const openRates = 'openRates' in details ? (details.openRates ?? []) : [];
    const lines = [
      // The issues of a refusal without a message of its own follow, with their names in files.
      `${where}${details.message === undefined ? refusal.code : refusal.message}`,
      ...issues.map(toWireIssue).map(({ path, message }) => `  ${path}: ${inWords(message)}`),
      ...openRates.flatMap(({ concept, values }) =>
        values.map(({ value, condition }) => `  ${concept}: ${value} ${inWords(condition)}`),
      ),
    ];
    tell(lines.join('\n'));
    return 1;
  }
  if (isExpected(error)) {
    tell(error.message);
    return 1;
  }
  // A bug: everything is shown, so that the user can report it.
  console.error(error);
  return 1;
}

/**
 * The address of an invoice, or a text that could have the number of a supply point (ES and 16 digits), also mistyped.
 */
function couldTell(word: string): boolean {
  return /:\/\/|cnmc|cups=/i.test(word) || /\d{12}/.test(word.replaceAll(/[^a-z\d]/gi, ''));
}

/** A text about a call without those of its arguments that could identify a supply point. */
function withoutPrivateWords(text: string, args: readonly string[]): string {
  const words = args.flatMap((arg) => [arg, arg.slice(arg.indexOf('=') + 1)]).filter(couldTell);
  return words.reduce((shown, word) => shown.replaceAll(word, '(not shown)'), text);
}
