import type { SheetRow } from './cells.ts';

/** How many rows may stand above a header, such as titles. */
const ROWS_ABOVE = 20;

/**
 * Finds the header among the first rows of a table.
 *
 * @param read - Throws where a row is none.
 * @param known - How many names of columns a row has.
 */
export function headerFinder<Header>(read: (row: SheetRow) => Header, known: (row: SheetRow) => number) {
  let nearest: { readonly known: number; readonly refusal: unknown } | null = null;
  let rows = 0;
  /** @throws What the row that came nearest to a header was refused with. */
  const give = () => {
    if (nearest) throw nearest.refusal;
  };
  return {
    give,
    /** `null`: not yet. */
    take(row: SheetRow): Header | null {
      try {
        return read(row);
      } catch (refusal) {
        const own = known(row);
        if (nearest === null || own > nearest.known) nearest = { known: own, refusal };
        rows += 1;
        if (rows > ROWS_ABOVE) give();
        return null;
      }
    },
  };
}

/** Whether a text begins a line below a table that adds it up. */
export function isTotal(text: string): boolean {
  return /^\s*((sub)?total|suma)/i.test(text);
}
