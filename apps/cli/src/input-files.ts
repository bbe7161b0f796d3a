import { once } from 'node:events';
import { createReadStream, fstatSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { DomainError } from '@tarifario/core/service';
import { type Arguments, CommandError, FileRefusal, UsageError } from './command.ts';
import { isNamed } from './expected.ts';

/** In place of the name of a file: standard input. */
const STANDARD_INPUT = '-';

export function isStandardInput(file: string): boolean {
  return file === STANDARD_INPUT;
}

/** A file as messages name it. */
export function shownName(file: string): string {
  return isStandardInput(file) ? 'standard input' : file;
}

/** The bytes of a file in pieces. */
export function streamOf(file: string): Readable {
  return isStandardInput(file) ? process.stdin : createReadStream(file);
}

/** All bytes of a file. */
export function bytesOf(file: string): Promise<Buffer> {
  return buffer(streamOf(file));
}

/** The size of a file in bytes; 0: standard input that is no file. */
export async function sizeOf(file: string): Promise<number> {
  const stats = isStandardInput(file) ? fstatSync(0) : await stat(file);
  return stats.isFile() ? stats.size : 0;
}

/** What standard input has, which has no ending: a workbook, JSON (an object or a list), or else CSV. */
export type InputForm = 'xlsx' | 'json' | 'csv';

export function formOf(bytes: Buffer): InputForm {
  const start = bytes.toString('utf8', 0, 100).trimStart();
  if (start.startsWith('PK')) return 'xlsx';
  return /^[[{]/.test(start) ? 'json' : 'csv';
}

/** The form of standard input, nothing of which is consumed. */
export async function formOfInput(): Promise<InputForm> {
  await once(process.stdin, 'readable');
  const start: Buffer | null = process.stdin.read();
  if (start === null) return 'csv';
  process.stdin.unshift(start);
  return formOf(start);
}

/**
 * Checks the files of a call before one is read.
 *
 * @param names - Of the options that name a file to read.
 * @throws UsageError where `--out` is one of them, under whatever name, or standard input is two of them.
 */
export function checkFiles(names: readonly string[], args: Arguments): void {
  const inputs = names.filter((name) => args.value(name) !== null);
  const ofInput = inputs.filter((name) => isStandardInput(args.required(name)));
  if (ofInput.length > 1) {
    throw new UsageError(`only one of ${ofInput.map((name) => `--${name}`).join(', ')} may be ${STANDARD_INPUT}`);
  }
  const out = args.value('out');
  const written = out === null ? null : identityOf(out);
  const same = written === null ? undefined : inputs.find((name) => identityOf(args.required(name)) === written);
  if (same !== undefined) throw new UsageError(`--out names the file of --${same}`);
}

/** The same for all names of a file; `null`: there is none. */
function identityOf(file: string): string | null {
  try {
    const { dev, ino } = isStandardInput(file) ? fstatSync(0, { bigint: true }) : statSync(file, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return null;
  }
}

/** The JSON of a file. */
export async function readJson(file: string): Promise<unknown> {
  return jsonIn(file, await contentOf(file, ['.json']));
}

export function jsonIn(file: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    if (error instanceof SyntaxError) throw new CommandError(`${shownName(file)}: ${error.message}`);
    throw error;
  }
}

/** @throws UsageError for another ending; without any, CommandError where the file is missing. */
export async function contentOf(file: string, endings: readonly string[]): Promise<Buffer> {
  const ending = extname(file).toLowerCase();
  const isNamed = isStandardInput(file) || endings.includes(ending);
  const wrongEnding = new UsageError(`cannot read ${file}: its name must end in ${endings.join(' or ')}`);
  if (!isNamed && ending !== '') throw wrongEnding;
  const bytes = await bytesOf(file).catch((error: Error) => {
    throw new CommandError(`cannot read ${shownName(file)}: ${error.message}`);
  });
  if (!isNamed) throw wrongEnding;
  return bytes;
}

/** @throws FileRefusal for a refusal. */
export function fromFile<T>(file: string, convert: () => T): T {
  try {
    return convert();
  } catch (error) {
    if (!isNamed<DomainError>(error, 'DomainError')) throw error;
    throw new FileRefusal(shownName(file), error);
  }
}
