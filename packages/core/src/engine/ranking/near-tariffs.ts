import type { OfferFilter } from '../offers/offer-filter.ts';
import { editDistance } from '../text.ts';
import { NONE } from './market-facts.ts';
import type { RankingRequest } from './ranking.ts';
import { type UniversePart, viewOf } from './universe.ts';
import { gasBandOf, type RankingWarning } from './warnings.ts';

const MAX_NEAR = 3;
/**
 * Distances are computed for this many tariffs at most, because an account may have invented one for each of its
 * offers.
 */
const MAX_COMPARED = 1000;

/** In the order in which they are left out. */
const FILTER_NAMES = [
  'tariffType',
  'territory',
  'community',
  'customerType',
  'ssaaIncluded',
  'hasSolarPanels',
  'maxPermanenceMonths',
  'minFixedPriceMonths',
  'isGreen',
] as const;

/**
 * The warning about a filter that no offer passes: the first condition without which there are offers. Where it is the
 * tariff, the known tariffs that may be meant. No warning where the filter has no condition.
 *
 * @param tariffsOf - The tariffs of the offers that pass a filter, ordered by the ids of the offers.
 */
export function* emptyListWarnings(
  { filter, company }: EmptyQuestion,
  tariffsOf: (filter: OfferFilter) => Generator<undefined, Iterable<string>>,
): Generator<undefined, readonly RankingWarning[]> {
  const names = FILTER_NAMES.filter((name) => filter[name] !== null);
  for (const name of names) {
    const tariffs = [...(yield* tariffsOf({ ...filter, [name]: null }))];
    if (tariffs.length === 0) continue;
    const tariffTypes = name === 'tariffType' ? nearTariffs(filter.tariffType ?? '', tariffs) : [];
    if (tariffTypes.length > 0) return [{ code: 'peaje_sin_ofertas', ...NONE, tariffTypes }];
    return [{ code: 'sin_ofertas', ...NONE, filterName: name }];
  }
  if (names.length > 0) return [{ code: 'sin_ofertas', ...NONE, filterName: null }];
  const [filterName] = (['ownCompanyId', 'companyName'] as const).filter((name) => company[name] !== null);
  return filterName ? [{ code: 'sin_ofertas', ...NONE, filterName }] : [];
}

type EmptyQuestion = Pick<RankingRequest, 'filter' | 'company'>;

/** The same for offers in blocks. */
export function emptyBlocksWarnings(
  parts: readonly UniversePart[],
  question: EmptyQuestion,
): Generator<undefined, readonly RankingWarning[]> {
  return emptyListWarnings(question, function* tariffsOf(wider) {
    const view = yield* viewOf(parts, { month: null, filter: wider, needed: 0 });
    yield;
    return view.facts.byTariff.keys();
  });
}

/** The known tariffs that may be meant by another one: the most similar first; of gas the next bands. */
function nearTariffs(wanted: string, known: Iterable<string>): readonly string[] {
  const band = gasBandOf(wanted);
  const distances = new Map<string, number>();
  for (const tariff of known) {
    if (distances.size === MAX_COMPARED) break;
    const apart =
      band === null ? editDistance(folded(tariff), folded(wanted)) : (gasBandOf(tariff) ?? Number.NaN) - band;
    if (!Number.isNaN(apart)) distances.set(tariff, apart);
  }
  const nearest = [...distances].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)).map(([tariff]) => tariff);
  if (band === null) return nearest.slice(0, MAX_NEAR);
  const below = nearest.filter((tariff) => (distances.get(tariff) ?? 0) < 0);
  return [...below.slice(-1), ...nearest.slice(below.length, below.length + 1)];
}

function folded(tariff: string): string {
  return tariff.toLowerCase().replaceAll(/[^a-z\d]/g, '');
}
