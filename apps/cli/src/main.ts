import { DomainError } from '@tarifario/core/service';
import { ConfigError } from '@tarifario/runtime';
import { accountCommands } from './account.ts';
import { backupCommand } from './backup.ts';
import { catalogCommands } from './catalog.ts';
import { type Command, CommandError, readArguments, UsageError } from './command.ts';
import { demoCommands } from './demo/demo.ts';
import { keyCommands } from './key.ts';
import { migrateCommand } from './migrate.ts';
import { rankCommand } from './rank.ts';
import { serveCommand } from './serve.ts';
import { subscriptionCommand } from './subscription.ts';
import { formatRecords } from './table.ts';

const COMMANDS: readonly Command[] = [
  migrateCommand,
  serveCommand,
  ...accountCommands,
  subscriptionCommand,
  ...keyCommands,
  ...catalogCommands,
  backupCommand,
  ...demoCommands,
  rankCommand,
];

// Who prints is told by its own write; a server goes on when nobody hears where it listens.
process.stdout.on('error', () => {});

/**
 * Runs one command.
 *
 * @param args - What follows the program's name.
 * @returns The exit status: 0, 1 when it could not be done, 2 when it was called wrongly.
 */
export async function main(args: readonly string[]): Promise<number> {
  try {
    if (args[0] === 'help' || args.includes('--help')) {
      return await print(helpText());
    }
    const command = findCommand(args);
    const read = readArguments(command, args.slice(command.words.split(' ').length));
    const output = await command.run(read.arguments);
    if (output === null) return 0;
    const pretty = () => output.pretty ?? `${formatRecords(output.json).join('\n')}\n`;
    return await print(read.isPretty ? pretty() : `${JSON.stringify(output.json, null, 2)}\n`);
  } catch (error) {
    return report(error);
  }
}

/** @returns The exit status: 1 when whoever reads has gone (`| head`), who needs no word about it. */
function print(text: string): Promise<number> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error) resolve(0);
      else if ('code' in error && error.code === 'EPIPE') resolve(1);
      else reject(error);
    });
  });
}

function findCommand(args: readonly string[]): Command {
  const command = COMMANDS.find(({ words }) => words.split(' ').every((word, index) => args[index] === word));
  if (command) return command;
  const asked = args.filter((arg) => !arg.startsWith('-')).slice(0, 2);
  throw new UsageError(asked.length === 0 ? 'a command is needed' : `no such command: ${asked.join(' ')}`);
}

function report(error: unknown): number {
  if (error instanceof UsageError || error instanceof ConfigError) {
    const hint = error instanceof UsageError ? ' (tarifario --help shows the commands)' : '';
    process.stderr.write(`tarifario: ${error.message}${hint}\n`);
    return 2;
  }
  if (error instanceof DomainError || isForTheOperator(error)) {
    const issues = error instanceof DomainError ? (error.details.issues ?? []) : [];
    const lines = [error.message, ...issues.map(({ path, message }) => `  ${path}: ${message}`)];
    process.stderr.write(`tarifario: ${lines.join('\n')}\n`);
    return 1;
  }
  // A bug: whoever runs the command is who can report it, so the whole story is shown.
  console.error(error);
  return 1;
}

/**
 * What a command could not do, what the store says in words of its own (a plain Error), and what the system refused:
 * a file that is missing, a port that is taken.
 */
function isForTheOperator(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return error instanceof CommandError || error.name === 'Error';
}

function helpText(): string {
  const lines = COMMANDS.map(({ words, usage }) => `  tarifario ${words} ${usage}`.trimEnd());
  return `Usage:\n${lines.join('\n')}\n\nEvery command takes --pretty for tables in place of JSON, and reads DATABASE_URL.\n`;
}
