import { FILE_CAPS, type SheetPart, type SheetRow } from '../engine/cells.ts';
import { withoutCups } from '../engine/cups.ts';
import type { BulkFormat, RowError, RowErrors } from '../engine/errors.ts';
import { type Message, say } from '../engine/messages/message.ts';
import { createMarks, type DecimalMarks, type OpenNumber } from '../engine/number-text.ts';
import { foldName } from '../engine/text.ts';
import { type CellContent, readCell, settleNumber } from './read-cell.ts';
import { createRowLog } from './row-errors.ts';
import {
  type BulkSheet,
  bulkSheetFor,
  eachSheet,
  ID_HEADERS,
  NAME_HEADER,
  NOTES_SHEET,
  SHEET_NAMES,
  type SheetColumn,
  type SheetName,
  VERSION_HEADER,
} from './sheets.ts';

/**
 * The values of a row, by header. `null`: the cell is empty, which erases the value. Absent: the sheet has no such
 * column.
 */
export type RowValues = Readonly<Record<string, CellContent | null | undefined>>;

/** A row as read from its cells, before any rule is checked. */
export interface RowDraft {
  /** As the spreadsheet numbers it. */
  readonly row: number;
  /** The id of its offer; `null`: none, or the cell cannot be read. */
  readonly id: number | null;
  /** Without what could not be read. */
  readonly values: RowValues;
  /** Headers of cells that are wrong, or empty although required. These errors are already reported. */
  readonly unreadable: readonly string[];
}

/** A sheet that was read. */
interface SheetDraft {
  /** Headers of the columns that the sheet has, in its order. */
  readonly columns: readonly string[];
  /** Ascending. */
  readonly rows: readonly RowDraft[];
}

/** A workbook as read from its cells, and all errors in them. */
export interface BulkDrafts extends RowErrors {
  readonly format: BulkFormat;
  /** `null`: the file has no such sheet, or it is empty, without even a header. */
  readonly sheets: Readonly<Record<SheetName, SheetDraft | null>>;
  /** Sheets in the order of the file. */
  readonly sheetOrder: readonly string[];
}

/** Reads a workbook part by part, so that other work can run between two parts. */
interface RowReader {
  /** The next part. Sheets come one after the other, rows in ascending order. */
  take(part: SheetPart): void;
  /** The result of all parts. */
  finish(): BulkDrafts;
}

/**
 * A workbook as drafts of rows.
 *
 * Names of sheets and headers ignore case and surrounding spaces. The first non-empty row is the header. Empty rows,
 * empty sheets and a sheet `leeme` are ignored. A sheet without name, as in a CSV, is `ofertas`. Unknown sheets,
 * unknown and repeated headers and values below no header are errors.
 *
 * @see docs/assumptions.md, A-42 and A-43
 */
export function readRows(parts: Iterable<SheetPart>, format: BulkFormat): BulkDrafts {
  const reader = createRowReader(format);
  for (const part of parts) reader.take(part);
  return reader.finish();
}

/** As `readRows`, for parts that arrive one by one. */
export function createRowReader(format: BulkFormat): RowReader {
  const errors = createRowLog<RowError>([]);
  const sheets = eachSheet((): SheetDraft | null => null);
  const sheetOrder: string[] = [];
  const numbers: NumbersOfFile = { marks: createMarks(), open: [] };
  let index = -1;
  let current: OpenSheet | null = null;
  const close = () => {
    if (current?.header) sheets[current.sheet.name] = { columns: headersOf(current.header), rows: current.rows };
    current = null;
  };
  return {
    take(part) {
      if (part.sheet !== index) {
        close();
        index = part.sheet;
        if (part.hasCommas) numbers.marks.separatedByCommas();
        current = openSheet(part, { format, sheetOrder, errors });
      }
      if (current) takeRows(current, part, { numbers, errors });
    },
    finish() {
      close();
      for (const cell of numbers.open) settle(cell, numbers.marks, errors);
      return { format, sheets, sheetOrder, errors: errors.first(), errorCount: errors.count };
    },
  };
}

type Errors = ReturnType<typeof createRowLog<RowError>>;

/** What the numbers of a file say of each other. */
interface NumbersOfFile {
  readonly marks: DecimalMarks;
  /** Cells that may be two numbers, until all of the file was read. */
  readonly open: OpenCell[];
}

interface OpenCell {
  readonly number: OpenNumber;
  readonly column: SheetColumn;
  /** Of its column in the file. */
  readonly place: number;
  readonly sheet: SheetName;
  readonly draft: Draft;
}

/** A row that is being read. */
interface Draft extends RowDraft {
  id: number | null;
  readonly values: Record<string, CellContent | null | undefined>;
  readonly unreadable: string[];
}

function settle({ number, column, place, sheet, draft }: OpenCell, marks: DecimalMarks, errors: Errors): void {
  const cell = settleNumber(number, column, { place, marks });
  if ('content' in cell) draft.values[column.header] = cell.content;
  else errors.add({ sheet, row: draft.row, id: draft.id, ...faultIn(draft, column, cell.fault) });
}

/** Takes a cell that is wrong out of its row. */
function faultIn({ values, unreadable }: Draft, { header }: SheetColumn, message: Message) {
  delete values[header];
  unreadable.push(header);
  return { column: header, message };
}

/** The columns of a sheet by position; `null`: the header is wrong. Empty: no header is known. */
type Header = readonly (SheetColumn | null | undefined)[];

interface OpenSheet {
  readonly sheet: BulkSheet;
  readonly idHeader: string;
  header: Header | null;
  /** A row whose cells are all empty. */
  blank: RowValues;
  readonly rows: RowDraft[];
}

interface ReadContext {
  readonly format: BulkFormat;
  readonly sheetOrder: string[];
  readonly errors: Errors;
}

/** `null`: a sheet that is not read, because it is for people, unknown, or repeated. */
function openSheet(part: SheetPart, { format, sheetOrder, errors }: ReadContext): OpenSheet | null {
  const name = foldName(part.name);
  if (name === NOTES_SHEET) return null;
  const sheet = bulkSheetFor(format, name === '' ? 'ofertas' : name);
  const label = sheet?.name ?? shown(part.name);
  const isRepeated = sheetOrder.includes(label);
  if (!isRepeated) sheetOrder.push(label);
  if (sheet && !isRepeated) return { sheet, idHeader: ID_HEADERS[format], header: null, blank: {}, rows: [] };
  const row = part.rows[0]?.row ?? 1;
  errors.add({
    sheet: label,
    row,
    id: null,
    column: null,
    message: sheet ? 'the sheet is there twice' : UNKNOWN_SHEET,
  });
  return null;
}

const UNKNOWN_SHEET = say('unknown sheet: there are {sheets}', { sheets: [...SHEET_NAMES, NOTES_SHEET].join(', ') });

interface TakeContext {
  readonly numbers: NumbersOfFile;
  readonly errors: Errors;
}

function takeRows(open: OpenSheet, part: SheetPart, context: TakeContext): void {
  for (const row of part.rows) {
    if (open.header) {
      // If no column is known, no row can be read. That is one error, instead of one for each cell.
      if (open.header.length === 0) return;
      const draft = readRow(open, { header: open.header, row, part }, context);
      if (draft) open.rows.push(draft);
    } else if (row.cells.some(({ value }) => value.kind !== 'text' || value.text.trim() !== '')) {
      open.header = readHeader(open.sheet, row, context.errors);
      open.blank = Object.fromEntries(headersOf(open.header).map((header) => [header, null]));
    }
  }
}

function headersOf(header: Header): readonly string[] {
  return header.flatMap((column) => column?.header ?? []);
}

function readHeader(sheet: BulkSheet, { row, cells }: SheetRow, errors: Errors): Header {
  const header: (SheetColumn | null | undefined)[] = [];
  const faults: Pick<RowError, 'column' | 'message'>[] = [];
  for (const { column: position, value, isMerged } of cells) {
    const text = value.kind === 'text' || value.kind === 'number' ? value.text : '';
    if (isMerged || (value.kind === 'text' && text.trim() === '')) continue;
    const name = foldName(text);
    const column = sheet.columns.find((candidate) => candidate.header === name) ?? null;
    const isRepeated = column !== null && header.includes(column);
    header[position] = isRepeated ? null : column;
    if (column && !isRepeated) continue;
    const message = text === '' ? 'a header must be text' : isRepeated ? 'the column is there twice' : 'unknown column';
    faults.push({ column: text === '' ? null : shown(text), message });
  }
  const isHeader = header.some((column) => column);
  for (const { column, message } of faults) {
    // There may be text above the header, such as a title.
    errors.add({ sheet: sheet.name, row, id: null, column, message: isHeader ? message : say(NO_HEADER, { message }) });
  }
  return isHeader ? header : [];
}

const NO_HEADER = '{=message}: the first row that holds anything must have the names of the columns';

interface RowReading {
  readonly header: Header;
  readonly row: SheetRow;
  readonly part: SheetPart;
}

/** `null`: a row without any value. */
function readRow(
  { sheet, idHeader, blank }: OpenSheet,
  { header, row: { row, cells }, part }: RowReading,
  { numbers: { marks, open }, errors }: TakeContext,
): RowDraft | null {
  if (cells.every(({ isMerged }) => isMerged)) return null;
  const { dates1904 } = part;
  const draft: Draft = { row, id: null, values: { ...blank }, unreadable: [] };
  const { values, unreadable } = draft;
  const faults: Pick<RowError, 'column' | 'message'>[] = [];
  let isBlank = true;
  for (const { column: position, value, isMerged } of cells) {
    const column = header[position];
    const isEmpty = value.kind === 'text' && value.text.trim() === '';
    isBlank &&= isEmpty;
    if (!column) {
      // A wrong header is already reported, so its cells are not.
      if (column === undefined && !isEmpty)
        faults.push({ column: null, message: say('column {letter} has no header', { letter: letters(position) }) });
      continue;
    }
    const place = part.sheet * FILE_CAPS.columns + position;
    const cell =
      isMerged && isOwn(sheet.name, column) ? IS_MERGED : readCell(value, column, { dates1904, place, marks });
    if ('fault' in cell) faults.push(faultIn(draft, column, cell.fault));
    else if ('content' in cell) values[column.header] = cell.content;
    else {
      values[column.header] = cell.open.decimals;
      open.push({ number: cell.open, column, place, sheet: sheet.name, draft });
    }
  }
  if (isBlank && faults.length === 0) return null;
  draft.id = typeof values[idHeader] === 'number' ? values[idHeader] : null;
  for (const column of sheet.columns) {
    const { isNeeded, header: name } = column;
    if (isNeeded && (values[name] ?? null) === null && !unreadable.includes(name))
      faults.push(faultIn(draft, column, 'must not be empty'));
  }
  for (const fault of faults) errors.add({ sheet: sheet.name, row, id: draft.id, ...fault });
  return draft;
}

const IS_MERGED = { fault: 'is merged with another cell, and each needs its own' } as const;

/** Whether each row of a sheet needs a value of its own, so that a merged one is not meant. */
function isOwn(sheet: SheetName, { header, kind }: SheetColumn): boolean {
  return (
    (sheet === 'ofertas' || sheet === 'borrar') &&
    (kind === 'id' || header === NAME_HEADER || header === VERSION_HEADER)
  );
}

/** What a spreadsheet calls a column: A, B, ..., Z, AA. */
function letters(position: number): string {
  const last = String.fromCharCode(65 + (position % 26));
  return position < 26 ? last : letters(Math.floor(position / 26) - 1) + last;
}

const MAX_SHOWN = 60;

/** A name from the file, made safe to show: short, on one line, without invisible characters. */
export function shown(name: string): string {
  const letters = [...withoutCups(name.trim())].slice(0, MAX_SHOWN + 1);
  const text = letters
    .slice(0, MAX_SHOWN)
    .join('')
    .replace(/[\p{C}\p{Z}]/gu, ' ');
  return letters.length > MAX_SHOWN ? `${text}…` : text;
}
