import { parseArgs } from 'node:util';

/** The command was called in a way that it cannot be: exit status 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** The command was understood and cannot be done: exit status 1. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}

/** What a command prints: a JSON document and, for people, a text that is used under `--pretty`. */
export interface Output {
  readonly json: unknown;
  /** `null`: a plain table made of the document. */
  readonly pretty: string | null;
}

/** Runs with the arguments after its own words. `null`: everything has been printed already. */
export type Run = (args: Arguments) => Promise<Output | null>;

export interface Command {
  /** The words that call it, e.g. `account create`. */
  readonly words: string;
  /** Its arguments, as the help shows them. */
  readonly usage: string;
  /** Options that take a value, without the dashes. */
  readonly values?: readonly string[];
  /** Options that take none. */
  readonly flags?: readonly string[];
  /** Names of what follows without an option, all of them required. */
  readonly positionals?: readonly string[];
  readonly run: Run;
}

/** The arguments of one call, checked against what the command takes. */
export interface Arguments {
  /** The value of an option, `null` when not given. */
  value(name: string): string | null;
  /** @throws UsageError when not given. */
  required(name: string): string;
  flag(name: string): boolean;
}

/**
 * Reads the arguments of a command.
 *
 * @throws UsageError for an unknown option, a repeated one, a missing value, too many or too few words.
 */
export function readArguments(command: Command, args: readonly string[]): { arguments: Arguments; isPretty: boolean } {
  const { values = [], flags = [], positionals = [] } = command;
  const string = values.map((name) => [name, { type: 'string', multiple: true }] as const);
  const boolean = [...flags, 'pretty'].map((name) => [name, { type: 'boolean' }] as const);
  const parsed = parse(args, Object.fromEntries([...string, ...boolean]));
  if (parsed.positionals.length !== positionals.length) {
    const wanted = positionals.length === 0 ? 'takes no word without an option' : `takes ${positionals.join(' ')}`;
    throw new UsageError(`${command.words} ${wanted}`);
  }
  const given = new Map<string, string>(positionals.map((name, index) => [name, parsed.positionals[index] ?? '']));
  for (const name of values) {
    const [value, ...others] = [parsed.values[name] ?? []].flat();
    if (others.length > 0) throw new UsageError(`--${name} is given more than once`);
    if (typeof value === 'string') given.set(name, value);
  }
  return {
    isPretty: parsed.values.pretty === true,
    arguments: {
      value: (name) => given.get(name) ?? null,
      required(name) {
        const value = given.get(name);
        if (value === undefined) throw new UsageError(`${command.words} needs --${name}`);
        return value;
      },
      flag: (name) => parsed.values[name] === true,
    },
  };
}

function parse(args: readonly string[], options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean }>) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(error.message.split('\n')[0] ?? 'wrong options');
  }
}

/** A record's id. @throws UsageError */
export function idFrom(text: string, name: string): number {
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(id)) throw new UsageError(`${name} must be a whole number from 1`);
  return id;
}

/** A whole number within bounds, both included. @throws UsageError */
export function wholeNumberFrom(text: string, name: string, { min, max }: { min: number; max: number }): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw new UsageError(`${name} must be a whole number from ${min} to ${max}`);
  return value;
}

/** One of a few words. @throws UsageError */
export function oneOf<T extends string>(choices: readonly T[], text: string, name: string): T {
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) throw new UsageError(`${name} must be one of ${choices.join(', ')}`);
  return choice;
}
