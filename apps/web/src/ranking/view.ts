import type { RankingResult } from '@tarifario/client';

/** A ranked offer and its place; `null`: not known. */
export interface Placed {
  readonly place: number | null;
  readonly result: RankingResult;
}

/** What is shown of a list, and in which order. Scores and places stay as they are. */
export interface View {
  readonly search: string;
  readonly retailer: string;
  readonly filters: readonly Filter[];
  /** The column, and whether its highest value is first; `null`: by place. */
  readonly sort: { readonly column: string; readonly isDown: boolean } | null;
}
export const WHOLE: View = { search: '', retailer: '', filters: [], sort: null };

const FITS = {
  onlyFixed: ({ indexada }) => indexada === null,
  onlyIndexed: ({ indexada }) => indexada !== null,
  noServices: ({ offer }) => !offer.services_cost,
  onlyFrontier: ({ en_frontera }) => en_frontera !== false,
} as const satisfies Record<string, (result: RankingResult) => boolean>;
export type Filter = keyof typeof FITS;
/** No offer fits both. */
const OTHER: Partial<Record<Filter, Filter>> = { onlyFixed: 'onlyIndexed', onlyIndexed: 'onlyFixed' };

/** The filters that tell offers of a list apart. */
export function filtersFor(results: readonly RankingResult[]): readonly Filter[] {
  return (Object.keys(FITS) as Filter[]).filter((name) => {
    const count = results.filter(FITS[name]).length;
    return count > 0 && count < results.length;
  });
}

export function toggled(filters: readonly Filter[], name: Filter): readonly Filter[] {
  const others = filters.filter((one) => one !== name && one !== OTHER[name]);
  return filters.includes(name) ? others : [...others, name];
}

/** Without case and accents, so that `energia` finds `Energía`. */
export const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/**
 * @param placed - By place.
 * @param keyOf - What a column is sorted by; `null` is last.
 */
export function viewed(
  placed: readonly Placed[],
  { search, retailer, filters, sort }: View,
  keyOf: (column: string, placed: Placed) => number | string | null,
): readonly Placed[] {
  const words = plain(search).split(/\s+/);
  const fits = ({ result }: Placed) => {
    const { offer_name, company } = result.offer;
    const name = plain(`${offer_name} ${company.name}`);
    return (
      words.every((word) => name.includes(word)) &&
      (retailer === '' || company.name === retailer) &&
      filters.every((filter) => FITS[filter](result))
    );
  };
  const rows = placed.filter(fits);
  if (!sort) return rows;
  const order = sort.isDown ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: keyOf(sort.column, row) }));
  return keyed.toSorted((a, b) => compared(a.key, b.key, order)).map(({ row }) => row);
}

function compared(a: number | string | null, b: number | string | null, order: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return order * (typeof a === 'string' ? a.localeCompare(String(b), 'es') : a - Number(b));
}
