/**
 * The format of the pipe from the reading process: one frame per line of JSON. With many small values it is decoded
 * faster than the binary format of `node:v8`, and decoding happens in the process that must not be blocked.
 */
export type Frame =
  | { readonly kind: 'sheet'; readonly name: string; readonly dates1904: boolean; readonly hasCommas?: true }
  /** Whole rows of the sheet. */
  | { readonly kind: 'rows'; readonly rows: readonly PackedRow[] }
  | { readonly kind: 'fault'; readonly fault: string; readonly sheet: string | null; readonly row: number | null }
  | { readonly kind: 'end' };

/** The row number; then for each cell one number for its column, its kind and whether it is merged, and its text. */
export type PackedRow = (number | string)[];

export const CELL_KINDS = ['text', 'number', 'percent', 'date', 'boolean', 'formula', 'error'] as const;
export type CellKind = (typeof CELL_KINDS)[number];
const KIND_NUMBERS = Object.fromEntries(CELL_KINDS.map((kind, number) => [kind, number])) as Record<CellKind, number>;

/** A cell as read from a file. */
export interface PlacedCell {
  readonly row: number;
  readonly column: number;
  readonly kind: CellKind;
  /** `1` or `0` for a boolean; ignored for a formula. */
  readonly text: string;
  /** Its value is that of another cell. */
  readonly isMerged?: true;
}

export function packCell(row: PackedRow, { column, kind, text, isMerged }: PlacedCell): void {
  row.push((column * CELL_KINDS.length + KIND_NUMBERS[kind]) * 2 + (isMerged ? 1 : 0), text);
}

export function encodeFrame(frame: Frame): string {
  return `${JSON.stringify(frame)}\n`;
}
