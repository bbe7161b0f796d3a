import { type CellToWrite, type SheetToWrite, UnreadableFile, type Workbooks } from '@tarifario/core/service';
import { plainCurveParts, toSheetRows } from '@tarifario/core/testing';

/** The rows of a sheet, the header first. */
export const sheet = (...rows: readonly (readonly CellToWrite[])[]) => rows;

/** Rows of each sheet by its name, the header first. */
export type SheetsByHand = Readonly<Record<string, readonly (readonly CellToWrite[])[]>>;

/** How a test makes the file of a workbook. */
export type MakeFile = (sheets: SheetsByHand) => Uint8Array<ArrayBuffer>;

/** A workbook as JSON: what becomes of a real one is for others to test. */
export const fakeFile: MakeFile = (sheets) => new TextEncoder().encode(JSON.stringify(sheets));

/** The sheets of a workbook as JSON. */
export function sheetsOf(bytes: Uint8Array): SheetsByHand {
  return JSON.parse(new TextDecoder().decode(bytes));
}

function readSheets(bytes: Uint8Array): SheetsByHand {
  try {
    return sheetsOf(bytes);
  } catch {
    throw new UnreadableFile('not_a_workbook');
  }
}

export const fakeWorkbooks: Workbooks = {
  async *read(bytes, form) {
    if (form === 'curve' || typeof bytes === 'string') return yield* plainCurveParts(bytes);
    for (const [sheet, [name, rows]] of Object.entries(readSheets(bytes)).entries()) {
      yield { sheet, name, dates1904: false, rows: toSheetRows(rows) };
    }
  },
  write: async (sheets) => fakeFile(Object.fromEntries(sheets.map((sheet) => [sheet.name, rowsOf(sheet)]))),
};

function rowsOf(sheet: SheetToWrite): readonly (readonly CellToWrite[])[] {
  if (sheet.kind === 'notes') return sheet.lines.map(({ cells }) => cells);
  return [sheet.columns.map(({ header }) => header), ...sheet.rows];
}
