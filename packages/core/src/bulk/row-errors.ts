/** Something about one row of a sheet. */
interface OfRow {
  /** As our sheets are called; of a sheet that we do not know, what the file calls it. */
  readonly sheet: string;
  /** As the spreadsheet numbers it: the first one is 1, and the header counts. */
  readonly row: number;
}

/**
 * What is wrong with a row of a spreadsheet, in our words.
 *
 * @see docs/assumptions.md, A-27 and A-43
 */
export interface RowError extends OfRow {
  /** The offer that the row names; `null`: none. */
  readonly id: number | null;
  /** The header of the column; `null`: the row as a whole. */
  readonly column: string | null;
  readonly message: string;
}

/** The first of many errors, by sheet and row, and how many there are in all. */
export interface RowErrors {
  readonly errors: readonly RowError[];
  /** Those that are not shown included. */
  readonly errorCount: number;
}

/** Most errors, and most entries of a diff, of one answer. */
export const MAX_ROWS_SHOWN = 1000;

/** Keeps the first entries by sheet and row, in whatever order they come, and counts all. */
export interface RowLog<T extends OfRow> {
  add(entry: T): void;
  readonly count: number;
  /** At most `MAX_ROWS_SHOWN`: sheets in the order given, others after them as they came; rows ascending. */
  first(): readonly T[];
}

/** Entries of a sheet that are kept before all but the first `MAX_ROWS_SHOWN` are dropped. */
const KEPT = 4 * MAX_ROWS_SHOWN;

/** @param sheetOrder - Names of sheets, the first one first. */
export function createRowLog<T extends OfRow>(sheetOrder: readonly string[]): RowLog<T> {
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
      // A file may be wrong in millions of cells: what would never be shown is not kept.
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
