import type { DomainError } from '@tarifario/core/service';

/** The arguments of the command are wrong: exit status 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** The command failed: exit status 1. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}

/** A refusal of what a file has. */
export class FileRefusal extends Error {
  readonly file: string;
  readonly refusal: DomainError;

  constructor(file: string, refusal: DomainError) {
    super(refusal.message, { cause: refusal });
    this.name = 'FileRefusal';
    this.file = file;
    this.refusal = refusal;
  }
}

/** The output of a command: a JSON document and, with `--pretty`, a text for people. */
export interface Output {
  readonly json: unknown;
  /** Absent: a plain table of the document. */
  readonly pretty?: string;
  /** What becomes a table in a file or in CSV; absent where the command writes its own. */
  readonly records?: readonly unknown[];
  /** The exit status where the output reports a failure; 0 by default. */
  readonly status?: number;
}

/** Runs with the arguments after the words of the command. `null`: everything has already been printed. */
export type Run = (args: Arguments) => Promise<Output | null>;

/** The checked arguments of a call. */
export interface Arguments {
  /** The value of an option, `null` when not given. */
  value(name: string): string | null;
  /** @throws UsageError when not given. */
  required(name: string): string;
  flag(name: string): boolean;
  /** The words without an option. */
  readonly operands: readonly string[];
}

/** A record's id. @throws UsageError */
export function idFrom(text: string, name: string): number {
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(id)) throw new UsageError(`${name} must be a whole number from 1`);
  return id;
}

/** A whole number within bounds, both included. @throws UsageError */
export function wholeNumberFrom(text: string, name: string, { min, max }: { min: number; max: number }): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw new UsageError(`${name} must be a whole number from ${min} to ${max}`);
  return value;
}

/** One of a few words. @throws UsageError */
export function oneOf<T extends string>(choices: readonly T[], text: string, name: string): T {
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) throw new UsageError(`${name} must be one of ${choices.join(', ')}`);
  return choice;
}
