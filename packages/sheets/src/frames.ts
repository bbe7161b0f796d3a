import type { CellValue, SheetCell, SheetRow } from '@tarifario/core/service';

/**
 * What goes through the pipe from the process that reads: lines of JSON, one frame each. For many small values it is
 * taken apart faster than the binary form of `node:v8`, and the side that receives is the one that must not be held up.
 */
export type Frame =
  | { readonly kind: 'sheet'; readonly name: string; readonly dates1904: boolean }
  /** The last row may go on in the next frame. */
  | { readonly kind: 'rows'; readonly rows: readonly SheetRow[] }
  | { readonly kind: 'fault'; readonly fault: string; readonly sheet: string | null; readonly row: number | null }
  | { readonly kind: 'end' };

/** The number of the row; then for each cell one number for its column and kind together, and its text. */
export type PackedRow = (number | string)[];

const CELL_KINDS = ['text', 'number', 'boolean', 'formula', 'error'] as const;
export type CellKind = (typeof CELL_KINDS)[number];
const KIND_NUMBERS: Readonly<Record<CellKind, number>> = { text: 0, number: 1, boolean: 2, formula: 3, error: 4 };

/** A cell as it comes from a file. */
export interface PlacedCell {
  readonly row: number;
  readonly column: number;
  readonly kind: CellKind;
  readonly text: string;
}

/** Adds a cell. The text of a boolean is `1` or `0`, that of a formula does not count. */
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

/** @throws Error for what `encodeFrame` does not make: the other side parses hostile bytes, so it is not believed. */
export function decodeFrame(line: string): Frame {
  const frame: unknown = JSON.parse(line);
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

/** The double that a decimal number means, or `null` for what is none, or none that is finite. */
function numberFor(text: string): number | null {
  const number = Number(text);
  // `Number` also reads the digits of other bases, which start with `0x`, `0o` or `0b`.
  const isDecimal = Number.isFinite(number) && !/^0[xob]/i.test(text) && text !== '';
  return isDecimal ? number : null;
}
