import { assert } from '../../../engine/errors.ts';
import { type MonthlyPrice, type Offer, SUPPLY_TYPES } from '../../../engine/offers/offer.ts';
import { ANY_COMPANY, asksForTerms, type ListFilter, matchesCompany } from '../../../engine/offers/offer-filter.ts';
import { entryAt, type Table } from '../../../engine/price/table.ts';
import { type MatchingRows, matchingRows } from '../../../engine/rank/select.ts';
import type { Caller } from '../../access/caller.ts';
import { foreignFirm, narrowToFirm } from '../../access/permit.ts';
import type { Company, Firm } from '../../firms/firm.ts';
import type { FilteredPage, OfferDepth, OfferQuery, Page, PageOf } from '../../ports/lists.ts';
import type { OfferRecord } from '../../ports/records.ts';
import { type AccountOffers, type OwnedOffers, type PlacedOffer, placeOf } from '../memory/offer-cache.ts';
import type { Deps } from '../requests/deps.ts';
import { type FirmChoice, NO_SUCH_OFFER, notFound } from '../requests/record-access.ts';
import { accountOffersFor, visibleTo } from './visible-offers.ts';

// Reads that rank nothing, answered from the tables that rankings use.
// @see docs/decisions/0012-answers-with-their-effect-and-tag.md

/** What a read needs. */
export type ReadDeps = Pick<Deps, 'store' | 'offerCache' | 'revisions' | 'yieldToEventLoop'>;

/** An offer of an answer, made an object only when it is read. */
export interface ListedOffer {
  readonly company: Company;
  /** `null`: an offer of the shared catalog. */
  readonly firm: Firm | null;
  readonly offer: () => Offer;
}

/** An offer with its monthly prices. */
export interface OfferDetail {
  readonly record: OfferRecord;
  /** Oldest first. */
  readonly months: readonly MonthlyPrice[];
}

/** A record as an answer lists it. */
export function listed({ offer, company, firm }: OfferRecord): ListedOffer {
  return { company, firm, offer: () => offer };
}

/** A listed offer as a whole record. */
export function recordOf({ offer, company, firm }: ListedOffer): OfferRecord {
  return { offer: offer(), company, firm };
}

/**
 * The caller's offers and the catalog, as of the last committed write, where they are read from memory; `null`: the
 * database is asked.
 */
export async function offersInMemory(deps: ReadDeps, caller: Caller): Promise<AccountOffers | null> {
  return deps.offerCache.isWorthKeeping(caller.accountId) ? await accountOffersFor(deps, caller) : null;
}

/**
 * The firm to which a request is narrowed, as `resolveFirmId` says it.
 *
 * @throws DomainError `foreign_firm`.
 */
export function firmIn({ own }: AccountOffers, caller: Caller, requestedFirmId: number | null): number | null {
  if (requestedFirmId !== null && !own.firms.has(requestedFirmId)) throw foreignFirm();
  return narrowToFirm(caller, requestedFirmId);
}

/** The offers of one owner that match, of each supply, by id. */
export function matchesIn(
  owned: OwnedOffers,
  { firmId, includeInactive, filter, companyId, companyName }: Omit<OfferQuery, keyof OfferDepth | 'owner'>,
): readonly (readonly Matches[])[] {
  const companyIds = new Set<number>();
  for (const each of owned.companies.values()) {
    const isOfFirm = firmId === null || each.firmId === firmId;
    const isMeant = companyId === null || each.id === companyId;
    if (isOfFirm && isMeant && matchesCompany(each, { ...ANY_COMPANY, companyName })) companyIds.add(each.id);
  }
  const admits = (id: number) => companyIds.has(id);
  const supplies = filter.supplyType === null ? SUPPLY_TYPES : [filter.supplyType];
  return supplies.map((supplyType) =>
    owned.universes[supplyType].tables.map((table) => {
      return { table, ...matchingRows(table, { ...filter, supplyType, includeInactive }, admits) };
    }),
  );
}

/** The rows of a table that match. */
export interface Matches extends MatchingRows {
  readonly table: Table;
}

/** How many offers do not say a term, where one is asked for. */
export function unknownIn(
  matches: readonly (readonly Matches[])[],
  filter: ListFilter,
): Pick<FilteredPage<unknown>, 'unknownTerms'> {
  const unknownTerms = matches.flat().reduce((sum, ofTable) => sum + ofTable.unknownTerms.length, 0);
  return asksForTerms(filter) ? { unknownTerms } : {};
}

/** A page of matches by id. @param matches - Of each supply, by id. */
export function pageById(
  owned: OwnedOffers,
  matches: readonly (readonly Matches[])[],
  { limit, offset, afterId = null }: Page,
): PageOf<ListedOffer> {
  const total = matches.flat().reduce((sum, { rows }) => sum + rows.length, 0);
  // The first matches of both supplies together have all offers of a page and of the pages before it.
  const isMixed = matches.length > 1;
  const rest =
    afterId === null ? matches : matches.map((ofSupply) => ofSupply.map((ofTable) => after(ofTable, afterId)));
  const listed = rest.flatMap((ofSupply) => placesIn(ofSupply, isMixed ? 0 : offset, offset + limit));
  const places = isMixed ? listed.sort((a, b) => idAt(a) - idAt(b)).slice(offset, offset + limit) : listed;
  return { total, results: places.map(({ table, row }) => listedAt(owned, table, row)) };
}

function after({ table, rows, ...others }: Matches, id: number): Matches {
  return { ...others, table, rows: rows.filter((row) => idAt({ table, row }) > id) };
}

/** The matches from the first up to the last, excluded, counted over all tables. */
function placesIn(matches: readonly Matches[], first: number, end: number): Omit<PlacedOffer, 'owned'>[] {
  let before = 0;
  return matches.flatMap(({ table, rows }) => {
    const [from, to] = [Math.max(0, first - before), Math.max(0, end - before)];
    before += rows.length;
    return Array.from(rows.subarray(from, to), (row) => ({ table, row }));
  });
}

/** The id of the offer at a place. */
export function idAt({ table, row }: Omit<PlacedOffer, 'owned'>): number {
  return table.ids[row] ?? 0;
}

/** The offer at a place of an owner, as an answer lists it. */
export function listedAt({ companies, firms }: OwnedOffers, table: Table, row: number): ListedOffer {
  const company = companies.get(table.companyIds[table.companySlots[row] ?? 0] ?? 0);
  assert(company !== undefined, 'an offer has a company of its owner');
  const firm = company.firmId === null ? null : (firms.get(company.firmId) ?? null);
  return { company, firm, offer: () => entryAt(table, row).offer };
}

/** Offers to be found by id. */
export interface IdChoice extends FirmChoice {
  readonly ids: readonly number[];
  /** The field that names them; left out: `id`. */
  readonly path?: string;
}

/**
 * The offers that a caller may read, in the requested order: own ones, active or not, and active ones of the catalog in
 * reach.
 *
 * @throws DomainError `foreign_firm`, `not_found` when one of them is missing, of another account or out of reach.
 * @see docs/assumptions.md, A-21
 */
export function visiblePlaces(offers: AccountOffers, caller: Caller, { ids, firmId: requestedFirmId, path }: IdChoice) {
  const firmId = firmIn(offers, caller, requestedFirmId);
  const { companies } = visibleTo(offers, caller, requestedFirmId);
  return ids.map((id): PlacedOffer => {
    const own = placeOf(offers.own, id);
    if (own && (firmId === null || listedAt(own.owned, own.table, own.row).firm?.id === firmId)) return own;
    const shared = placeOf(offers.catalog, id);
    const listed = shared && listedAt(shared.owned, shared.table, shared.row);
    if (!shared || !listed?.offer().isActive || !companies.has(listed.company.id)) throw notFound(NO_SUCH_OFFER, path);
    return shared;
  });
}

/** Offers of the catalog, active or not. @throws DomainError as `visiblePlaces`. */
export function catalogPlaces(offers: AccountOffers, caller: Caller, { ids, firmId, path }: IdChoice) {
  firmIn(offers, caller, firmId);
  return ids.map((id): PlacedOffer => {
    const place = placeOf(offers.catalog, id);
    if (!place) throw notFound(NO_SUCH_OFFER, path);
    return place;
  });
}

/** The offer at a place. */
export function detailAt({ owned, table, row }: PlacedOffer): OfferDetail {
  return { record: recordOf(listedAt(owned, table, row)), months: entryAt(table, row).months };
}
