import type { FileCaps, NumberFormat } from '@tarifario/core/service';
import { Fault, type Meter, withinCell } from './fault.ts';
import type { CellKind, PlacedCell } from './frames.ts';
import { createMerging, type HeldSheet } from './merges.ts';
import { createPath, readXml, unescapeText } from './xml.ts';

/** Shared by all sheets of a workbook. */
export interface SheetContext {
  readonly sharedStrings: readonly string[];
  /** What numbers are, by the format of their cell. */
  readonly formats: readonly (NumberFormat | null)[];
  /** The merged ranges of the sheet. */
  readonly ranges: HeldSheet['ranges'];
  readonly caps: FileCaps;
  readonly meter: Meter;
  /** Called with each non-empty cell. */
  readonly put: (cell: PlacedCell) => void;
  /** Called with the current row, for the position of an error. */
  readonly at: (row: number) => void;
}

/** What a merged cell counts besides its text: about its memory. */
const MERGED_CELL_CHARACTERS = 128;
/** The last row of a spreadsheet. */
const LAST_ROW = 1_048_576;

/**
 * Reads only the cells of a sheet. Validations, names and the like are skipped as text, so their cost depends on their size
 * in the file and not on the cells they cover.
 *
 * @throws Fault
 */
export async function readSheetXml(bytes: AsyncIterable<Uint8Array>, context: SheetContext): Promise<void> {
  const path = createPath();
  const rows = createRows(context);
  const cell = createCell(context);
  await readXml(bytes, {
    shortcut: {
      behind: '</c>',
      plain: PLAIN_CELL,
      take([_, row, _attribute, place, style, type, value = '']) {
        if (row !== undefined) rows.open(row);
        rows.place(place);
        cell.open(type, style);
        cell.collect('v');
        cell.text(value);
        cell.collect('nothing');
        cell.close(rows.put);
      },
    },
    open(name, attributes, depth) {
      if (depth === 1 && name !== 'worksheet') throw new Fault('damaged');
      if (!path.enter(depth, isOnPath(name, depth))) return cell.collect('nothing');
      if (depth === 3) rows.open(attributes.r);
      else if (depth === 4) {
        rows.place(attributes.r);
        cell.open(attributes.t, attributes.s);
      } else if (name === 'f' || name === 'v' || name === 't') cell.collect(name);
    },
    close(depth) {
      cell.collect('nothing');
      const isCell = path.leave(depth) && depth === 4;
      if (isCell) cell.close(rows.put);
      return isCell;
    },
    text: cell.text,
  });
  rows.close();
}

/**
 * A cell in the form that spreadsheets use for nearly all of them; for the first of a row with the tags around it.
 * Nothing that XML can express in several ways or forbids. Groups: the row, its last attribute, the cell, its format, its
 * type, its value.
 */
const PLAIN_CELL =
  /(?:<\/row><row r="([0-9]{1,7})"(?:( (?!r=)[A-Za-z][\w:]*=)"(?![^>]*\2)[ !#-%'-;=?-~]*"){0,12}>)?<c r="([A-Z]{1,3}[0-9]{1,7})"(?: s="([0-9]{1,9})")?(?: t="([a-zA-Z]{1,9})")?(?:\/>|>(?:<v>([ -%'-;=?-~]*)<\/v>)?<\/c>)/y;

function isOnPath(name: string, depth: number): boolean {
  switch (depth) {
    case 1:
      return name === 'worksheet';
    case 2:
      return name === 'sheetData';
    case 3:
      return name === 'row';
    case 4:
      return name === 'c';
    case 5:
      return name === 'v' || name === 'is' || name === 'f';
    case 6:
      return name === 't' || name === 'r';
    default:
      return name === 't';
  }
}

/** Receives cells and checks that rows and columns are ascending and unique. */
function createRows({ ranges, caps, meter, put, at }: SheetContext) {
  let row = 0;
  let column = -1;
  let filledRows = 0;
  let filledRow = 0;
  const fill = (next: number) => {
    if (next !== filledRow) filledRows += 1;
    filledRow = next;
    if (filledRows > caps.rows) throw new Fault('too_many_rows');
  };
  const countedPut = (cell: PlacedCell) => {
    if (cell.isMerged) {
      fill(cell.row);
      meter.shown(cell.text.length + MERGED_CELL_CHARACTERS);
    }
    put(cell);
  };
  const merging = ranges.length > 0 ? createMerging(ranges, caps, countedPut) : null;
  const give = merging?.put ?? put;
  return {
    open(reference: string | undefined) {
      const next = reference === undefined ? row + 1 : /^[0-9]{1,7}$/.test(reference) ? Number(reference) : 0;
      if (next <= row || next > LAST_ROW) throw new Fault('bad_position');
      row = next;
      column = -1;
      merging?.open(row);
      at(row);
    },
    place(reference: string | undefined) {
      const next = reference === undefined ? column + 1 : columnOf(reference, row);
      if (next <= column) throw new Fault('bad_position');
      column = next;
    },
    put(kind: CellKind, text: string) {
      fill(row);
      if (column >= caps.columns) throw new Fault('too_many_columns');
      give({ row, column, kind, text });
    },
    close: () => merging?.close(),
  };
}

/** The column of `AB12`, 0 for A; -1 if it is not a cell of this row. */
function columnOf(reference: string, row: number): number {
  const length = reference.length - String(row).length;
  const isOfRow = length > 0 && length <= 3 && reference.endsWith(String(row));
  let column = 0;
  for (let at = 0; at < length && isOfRow; at++) {
    const code = reference.charCodeAt(at) - 64;
    if (code < 1 || code > 26) return -1;
    column = column * 26 + code;
  }
  return column - 1;
}

/** The cell being read. */
function createCell({ sharedStrings, formats, caps, meter }: SheetContext) {
  let type = 'n';
  let style: string | undefined;
  let formula: string | null = null;
  let value = '';
  let inline = '';
  let collecting: 'nothing' | 'f' | 'v' | 't' = 'nothing';
  const textOf = () => {
    if (type === 's') return sharedText(sharedStrings, value);
    return withinCell(unescapeText(type === 'inlineStr' && inline !== '' ? inline : value), caps.cellBytes);
  };
  return {
    open(declared = 'n', format?: string) {
      type = declared;
      style = format;
      formula = null;
      value = '';
      inline = '';
    },
    collect(what: typeof collecting) {
      collecting = what;
      // A shared formula has no text in this cell.
      if (what === 'f') formula ??= '';
    },
    text(piece: string) {
      if (collecting === 'v') value = withinCell(value + piece, caps.cellBytes);
      else if (collecting === 't') inline = withinCell(inline + piece, caps.cellBytes);
      else if (collecting === 'f') formula = withinCell(formula + piece, caps.cellBytes);
    },
    close(put: (kind: CellKind, text: string) => void) {
      if (formula !== null) {
        const constant = CONSTANTS.get(formula.toUpperCase());
        return constant === undefined ? put('formula', '') : put('boolean', constant);
      }
      const kind = kindOf(type);
      const text = type === 'd' ? dayIn(value.trim()) : kind === 'text' ? textOf() : value.trim();
      if (text === '') return;
      meter.shown(text.length);
      if (kind === 'boolean' && !/^(0|1|true|false)$/.test(text)) throw new Fault('damaged');
      const format = kind === 'number' && style !== undefined ? formats[Number(style)] : null;
      put(format ?? kind, kind === 'boolean' ? booleanText(text) : text);
    },
  };
}

/** LibreOffice saves booleans as these formulas. */
const CONSTANTS: ReadonlyMap<string, string> = new Map([
  ['TRUE()', '1'],
  ['FALSE()', '0'],
]);

function kindOf(type: string): CellKind {
  switch (type) {
    case 'n':
      return 'number';
    case 'b':
      return 'boolean';
    case 'e':
      return 'error';
    // A date of ISO 8601 (`d`) is a text, without its time.
    case 's':
    case 'str':
    case 'inlineStr':
    case 'd':
      return 'text';
    default:
      throw new Fault('damaged');
  }
}

/** The date of a date with time; other texts unchanged. */
function dayIn(text: string): string {
  return text.replace(/^(\d{4}-\d{2}-\d{2})T[\d:.]{2,18}Z?$/, '$1');
}

function booleanText(text: string): string {
  return text === '1' || text === 'true' ? '1' : '0';
}

function sharedText(sharedStrings: readonly string[], index: string): string {
  const text = index.trim();
  if (text === '') return '';
  const shared = /^[0-9]{1,9}$/.test(text) ? sharedStrings[Number(text)] : undefined;
  if (shared === undefined) throw new Fault('damaged');
  return shared;
}
