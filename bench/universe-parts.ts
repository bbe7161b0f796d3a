import {
  compileUniverse,
  createPreselection,
  type OfferWithHistory,
  type Preselection,
  type UniversePart,
} from '@tarifario/core/service';

/** Memory for the numbers of a million offers. */
const PRESELECTION_BYTES = 256 * 2 ** 20;

/** The preselection of this machine, or `null`. */
export const PRESELECTION: Preselection | null = createPreselection({ maxBytes: PRESELECTION_BYTES }).preselection;

/** Offers as a ranking takes them. */
export function partsOf(entries: readonly OfferWithHistory[]): readonly UniversePart[] {
  return [{ universe: compileUniverse('LUZ', entries), admits: () => true }];
}
