import type { OfferFilter } from '../offers/offer-filter.ts';
import { type UniversePart, viewOf } from './universe.ts';
import type { RankingWarning } from './warnings.ts';

const MAX_NEAR = 3;
/**
 * Distances are computed for this many tariffs at most, because an account may have invented one for each of its
 * offers.
 */
const MAX_COMPARED = 1000;

/**
 * The warning about a filter that no offer passes: the tariffs most like that of the filter, the most similar first,
 * because the caller may have meant one of them. No warning where no tariff is known.
 *
 * @param known - Tariffs of offers that pass the rest of the filter, ordered by the ids of the offers.
 */
export function otherTariffs({ tariffType }: OfferFilter, known: Iterable<string>): readonly RankingWarning[] {
  if (tariffType === null) return [];
  const wanted = folded(tariffType);
  const distances = new Map<string, number>();
  for (const tariff of known) {
    if (distances.size === MAX_COMPARED) break;
    if (!distances.has(tariff)) distances.set(tariff, distance(folded(tariff), wanted));
  }
  const tariffTypes = [...distances.keys()]
    .sort()
    .sort((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0))
    .slice(0, MAX_NEAR);
  return tariffTypes.length === 0 ? [] : [{ code: 'peaje_sin_ofertas', total: 0, offerIds: [], tariffTypes }];
}

/** The same for offers in blocks. */
export function* otherTariffsInBlocks(
  parts: readonly UniversePart[],
  filter: OfferFilter,
): Generator<undefined, readonly RankingWarning[]> {
  if (filter.tariffType === null) return [];
  const view = yield* viewOf(parts, { month: null, filter: { ...filter, tariffType: null }, needed: 0 });
  yield;
  return otherTariffs(filter, view.facts.byTariff.keys());
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
