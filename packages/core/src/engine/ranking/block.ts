import { compileTable, type Table } from '../cost/table.ts';
import type { OfferWithHistory, SupplyType } from '../offers/offer.ts';
import { columnise, materialise, type OfferColumns, type OfferRow, rowAt } from '../offers/offer-columns.ts';

/** Rows of a block: few enough that a changed offer only costs one block. */
export const BLOCK_ROWS = 1024;

/**
 * A table of up to `BLOCK_ROWS` offers that are kept as columns, not as objects. A ranking that runs while an offer is
 * edited keeps the block it started with.
 */
export interface Block extends Table {
  readonly columns: OfferColumns;
  /**
   * A number for each row that no other stored offer has. An offer that does not change keeps its number when others in
   * its block do.
   */
  readonly keys: Float64Array;
}

/** A row of a block to be compiled: a new one, or one from the block it replaces. */
export interface Source {
  readonly id: number;
  readonly key: number;
  readonly row: OfferRow;
}

/** The rows of a block as they were compiled. */
export function sourcesIn({ ids, keys, columns }: Block): readonly Source[] {
  return Array.from(ids, (id, row) => ({ id, key: keys[row] ?? 0, row: rowAt(columns, row) }));
}

/** Approximate bytes of an offer that an answer has shown, and of each of its months. */
const SHOWN_BYTES = 2000;
const MONTH_BYTES = 250;

/** Compiles rows, by ascending id, into a block. */
export function blockOf(supplyType: SupplyType, sources: readonly Source[]): Block {
  const columns = columnise(
    supplyType,
    sources.map(({ row }) => row),
  );
  const keys = Float64Array.from(sources, ({ key }) => key);
  const shown = new Map<number, OfferWithHistory>();
  let shownBytes = 0;
  const entryAt = (row: number) => {
    const known = shown.get(row);
    if (known) return known;
    const entry = materialise(columns, row);
    shown.set(row, entry);
    shownBytes += SHOWN_BYTES + MONTH_BYTES * entry.months.length;
    return entry;
  };
  const readAt = (row: number) => shown.get(row) ?? materialise(columns, row);
  const table = compileTable(supplyType, entriesIn(columns), { entryAt, readAt, keyAt: (row) => keys[row] ?? null });
  return { ...table, columns, keys, heldBytes: () => table.heldBytes() + columns.bytes + shownBytes };
}

/** Objects for as long as they are compiled. */
function entriesIn(columns: OfferColumns): readonly OfferWithHistory[] {
  return Array.from({ length: columns.offers.rowCount }, (_, row) => materialise(columns, row));
}
