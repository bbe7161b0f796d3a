import { compileUniverse, type OfferWithHistory, type UniversePart } from '@tarifario/core/service';

/** Offers as a ranking takes them. */
export function partsOf(entries: readonly OfferWithHistory[]): readonly UniversePart[] {
  return [{ universe: compileUniverse('LUZ', entries), admits: () => true }];
}
