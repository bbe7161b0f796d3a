import type { SupplyType } from '../offers/offer.ts';
import { anyOffer, type OfferFilter } from '../offers/offer-filter.ts';
import { editDistance } from '../text.ts';
import { gasBandOf } from './access-tariffs.ts';
import { NONE } from './facts.ts';
import type { RankingRequest } from './ranking.ts';
import { isLong, matchingRows, type TablePart } from './select.ts';
import { tablesOf, type UniversePart } from './universe.ts';
import type { RankingWarning } from './warning-codes.ts';

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
 * tariff, the known tariffs that may be meant. No warning where the filter has no condition, unless all offers are of the
 * other supply.
 */
export function* emptyListWarnings(
  parts: readonly TablePart[],
  { filter, company, hasOtherSupply }: EmptyQuestion,
): Generator<undefined, readonly RankingWarning[]> {
  if (company.ownCompanyId === null && company.companyName === null && hasOtherSupply?.()) {
    const own = yield* tariffsOf(parts, anyOffer(filter.supplyType));
    if (own.length === 0) return [{ code: 'sin_ofertas', ...NONE, filterName: 'supplyType' }];
  }
  const names = FILTER_NAMES.filter((name) => filter[name] !== null);
  for (const name of names) {
    const tariffs = yield* tariffsOf(parts, { ...filter, [name]: null });
    if (tariffs.length === 0) continue;
    const tariffTypes = name === 'tariffType' ? nearTariffs(filter.tariffType ?? '', tariffs) : [];
    if (tariffTypes.length > 0) return [{ code: 'peaje_sin_ofertas', ...NONE, tariffTypes }];
    return [{ code: 'sin_ofertas', ...NONE, filterName: name }];
  }
  if (names.length > 0) return [{ code: 'sin_ofertas', ...NONE, filterName: null }];
  const [filterName] = (['ownCompanyId', 'companyName'] as const).filter((name) => company[name] !== null);
  return filterName ? [{ code: 'sin_ofertas', ...NONE, filterName }] : [];
}

type EmptyQuestion = Pick<RankingRequest, 'filter' | 'company' | 'hasOtherSupply'>;

/** Whether there are active offers of a supply. */
export function hasOffers(parts: readonly UniversePart[], supplyType: SupplyType): boolean {
  const filter = anyOffer(supplyType);
  return tablesOf(parts).some(({ table, admits }) => matchingRows(table, filter, admits).rows.length > 0);
}

/** The tariffs of the offers that pass a filter, each once, in steps where there are many. */
function* tariffsOf(parts: readonly TablePart[], filter: OfferFilter): Generator<undefined, readonly string[]> {
  const tariffs = new Set<string>();
  let rowCount = 0;
  for (const { table, admits } of parts) {
    const { tariffSlots, tariffTypes } = table;
    for (const row of matchingRows(table, filter, admits).rows) tariffs.add(tariffTypes[tariffSlots[row] ?? 0] ?? '');
    rowCount += table.rowCount;
    if (isLong(rowCount)) yield;
  }
  return [...tariffs];
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
