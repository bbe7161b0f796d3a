import {
  compileUniverse,
  createRowFilter,
  type OfferWithHistory,
  type RowFilter,
  type UniversePart,
} from '@tarifario/core/service';

/** Memory for the numbers of a million offers. */
const FILTER_BYTES = 256 * 2 ** 20;

/** The filter of this machine, or `null`. */
export const FILTER: RowFilter | null = createRowFilter({ maxBytes: FILTER_BYTES }).filter;

/** Offers as a ranking takes them. */
export function partsOf(entries: readonly OfferWithHistory[]): readonly UniversePart[] {
  return [{ universe: compileUniverse('LUZ', entries), admits: () => true }];
}
