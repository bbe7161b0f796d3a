import type { RecordSaving } from './rank-thread.ts';

interface BestCustomer extends RecordSaving {
  /** Its number among all records that were added. */
  readonly place: number;
}

/** Keeps the records that save most, however many are added. At most twice as many as requested are in memory. */
export function createBestSavings(count: number) {
  let greatest: BestCustomer[] = [];
  let addedCount = 0;
  /** A record that saves no more cannot be among the greatest any more: of equal ones the first stays. */
  let least = Number.NEGATIVE_INFINITY;
  const cut = () => {
    greatest = greatest.sort((a, b) => b.eur - a.eur || a.place - b.place).slice(0, count);
    if (greatest.length === count) least = greatest.at(-1)?.eur ?? least;
  };
  return {
    /** Adds records that have a saving. */
    add(savings: readonly RecordSaving[]): void {
      for (const saving of savings) {
        addedCount += 1;
        if (saving.eur <= least) continue;
        greatest.push({ ...saving, place: addedCount });
        if (greatest.length >= 2 * count) cut();
      }
    },
    /** The greatest first; of equal ones the first in the file. */
    inOrder(): readonly Uint8Array[] {
      cut();
      return greatest.map(({ bytes }) => bytes);
    },
  };
}
