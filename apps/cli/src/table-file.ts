import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Cell } from '@tarifario/core/service';
import { createWorkbookWriter, csvTables } from '@tarifario/runtime';
import { type Arguments, CommandError, UsageError } from './command.ts';
import { cellsOf } from './table.ts';

/**
 * Writes records as a table to the file of `--out` and prints a summary; without `--out`, prints the table as CSV.
 *
 * @throws UsageError for another ending; CommandError where the file cannot be written.
 */
export async function writeTable(records: readonly unknown[], args: Arguments): Promise<string> {
  const [file, format] = [args.value('out'), args.value('format')];
  const ending = extname(file ?? 'table.csv').toLowerCase();
  if (ending !== '.csv' && ending !== '.xlsx') throw new UsageError('--out must end in .csv or .xlsx');
  if (ending === '.xlsx' && format !== null) throw new UsageError('--format is for CSV');
  const cells = records.length === 0 ? [] : cellsOf(records);
  const csv = () => [...csvTables.csv(cells, { separator: format === 'es' ? ';' : ',' })].join('');
  if (file === null) return csv();
  const content = ending === '.csv' ? csv() : await workbookOf(cells);
  await writeFile(file, content).catch((error: Error) => {
    throw new CommandError(`cannot write ${file}: ${error.message}`);
  });
  return `${JSON.stringify({ out: file, rows: records.length }, null, 2)}\n`;
}

async function workbookOf([names = [], ...rows]: readonly (readonly Cell[])[]): Promise<Uint8Array> {
  const writer = createWorkbookWriter();
  try {
    const columns = names.map((name) => ({ header: String(name), width: Math.max(12, String(name).length + 2) }));
    return await writer.write([{ kind: 'table', name: 'tarifario', columns, rows }]);
  } finally {
    await writer.close();
  }
}
