/**
 * What a cell holds, as the file has it: nothing is interpreted, and formats do not count. Empty cells are left out.
 *
 * - `text`: never empty; blanks at its ends are kept.
 * - `number`: `text` is what stands in the file, `number` the double that it means, or `null` when it is no finite
 *   decimal number (`1e999`, `12abc`, `1,5`). A date is such a number, in days; see {@link SheetPart.dates1904}.
 * - `formula`: whatever its last result was. `TRUE()` and `FALSE()` are booleans instead: LibreOffice saves them so.
 * - `error`: `text` is what the cell shows, such as `#REF!`.
 */
export type CellValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string; readonly number: number | null }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'formula' }
  | { readonly kind: 'error'; readonly text: string };

/** A cell that holds something. */
export interface SheetCell {
  /** 0 is column A. */
  readonly column: number;
  readonly value: CellValue;
}

/** A row that holds something. */
export interface SheetRow {
  /** As the spreadsheet numbers it: the first one is 1. */
  readonly row: number;
  /** Never empty, in ascending order of column, each column once. */
  readonly cells: readonly SheetCell[];
}

/** Some rows of a sheet, in ascending order. A sheet comes as one part or more, one after the other. */
export interface SheetPart {
  /** 0 for the first sheet of the file. */
  readonly sheet: number;
  /** As written in the file; the empty text for a CSV. Two sheets may have the same. */
  readonly name: string;
  /** Day 0 is 1904-01-01; otherwise day 1 is 1900-01-01, with a 1900-02-29 that never was. */
  readonly dates1904: boolean;
  /** Without those that are empty. No rows at all: the sheet is empty. */
  readonly rows: readonly SheetRow[];
}

/** How large a file may be, in every respect in which one can be made to cost much. */
export interface FileCaps {
  /** Bytes of the file as sent. */
  readonly sentBytes: number;
  /** Bytes of all that is packed in it, and characters of all its cells together. */
  readonly unpackedBytes: number;
  readonly entries: number;
  /** Rows of a sheet that hold something, its header included. */
  readonly rows: number;
  /** Columns of a sheet that hold something, counted from A. */
  readonly columns: number;
  /** Bytes of a cell in UTF-8. */
  readonly cellBytes: number;
}

/**
 * Where a file ends; each number is still allowed.
 *
 * @see docs/assumptions.md, A-45
 */
export const FILE_CAPS: FileCaps = {
  sentBytes: 10 * 1024 * 1024,
  unpackedBytes: 64 * 1024 * 1024,
  entries: 200,
  rows: 50_000,
  columns: 100,
  cellBytes: 4 * 1024,
};

/** Every reason for which a file cannot be read. The list is closed: whoever words them maps it exhaustively. */
export const FILE_FAULTS = [
  /** Larger than {@link FileCaps.sentBytes}. */
  'too_large',
  /** No zip, or a zip without a workbook. */
  'not_a_workbook',
  /** Spreadsheets of other kinds, which their programs can save as XLSX. */
  'xlsb',
  /** Or a workbook with a password, which is wrapped alike. */
  'xls',
  'ods',
  /** Cut off, wrong about itself, or not the XML or CSV that it should be. */
  'damaged',
  'duplicate_entry',
  'too_many_entries',
  /** Larger than {@link FileCaps.unpackedBytes}, by what it says or by what it holds. */
  'too_large_unpacked',
  /** XML with a document type, which could name other files. */
  'doctype',
  'too_deep',
  'not_utf8',
  /** A file of another kind, or a text of two bytes a character. */
  'not_a_text',
  'too_many_rows',
  'too_many_columns',
  'cell_too_long',
  /** A row or column that no spreadsheet has, that comes twice, or that comes after a later one. */
  'bad_position',
  /** The process that reads it had no memory left. */
  'too_much_memory',
  /** Reading took more time than any honest file of this size, or the system has ended it. */
  'too_costly',
] as const;
export type FileFault = (typeof FILE_FAULTS)[number];

/** A file that cannot be read, and where it shows. */
export class UnreadableFile extends Error {
  readonly fault: FileFault;
  /** The name of the sheet; `null`: it is no sheet, or not known which. */
  readonly sheet: string | null;
  /** As the spreadsheet numbers it; `null`: it is no row, or not known which. */
  readonly row: number | null;

  constructor(fault: FileFault, sheet: string | null = null, row: number | null = null) {
    super(fault);
    this.name = 'UnreadableFile';
    this.fault = fault;
    this.sheet = sheet;
    this.row = row;
  }
}

/** A value to write; `null`: an empty cell. Text is written as text, whatever it begins with. */
export type CellToWrite = string | number | boolean | null;

/** A column of a table to write. */
export interface ColumnToWrite {
  readonly header: string;
  /** In characters of the normal font. */
  readonly width: number;
  /** In the notation of spreadsheets, such as `0.000000`; absent: as it comes. */
  readonly numberFormat?: string;
  /** What may be chosen below the header. None holds a comma; joined by commas at most 255 characters. */
  readonly choices?: readonly string[];
}

/** A table, its header in a row that stays in sight, or words in lines. */
export type SheetToWrite =
  | {
      readonly kind: 'table';
      readonly name: string;
      readonly columns: readonly ColumnToWrite[];
      /** Each as long as `columns`. Taken some at a time while the file is made. */
      readonly rows: Iterable<readonly CellToWrite[]>;
    }
  | {
      readonly kind: 'notes';
      readonly name: string;
      /** In characters of the normal font, one for each column. */
      readonly widths: readonly number[];
      readonly lines: readonly { readonly heading: boolean; readonly cells: readonly string[] }[];
    };
