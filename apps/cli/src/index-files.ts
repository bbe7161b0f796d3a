import { CsvError, createIndexFileReader, DomainError, type IndexChoice } from '@tarifario/core/service';
import { csvRows } from '@tarifario/runtime';
import { CommandError, FileRefusal } from './command.ts';
import { jsonIn, shownName, streamOf } from './input-files.ts';

const MAX_MIB = 64;

/** The days of UTC of a publication. @throws CommandError, FileRefusal */
export async function indexDaysIn(
  file: string,
  { index, choice }: { readonly index: string; readonly choice: IndexChoice },
) {
  const bytes = await bytesWithin(file, MAX_MIB * 2 ** 20).catch((error: Error) => {
    throw new CommandError(`cannot read ${shownName(file)}: ${error.message}`);
  });
  if (bytes === null) throw new CommandError(`${shownName(file)} is larger than ${MAX_MIB} MiB`);
  const reader = createIndexFileReader(choice);
  try {
    // ESIOS names its zones in UTF-8, some tools in Latin-1; nothing of them is read.
    if (/^\s*\{/.test(bytes.toString('latin1', 0, 100).replace('ï»¿', ''))) reader.takeJson(jsonIn(file, bytes));
    else for await (const row of csvRows(textOf(bytes))) reader.takeRow(row);
    return reader.finish(index);
  } catch (error) {
    if (error instanceof DomainError) throw new FileRefusal(shownName(file), error);
    if (error instanceof CsvError) throw new CommandError(`${shownName(file)}: ${error.message}`);
    throw error;
  }
}

/** `null`: it has more, which is not read. */
async function bytesWithin(file: string, most: number): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of streamOf(file)) {
    pieces.push(piece);
    length += piece.length;
    if (length > most) return null;
  }
  return Buffer.concat(pieces);
}

const PIECE = 65_536;

async function* textOf(bytes: Buffer): AsyncGenerator<string> {
  const start = bytes.toString('latin1', 0, 3) === 'ï»¿' ? 3 : 0;
  for (let at = start; at < bytes.length; at += PIECE) yield bytes.toString('latin1', at, at + PIECE);
}
