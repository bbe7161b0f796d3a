import type { OfferFilter } from '../offers/offer-filter.ts';
import { matchingRows, type UniversePart } from '../ranking/candidates.ts';

const MAX_NEAR = 3;
/**
 * Distances are computed for this many tariffs at most, because an account may have invented one for each of its
 * offers.
 */
const MAX_COMPARED = 1000;

/**
 * The tariffs most like the one of a filter among the offers that pass the rest of it, the most similar first. The
 * caller may have meant one of them where no offer has that tariff.
 */
export function nearTariffs(parts: readonly UniversePart[], filter: OfferFilter): readonly string[] {
  const wanted = folded(filter.tariffType ?? '');
  const known = new Set<string>();
  for (const { universe, admits } of parts) {
    for (const block of universe.blocks) {
      for (const row of matchingRows(block, { ...filter, tariffType: null }, admits)) {
        known.add(block.tariffTypes[block.tariffSlots[row] ?? 0] ?? '');
      }
    }
  }
  const compared = [...known].sort().slice(0, MAX_COMPARED);
  const distances = new Map(compared.map((tariff) => [tariff, distance(folded(tariff), wanted)]));
  return compared.sort((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0)).slice(0, MAX_NEAR);
}

function folded(tariff: string): string {
  return tariff.toLowerCase().replaceAll(/[^a-z\d]/g, '');
}

/** How many characters have to be added, removed or replaced. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, character] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (character === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
