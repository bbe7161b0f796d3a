import type { Piece } from './rank-thread.ts';

interface BestCustomer {
  readonly eur: number;
  /** Its number among all records that were added. */
  readonly place: number;
  readonly bytes: Uint8Array;
}

/** Keeps the records that save most, however many are added. At most twice as many as requested are in memory. */
export function createBestSavings(count: number) {
  let greatest: BestCustomer[] = [];
  let taken = 0;
  /** A record that saves less cannot be among the greatest any more. */
  let least = Number.NEGATIVE_INFINITY;
  const cut = () => {
    greatest = greatest.sort((a, b) => b.eur - a.eur || a.place - b.place).slice(0, count);
    if (greatest.length === count) least = greatest.at(-1)?.eur ?? least;
  };
  return {
    /**
     * Adds the records of a piece that have a saving.
     *
     * @returns how many.
     */
    take({ bytes, savings }: Pick<Piece, 'bytes' | 'savings'>): number {
      for (const { eur, from, to } of savings) {
        taken += 1;
        if (eur <= least) continue;
        // A copy: a view would keep the whole piece.
        greatest.push({ eur, place: taken, bytes: bytes.slice(from, to) });
        if (greatest.length >= 2 * count) cut();
      }
      return savings.length;
    },
    /** The greatest first; of equal ones the first in the file. */
    inOrder(): readonly Uint8Array[] {
      cut();
      return greatest.map(({ bytes }) => bytes);
    },
  };
}
