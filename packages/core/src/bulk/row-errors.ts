import type { RowPosition } from '../engine/errors.ts';

/** How many errors, or entries of a diff, one answer has at most. */
export const MAX_ROWS_SHOWN = 1000;

/** Keeps the first entries by sheet and row, in whatever order they come, and counts all. */
export interface RowLog<T extends RowPosition> {
  add(entry: T): void;
  readonly count: number;
  /** At most `MAX_ROWS_SHOWN`: sheets in the order given, others after them as they came; rows ascending. */
  first(): readonly T[];
}

/** The number of entries of a sheet at which all but the first `MAX_ROWS_SHOWN` are dropped. */
const KEPT = 4 * MAX_ROWS_SHOWN;

/** @param sheetOrder - Names of sheets, the first one first. */
export function createRowLog<T extends RowPosition>(sheetOrder: readonly string[]): RowLog<T> {
  const bySheet = new Map<string, T[]>(sheetOrder.map((sheet) => [sheet, []]));
  let count = 0;
  const shorten = (entries: T[]) => {
    entries.sort((a, b) => a.row - b.row);
    entries.length = Math.min(entries.length, MAX_ROWS_SHOWN);
  };
  return {
    add(entry) {
      count += 1;
      const entries = bySheet.get(entry.sheet) ?? [];
      if (entries.length === 0) bySheet.set(entry.sheet, entries);
      entries.push(entry);
      // A file may have millions of wrong cells, so entries that will never be shown are dropped.
      if (entries.length > KEPT) shorten(entries);
    },
    get count() {
      return count;
    },
    first() {
      const all = [...bySheet.values()].flatMap((entries) => {
        shorten(entries);
        return entries;
      });
      return all.slice(0, MAX_ROWS_SHOWN);
    },
  };
}
