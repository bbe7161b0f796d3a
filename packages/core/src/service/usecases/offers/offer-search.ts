import { firstOf } from '../../../engine/in-order.ts';
import { shownUpdatedAt } from '../../../engine/offers/offer.ts';
import { readAt, type Table } from '../../../engine/price/table.ts';
import type { NameSearch } from '../../../engine/rank/ranking.ts';
import { foundIn, nameSearch, namesIn } from '../../../engine/rank/select.ts';
import type { FilteredPage, OfferDepth, OfferQuery, Page } from '../../ports/lists.ts';
import type { OwnedOffers, PlacedOffer } from '../memory/offer-cache.ts';
import { idAt, type ListedOffer, listedAt, type Matches, pageById, unknownIn } from './offers-in-memory.ts';

// Lists that are searched by name, or in another order than by id. Only offers in memory answer them.
// @see docs/decisions/0073-one-table-one-loop.md

/** By what a list of offers is ordered: nothing that tells of commissions. `companyName`: then by `offerName`. */
export type OrderName = 'companyName' | 'offerName' | 'updatedAt';

/** The place of an offer in an order: equal keys are ordered by id. */
export interface OrderPlace {
  readonly key: string;
  readonly id: number;
}

/** An order other than by id. */
export interface OfferOrder {
  readonly by: OrderName;
  readonly isDescending: boolean;
  /** Only offers after this place, whether or not one is there; `null`: from the beginning. */
  readonly after: OrderPlace | null;
}

/** What is asked of a list besides its filters. */
export interface OfferSearch {
  /** Words that the name of the offer or of its company contains, as `searchForm` compares them; `null`: any. */
  readonly search: string | null;
  /** `null`: by id. */
  readonly order: OfferOrder | null;
}

/** `next`: the place of the last result of an ordered list, unless nothing follows. */
export interface OfferPage extends FilteredPage<ListedOffer> {
  readonly next?: OrderPlace | null;
}

interface SearchedPage extends OfferSearch, OfferDepth, Pick<OfferQuery, 'filter'> {
  readonly page: Page;
}

/** The matches that have the words, in order; each step is a table. @param matches - Of each supply, by id. */
export function* searchInTurns(
  owned: OwnedOffers,
  matches: readonly (readonly Matches[])[],
  { search, order, page, filter, seesCommissions }: SearchedPage,
): Generator<undefined, OfferPage> {
  const named = nameSearch(search ?? '', owned.companies);
  const found: Matches[][] = [];
  for (const ofSupply of matches) {
    const having: Matches[] = [];
    for (const each of ofSupply) {
      having.push(search === null ? each : withWords(each, named));
      yield;
    }
    found.push(having);
  }
  const unknown = unknownIn(found, filter);
  if (order === null) return { ...pageById(owned, found, page), ...unknown };
  const keysIn = (table: Table) => keysOf(table, { by: order.by, nameOf: named.companyNameOf, seesCommissions });
  return { ...(yield* orderInTurns(owned, found.flat(), { order, page, keysIn })), ...unknown };
}

function withWords({ table, rows, unknownTerms }: Matches, search: NameSearch): Matches {
  const isFound = foundIn(table, search);
  return { table, rows: rows.filter(isFound), unknownTerms: unknownTerms.filter(isFound) };
}

/** How many characters of a name count in an order, so that a place is short. */
const ORDERED_CHARACTERS = 100;

const orderForm = (name = '') =>
  name.length > ORDERED_CHARACTERS ? [...name].slice(0, ORDERED_CHARACTERS).join('') : name;

/** The keys of a table by row. */
function keysOf(
  table: Table,
  {
    by,
    nameOf,
    seesCommissions,
  }: OfferDepth & { readonly by: OrderName; readonly nameOf: NameSearch['companyNameOf'] },
): (row: number) => string {
  if (by === 'updatedAt') return (row) => shownUpdatedAt(readAt(table, row).offer, seesCommissions);
  const names = namesIn(table);
  if (by === 'offerName') return (row) => orderForm(names[row]);
  const companies = table.companyIds.map((id) => orderForm(nameOf(id)));
  // No name has a line break, which is less than any character of a name.
  return (row) => `${companies[table.companySlots[row] ?? 0]}\n${orderForm(names[row])}`;
}

type Ordered = OrderPlace & Omit<PlacedOffer, 'owned'>;

/** A page of the matches in order. No more of them are sorted than the page and what is before it. */
function* orderInTurns(
  owned: OwnedOffers,
  matches: readonly Matches[],
  {
    order: { isDescending, after },
    page: { limit, offset },
    keysIn,
  }: { readonly order: OfferOrder; readonly page: Page; readonly keysIn: (table: Table) => (row: number) => string },
): Generator<undefined, OfferPage> {
  const [less, more] = isDescending ? [1, -1] : [-1, 1];
  const compare = (a: OrderPlace, b: OrderPlace) => (a.key === b.key ? a.id - b.id : a.key < b.key ? less : more);
  const end = offset + limit;
  let first: readonly Ordered[] = [];
  let total = 0;
  for (const { table, rows } of matches) {
    const keyAt = keysIn(table);
    // One more than the page shows whether any follow.
    const last = first[end];
    const isWanted = (place: Ordered) =>
      (after === null || compare(place, after) > 0) && (last === undefined || compare(place, last) < 0);
    const places = Array.from(rows, (row) => ({ key: keyAt(row), id: idAt({ table, row }), table, row }));
    first = firstOf<Ordered>(first, places.filter(isWanted), compare, end + 1);
    total += rows.length;
    yield;
  }
  const shown = first.slice(offset, end);
  const last = shown.at(-1);
  const next = last && first.length > end ? { key: last.key, id: last.id } : null;
  return { total, results: shown.map(({ table, row }) => listedAt(owned, table, row)), next };
}
