import type { CellValue, SheetCell, SheetRow } from '@tarifario/core/service';

/**
 * The format of the pipe from the reading process: one frame per line of JSON. With many small values it is decoded
 * faster than the binary format of `node:v8`, and decoding happens in the process that must not be blocked.
 */
export type Frame =
  | { readonly kind: 'sheet'; readonly name: string; readonly dates1904: boolean }
  /** The last row may continue in the next frame. */
  | { readonly kind: 'rows'; readonly rows: readonly SheetRow[] }
  | { readonly kind: 'fault'; readonly fault: string; readonly sheet: string | null; readonly row: number | null }
  | { readonly kind: 'end' };

/** The row number; then for each cell one number for its column and kind, and its text. */
export type PackedRow = (number | string)[];

const CELL_KINDS = ['text', 'number', 'boolean', 'formula', 'error'] as const;
export type CellKind = (typeof CELL_KINDS)[number];
const KIND_NUMBERS: Readonly<Record<CellKind, number>> = { text: 0, number: 1, boolean: 2, formula: 3, error: 4 };

/** A cell as read from a file. */
export interface PlacedCell {
  readonly row: number;
  readonly column: number;
  readonly kind: CellKind;
  readonly text: string;
}

/** Adds a cell. The text of a boolean is `1` or `0`; that of a formula is ignored. */
export function packCell(
  row: PackedRow,
  column: number,
  cell: { readonly kind: CellKind; readonly text: string },
): void {
  row.push(column * CELL_KINDS.length + KIND_NUMBERS[cell.kind], cell.text);
}

/** @param rows - As {@link packCell} filled them, for a frame of kind `rows`. */
export function encodeFrame(frame: Exclude<Frame, { kind: 'rows' }> | { kind: 'rows'; rows: readonly PackedRow[] }) {
  return `${JSON.stringify(frame)}\n`;
}

/**
 * @throws Error for a frame that `encodeFrame` cannot have made: the sender parses hostile files, so it is not trusted.
 */
export function decodeFrame(line: string): Frame {
  const frame = jsonIn(line);
  if (typeof frame !== 'object' || frame === null || !('kind' in frame)) throw wrongFrame();
  if (frame.kind === 'end') return { kind: 'end' };
  if (frame.kind === 'rows' && 'rows' in frame && Array.isArray(frame.rows)) {
    return { kind: 'rows', rows: frame.rows.map(unpackRow) };
  }
  if (frame.kind === 'sheet' && 'name' in frame && 'dates1904' in frame) {
    const { name, dates1904 } = frame;
    if (typeof name === 'string' && typeof dates1904 === 'boolean') return { kind: 'sheet', name, dates1904 };
  }
  if (frame.kind === 'fault' && 'fault' in frame && 'sheet' in frame && 'row' in frame) {
    const { fault, sheet, row } = frame;
    const isPlace = (sheet === null || typeof sheet === 'string') && (row === null || typeof row === 'number');
    if (typeof fault === 'string' && isPlace) return { kind: 'fault', fault, sheet, row };
  }
  throw wrongFrame();
}

/** The error of `JSON.parse` would repeat cells of the file. */
function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw wrongFrame();
  }
}

function wrongFrame(): Error {
  return new Error('the process that reads files sent something that is no frame');
}

function unpackRow(packed: unknown): SheetRow {
  if (!Array.isArray(packed)) throw wrongFrame();
  const values: readonly unknown[] = packed;
  const row = values[0];
  if (typeof row !== 'number') throw wrongFrame();
  const cells: SheetCell[] = [];
  for (let index = 1; index < values.length; index += 2) {
    const place = values[index];
    const text = values[index + 1];
    if (typeof place !== 'number' || typeof text !== 'string') throw wrongFrame();
    const value = unpackValue(CELL_KINDS[place % CELL_KINDS.length], text);
    cells.push({ column: Math.floor(place / CELL_KINDS.length), value });
  }
  return { row, cells };
}

function unpackValue(kind: CellKind | undefined, text: string): CellValue {
  switch (kind) {
    case 'text':
      return { kind, text };
    case 'number':
      return { kind, text, number: numberFor(text) };
    case 'boolean':
      return { kind, value: text === '1' };
    case 'formula':
      return { kind };
    case 'error':
      return { kind, text };
    case undefined:
      throw wrongFrame();
  }
}

/** The value of a decimal number; `null` if it is not one, or not finite. */
function numberFor(text: string): number | null {
  const number = Number(text);
  // `Number` also accepts other bases, with `0x`, `0o` or `0b`.
  const isDecimal = Number.isFinite(number) && !/^0[xob]/i.test(text) && text !== '';
  return isDecimal ? number : null;
}
