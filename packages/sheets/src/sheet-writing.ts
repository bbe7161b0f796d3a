import { createRequire } from 'node:module';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { CellToWrite, ColumnToWrite, SheetToWrite } from '@tarifario/core/service';
import type ExcelJS from 'exceljs';

declare module 'exceljs' {
  interface Worksheet {
    /** Exists in the library but not in its types. */
    readonly dataValidations: { add(range: string, validation: DataValidation): void };
  }
}

// Only what writes: all of the library takes twice as long to load, which the thread of each file would wait for.
const WorkbookWriter: typeof ExcelJS.stream.xlsx.WorkbookWriter = createRequire(import.meta.url)(
  'exceljs/lib/stream/xlsx/workbook-writer.js',
);

/** A sheet without the rows of its table, which are sent separately. */
export type SheetHead =
  | Omit<Extract<SheetToWrite, { kind: 'table' }>, 'rows'>
  | Extract<SheetToWrite, { kind: 'notes' }>;

export interface SheetWriting {
  /** Begins a sheet and completes the previous one. */
  sheet(head: SheetHead): void;
  /** Adds rows to the current table. */
  rows(rows: readonly (readonly CellToWrite[])[]): void;
  /** The whole file. */
  finish(): Promise<Uint8Array<ArrayBuffer>>;
}

/** The first day that the directory of a zip file can name, and its encoding. */
const NO_DATE = new Date('1980-01-01T00:00:00Z');
const ZIP_DATE = 0x00210000;
/** The bytes at the beginning of each entry of the directory. */
const DIRECTORY_ENTRY = 0x02014b50;

/** How many rows below the last one also have choices, for added rows. */
const ROWS_TO_ADD = 1000;

const HEADING: Partial<ExcelJS.Style> = {
  font: { bold: true },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFDDE6F0' } },
  border: { bottom: { style: 'thin' } },
};

/** Writes a workbook sheet by sheet. Only its compressed bytes and its texts are held in memory. */
export function createSheetWriting(): SheetWriting {
  const stream = new PassThrough();
  const bytes = buffer(stream);
  const workbook = new WorkbookWriter({ stream, useStyles: true, useSharedStrings: true });
  // The same sheets are the same bytes, whenever they are written.
  workbook.created = NO_DATE;
  workbook.modified = NO_DATE;
  workbook.creator = 'Tarifario';
  workbook.lastModifiedBy = 'Tarifario';
  let finishSheet = () => {};
  let addRow: (row: readonly CellToWrite[]) => void = () => {};
  return {
    sheet(head) {
      finishSheet();
      const sheet = workbook.addWorksheet(head.name, head.kind === 'table' ? FROZEN_HEADER : {});
      let rowCount = 0;
      addRow = (row) => {
        sheet.addRow(row.map(writable)).commit();
        rowCount += 1;
      };
      if (head.kind === 'table') beginTable(sheet, head.columns);
      else writeNotes(sheet, head);
      finishSheet = () => {
        if (head.kind === 'table') addChoices(sheet, head.columns, { lastRow: rowCount + 1 + ROWS_TO_ADD });
        sheet.commit();
      };
    },
    rows(rows) {
      for (const row of rows) addRow(row);
    },
    async finish() {
      finishSheet();
      await workbook.commit();
      return withoutDates(new Uint8Array(await bytes));
    },
  };
}

/** Writes `NO_DATE` over the time of writing, which the library puts into each part of the zip file. */
function withoutDates(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const view = new DataView(file.buffer);
  // The record at the end of the file, without a comment, has the position of the directory.
  let entry = view.getUint32(file.length - 6, true);
  while (view.getUint32(entry, true) === DIRECTORY_ENTRY) {
    const part = view.getUint32(entry + 42, true);
    for (const at of [entry + 12, part + 10]) view.setUint32(at, ZIP_DATE, true);
    entry +=
      46 + view.getUint16(entry + 28, true) + view.getUint16(entry + 30, true) + view.getUint16(entry + 32, true);
  }
  return file;
}

const FROZEN_HEADER: Partial<ExcelJS.AddWorksheetOptions> = { views: [{ state: 'frozen', ySplit: 1 }] };

function beginTable(sheet: ExcelJS.Worksheet, columns: readonly ColumnToWrite[]): void {
  sheet.columns = columns.map(({ width, numberFormat }) => ({
    width,
    style: numberFormat === undefined ? {} : { numFmt: numberFormat },
  }));
  writeHeading(
    sheet,
    columns.map(({ header }) => header),
  );
}

function writeNotes(sheet: ExcelJS.Worksheet, { widths, lines }: Extract<SheetToWrite, { kind: 'notes' }>): void {
  sheet.columns = widths.map((width) => ({ width, style: { alignment: { wrapText: true, vertical: 'top' } } }));
  for (const { heading, cells } of lines) {
    if (heading) writeHeading(sheet, cells);
    else sheet.addRow(cells.map(writable)).commit();
  }
}

function writeHeading(sheet: ExcelJS.Worksheet, texts: readonly string[]): void {
  const row = sheet.addRow(texts.map(writable));
  for (const [index] of texts.entries()) row.getCell(index + 1).style = HEADING;
  row.commit();
}

function addChoices(
  sheet: ExcelJS.Worksheet,
  columns: readonly ColumnToWrite[],
  { lastRow }: { lastRow: number },
): void {
  for (const [index, { choices }] of columns.entries()) {
    if (!choices) continue;
    const letters = sheet.getColumn(index + 1).letter;
    sheet.dataValidations.add(`${letters}2:${letters}${lastRow}`, {
      type: 'list',
      allowBlank: true,
      showErrorMessage: true,
      formulae: [`"${choices.join(',').replaceAll('"', '""')}"`],
    });
  }
}

/** Characters that XML cannot contain or would change, and text that looks like an escape of one. */
const TO_ESCAPE = /(?![\t\n])\p{Cc}|[\ufffe\uffff\p{Cs}]|_(?=x[0-9A-Fa-f]{4})/gu;

/** The cell as it is passed to the library. Special characters are escaped as in spreadsheets: `_x000D_`. */
function writable(cell: CellToWrite): CellToWrite {
  if (typeof cell !== 'string') return cell;
  return cell.replace(TO_ESCAPE, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `_x${code}_`;
  });
}
