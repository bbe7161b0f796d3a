import { indexList } from '@tarifario/api';
import {
  createIndexFileReader,
  DomainError,
  INDEX_NAME,
  type IndexChoice,
  type IndexDay,
  importIndex,
} from '@tarifario/core/service';
import { csvRows } from '@tarifario/runtime';
import { type Arguments, CommandError, FileRefusal, type Run, UsageError } from './command.ts';
import { withDatabase } from './database.ts';
import { bytesOf, jsonIn, shownName, sizeOf } from './input-files.ts';

const MAX_MIB = 64;

/** Stores the prices of some files, all or none. */
export const importIndices: Run = async (args) => {
  const index = args.required('as');
  if (!INDEX_NAME.test(index)) throw new UsageError('--as must be capital letters and digits, - and _, at most 32');
  const choice = { geo: args.value('geo'), series: args.value('serie') };
  const files: (readonly IndexDay[])[] = [];
  for (const file of args.operands) files.push(await daysIn(file, { index, choice }));
  return withDatabase(async ({ store, clock }) => {
    const done = await importIndex({ store, at: clock.now() }, index, files);
    const { from, to, hours, newHours, changedHours, incompleteDays } = done;
    const counts = { horas: hours, nuevas: newHours, cambiadas: changedHours };
    return { json: { indice: index, desde: from, hasta: to, ...counts, huecos: incompleteDays } };
  });
};

async function daysIn(file: string, { index, choice }: { readonly index: string; readonly choice: IndexChoice }) {
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

/** The indices of the installation. */
export const listIndices: Run = async (_args: Arguments) =>
  withDatabase(async ({ store }) => {
    const { indices } = indexList.toWire(await store.read((reader) => reader.indices.list()));
    return { json: indices, records: indices };
  });
