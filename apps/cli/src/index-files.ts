import { createIndexFileReader, DomainError, type IndexChoice } from '@tarifario/core/service';
import { csvRows } from '@tarifario/runtime';
import { CommandError, FileRefusal } from './command.ts';
import { bytesOf, jsonIn, shownName, sizeOf } from './input-files.ts';

const MAX_MIB = 64;

/** The days of UTC of a publication. @throws CommandError, FileRefusal */
export async function indexDaysIn(
  file: string,
  { index, choice }: { readonly index: string; readonly choice: IndexChoice },
) {
  const cannot = (error: Error) => new CommandError(`cannot read ${shownName(file)}: ${error.message}`);
  const size = await sizeOf(file).catch((error: Error) => {
    throw cannot(error);
  });
  if (size > MAX_MIB * 2 ** 20) throw new CommandError(`${shownName(file)} is larger than ${MAX_MIB} MiB`);
  const bytes = await bytesOf(file).catch((error: Error) => {
    throw cannot(error);
  });
  const reader = createIndexFileReader(choice);
  try {
    // ESIOS names its zones in UTF-8, some tools in Latin-1; nothing of them is read.
    if (/^\s*\{/.test(bytes.toString('latin1', 0, 100).replace('ï»¿', ''))) reader.takeJson(jsonIn(file, bytes));
    else for await (const row of csvRows(textOf(bytes))) reader.takeRow(row);
    return reader.finish(index);
  } catch (error) {
    if (error instanceof DomainError) throw new FileRefusal(shownName(file), error);
    throw error;
  }
}

const PIECE = 65_536;

async function* textOf(bytes: Buffer): AsyncGenerator<string> {
  const start = bytes.toString('latin1', 0, 3) === 'ï»¿' ? 3 : 0;
  for (let at = start; at < bytes.length; at += PIECE) yield bytes.toString('latin1', at, at + PIECE);
}
