import { inWords, type Message, say } from './messages/message.ts';

/** What the number format of a cell makes of a number. */
export type NumberFormat = 'percent' | 'date';

/**
 * The content of a cell as it is in the file: nothing is interpreted. Empty cells are left out.
 *
 * - `text`: never empty; spaces at its ends are preserved.
 * - `number`: `text` is the text in the file, `number` the double that it means, or `null` when it is no finite
 *   decimal number (`1e999`, `12abc`, `1,5`). A date is such a number, in days; see {@link SheetPart.dates1904}. A percentage
 *   is one too: 0.1 is shown as 10 %.
 * - `formula`: whatever its last result was. Exception: `TRUE()` and `FALSE()` are booleans, because LibreOffice saves
 *   booleans that way.
 * - `error`: `text` is what the cell shows, such as `#REF!`.
 */
export type CellValue =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'number';
      readonly text: string;
      /** The number in the cell; `null`: the text is too long for one. */
      readonly number: number | null;
      /** What it is shown as, where that is not just a number. */
      readonly format?: NumberFormat;
    }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'formula' }
  | { readonly kind: 'error'; readonly text: string };

/** A non-empty cell. */
export interface SheetCell {
  /** The place of the column: 0 is column A. */
  readonly column: number;
  readonly value: CellValue;
  /** It is that of the first cell of the merged range that this one is in. */
  readonly isMerged?: true;
}

/** A non-empty row. */
export interface SheetRow {
  /** The number that the spreadsheet gives it: the first one is 1. */
  readonly row: number;
  /** Never empty, in ascending order of column, each column once. */
  readonly cells: readonly SheetCell[];
}

/** Some rows of a sheet, in ascending order. A sheet comes as one part or more, one after the other. */
export interface SheetPart {
  /** The place of the sheet in the file, 0 for the first. */
  readonly sheet: number;
  /** As written in the file; the empty text for a CSV. Two sheets may have the same. */
  readonly name: string;
  /**
   * `true`: day 0 is 1904-01-01. Otherwise day 1 is 1900-01-01, and spreadsheets count a 1900-02-29 that did not exist.
   */
  readonly dates1904: boolean;
  /** A CSV has commas between its cells. */
  readonly hasCommas?: true;
  /** Without empty rows. No rows at all: the sheet is empty. */
  readonly rows: readonly SheetRow[];
}

/** Limits on every dimension in which a file can be made expensive. */
export interface FileCaps {
  /** A number: bytes of the file as sent. */
  readonly sentBytes: number;
  /** A number: unpacked bytes of the file, and characters of all its cells together. */
  readonly unpackedBytes: number;
  /** The number of files in the archive. */
  readonly entries: number;
  /** The number of non-empty rows of a sheet, including its header. */
  readonly rows: number;
  /** The number of columns of a sheet, from A to the last non-empty one. */
  readonly columns: number;
  /** A number: bytes of a cell in UTF-8. */
  readonly cellBytes: number;
}

const MIB = 1024 * 1024;

//
/**
 * The limits on files; each number is still allowed.
 */
export const FILE_CAPS: FileCaps = {
  sentBytes: 10 * MIB,
  unpackedBytes: 64 * MIB,
  entries: 200,
  rows: 50_000,
  columns: 100,
  cellBytes: 4 * 1024,
};

const grouped = (number: number) => String(number).replace(/\B(?=(?:\d{3})+$)/g, ' ');

/** Every reason for which a file cannot be read, and its message. */
export const FILE_FAULTS = {
  too_large: say('it is larger than {size} MiB', { size: FILE_CAPS.sentBytes / MIB }),
  /** Not a zip, or a zip without a workbook. */
  not_a_workbook: 'it is not an XLSX workbook',
  xlsb: 'it is an XLSB workbook: save it as XLSX',
  /** A workbook with a password has the same container. */
  xls: 'it is an XLS workbook, or has a password: save it as XLSX, without a password',
  ods: 'it is an ODS spreadsheet: save it as XLSX',
  /** Truncated, inconsistent, or not valid XML or CSV. */
  damaged: 'it is damaged',
  duplicate_entry: 'two of its parts have the same name',
  too_many_entries: say('it has more than {count} parts', { count: FILE_CAPS.entries }),
  /** As declared or in fact. */
  too_large_unpacked: say('unpacked it is larger than {size} MiB', { size: FILE_CAPS.unpackedBytes / MIB }),
  /** It could name other files. */
  doctype: 'it has a document type declaration',
  too_deep: 'its XML is nested too deeply',
  not_utf8: 'its text is not UTF-8',
  /** A file of another kind. */
  not_a_text: 'it is no CSV in UTF-8 or Latin-1',
  too_many_rows: say('a sheet has more than {count} rows', { count: grouped(FILE_CAPS.rows) }),
  too_many_columns: say('a sheet has more than {count} columns', { count: FILE_CAPS.columns }),
  cell_too_long: say('a cell has more than {count} bytes', { count: grouped(FILE_CAPS.cellBytes) }),
  /** A row or column that does not exist in spreadsheets, occurs twice, or is out of order. */
  bad_position: 'a row or a cell is out of place',
  too_much_memory: 'it is too large: reading it takes too much memory',
  /** Reading took longer than for any normal file of this size, or the system ended the process. */
  too_costly: 'reading it takes too much time or memory',
} as const satisfies Readonly<Record<string, Message>>;
export type FileFault = keyof typeof FILE_FAULTS;

/** A file that cannot be read, and where the problem is. */
export class UnreadableFile extends Error {
  readonly fault: FileFault;
  /** The name of the sheet; `null`: not in a sheet, or unknown. */
  readonly sheet: string | null;
  /** The row number of the spreadsheet; `null`: not in a row, or unknown. */
  readonly row: number | null;

  constructor(fault: FileFault, sheet: string | null = null, row: number | null = null) {
    super(fault);
    this.name = 'UnreadableFile';
    this.fault = fault;
    this.sheet = sheet;
    this.row = row;
  }
}

/** A CSV that is read as it arrives, and cannot be read further or has other columns, with the position. */
export class CsvError extends Error {
  readonly line: number;
  readonly column: number;
  readonly fault: Message;

  constructor({ line, column }: { readonly line: number; readonly column: number }, fault: Message) {
    super(`line ${line}, column ${column}: ${inWords(fault)}`);
    this.name = 'CsvError';
    this.line = line;
    this.column = column;
    this.fault = fault;
  }
}

/** A value to write; `null`: an empty cell. Text is written as text, whatever it begins with. */
export type CellToWrite = string | number | boolean | null;

/** A column of a table to write. */
export interface ColumnToWrite {
  readonly header: string;
  /** In characters of the normal font. */
  readonly width: number;
  /** A number format of spreadsheets, such as `0.000000`; absent: the default format. */
  readonly numberFormat?: string;
  /**
   * The permitted values below the header. None contains a comma; joined by commas they have at most 255 characters.
   */
  readonly choices?: readonly string[];
}

/** A table with a frozen header row, or lines of text. */
export type SheetToWrite =
  | {
      readonly kind: 'table';
      readonly name: string;
      readonly columns: readonly ColumnToWrite[];
      /** Each as long as `columns`. Consumed in parts while the file is written. */
      readonly rows: Iterable<readonly CellToWrite[]>;
    }
  | {
      readonly kind: 'notes';
      readonly name: string;
      /** In characters of the normal font, one for each column. */
      readonly widths: readonly number[];
      readonly lines: readonly { readonly heading: boolean; readonly cells: readonly string[] }[];
    };
