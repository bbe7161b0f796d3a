import { bulkSheets, type CellToWrite, type SheetToWrite } from '@tarifario/core/service';
import { createWorkbookWriter } from '@tarifario/sheets';

/** Rows of a sheet of the own format, by header. */
export type WorkbookRows = Readonly<Record<string, readonly Readonly<Record<string, CellToWrite>>[]>>;

/** A real workbook with these rows; each sheet has the columns that its rows name. */
export async function workbookBytes(workbook: WorkbookRows): Promise<Uint8Array> {
  const writer = createWorkbookWriter();
  try {
    return await writer.write(Object.entries(workbook).map(([name, rows]) => sheetToWrite(name, rows)));
  } finally {
    await writer.close();
  }
}

function sheetToWrite(name: string, rows: WorkbookRows[string]): SheetToWrite {
  const named = new Set(rows.flatMap((row) => Object.keys(row)));
  const known =
    bulkSheets('own')
      .find((sheet) => sheet.name === name)
      ?.columns.map(({ header }) => header) ?? [];
  const headers = [...known.filter((header) => named.has(header)), ...[...named].filter((h) => !known.includes(h))];
  const columns = headers.map((header) => ({ header, width: 12 }));
  return { kind: 'table', name, columns, rows: rows.map((row) => headers.map((header) => row[header] ?? null)) };
}
