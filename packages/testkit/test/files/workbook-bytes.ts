import { bulkSheets, type CellToWrite } from '@tarifario/core/service';
import { createSheetWriting } from '@tarifario/sheets/sheet-writing';

/** Rows of a sheet of the own format, by header. */
export type WorkbookRows = Readonly<Record<string, readonly Readonly<Record<string, CellToWrite>>[]>>;

/** A real workbook with these rows; each sheet has the columns that its rows name. Made in this thread. */
export function workbookBytes(workbook: WorkbookRows): Promise<Uint8Array> {
  const writing = createSheetWriting();
  for (const [name, rows] of Object.entries(workbook)) {
    const headers = headersOf(name, rows);
    writing.sheet({ kind: 'table', name, columns: headers.map((header) => ({ header, width: 12 })) });
    writing.rows(rows.map((row) => headers.map((header) => row[header] ?? null)));
  }
  return writing.finish();
}

/** The headers that the rows name: those of the format in its order, then others. */
function headersOf(name: string, rows: WorkbookRows[string]): readonly string[] {
  const named = new Set(rows.flatMap((row) => Object.keys(row)));
  const columns = bulkSheets('own').find((sheet) => sheet.name === name)?.columns ?? [];
  const inOrder = columns.map(({ header }) => header).filter((header) => named.has(header));
  return [...new Set([...inOrder, ...named])];
}
