import type { Caller } from '../access/caller.ts';
import { foreignFirm, narrowToFirm } from '../access/permit.ts';
import { assert } from '../errors.ts';
import type { Company, Firm } from '../firms/firm.ts';
import { type MonthlyPrice, type Offer, SUPPLY_TYPES } from '../offers/offer.ts';
import {
  anyOffer,
  type CompanyFilter,
  matchesCompany,
  type OfferFilter,
  type OfferRecord,
} from '../offers/offer-filter.ts';
import type { CatalogOfferQuery, OfferDepth, Page, PageOf } from '../ports/lists.ts';
import { matchingRows } from '../ranking/candidates.ts';
import type { Block, Universe } from '../ranking/universe.ts';
import type { Deps } from './deps.ts';
import { type AccountOffers, type OwnedOffers, type Place, placeOf } from './offer-cache.ts';
import { accountOffersFor, visibleTo } from './ranking.ts';
import { notFound } from './record-access.ts';

// Reads that rank nothing, answered from the columns that rankings use. `docs/decisions/0033` says when.

/** What a read needs. */
export type ReadDeps = Pick<Deps, 'store' | 'offerCache'>;

/** An offer of an answer, made an object only when somebody looks into it. */
export interface ListedOffer {
  /** The same number for the same stored offer; `null` when it has none. */
  readonly key: number | null;
  readonly company: Company;
  /** `null`: an offer of the shared catalog. */
  readonly firm: Firm | null;
  readonly offer: () => Offer;
}

/**
 * Most months that an offer is shown with, the newest: thirty years, longer than there has been a market to index by.
 *
 * @see docs/assumptions.md, A-64
 */
export const MAX_SHOWN_MONTHS = 360;

/** An offer with its monthly prices. */
export interface OfferDetail {
  readonly record: OfferRecord;
  /** The newest, oldest first. */
  readonly months: readonly MonthlyPrice[];
  /** How many there are, shown or not. */
  readonly monthCount: number;
}

/** A record as an answer lists it. */
export function listed({ offer, company, firm }: OfferRecord): ListedOffer {
  return { key: null, company, firm, offer: () => offer };
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
export function firmIn({ own }: AccountOffers, caller: Caller, askedFirmId: number | null): number | null {
  if (askedFirmId !== null && !own.firms.has(askedFirmId)) throw foreignFirm();
  return narrowToFirm(caller, askedFirmId);
}

/** Own offers that match, by id. The firm is one of the account, or `null` for all of them. */
export function listOwnOffers(
  { own }: AccountOffers,
  query: {
    readonly firmId: number | null;
    readonly includeInactive: boolean;
    readonly filter: OfferFilter;
    readonly company: CompanyFilter;
  },
  page: Page,
): PageOf<ListedOffer> {
  const { firmId, includeInactive, filter, company } = query;
  const companyIds = new Set<number>();
  for (const each of own.companies.values()) {
    if ((firmId === null || each.firmId === firmId) && matchesCompany(each, company)) companyIds.add(each.id);
  }
  const matching = { filter, includeInactive, admits: (id: number) => companyIds.has(id) };
  return pageOf(own, matchesIn(own.universes[filter.supplyType], matching), page);
}

/** Offers of the catalog that match, by id. */
export function listSharedOffers(
  { catalog }: AccountOffers,
  { includeInactive, companyId, supplyType, customerType }: Omit<CatalogOfferQuery, keyof OfferDepth>,
  page: Page,
): PageOf<ListedOffer> {
  const supplies = supplyType === null ? SUPPLY_TYPES : [supplyType];
  const matches = supplies.flatMap((supply) => {
    const filter = { ...anyOffer(supply), customerType };
    const admits = (id: number) => companyId === null || id === companyId;
    return matchesIn(catalog.universes[supply], { filter, includeInactive, admits });
  });
  return pageOf(catalog, matches, page);
}

/** The rows of a block that match. */
interface Matches {
  readonly block: Block;
  readonly rows: readonly number[];
}

interface Matching {
  readonly filter: OfferFilter;
  readonly includeInactive: boolean;
  readonly admits: (companyId: number) => boolean;
}

function matchesIn({ blocks }: Universe, { filter, includeInactive, admits }: Matching): readonly Matches[] {
  return blocks.map((block) => ({ block, rows: matchingRows(block, { ...filter, includeInactive }, admits) }));
}

function pageOf(owned: OwnedOffers, matches: readonly Matches[], { limit, offset }: Page): PageOf<ListedOffer> {
  const total = matches.reduce((sum, { rows }) => sum + rows.length, 0);
  const results: ListedOffer[] = [];
  let before = 0;
  for (const { block, rows } of inOrder(matches)) {
    const [first, end] = [Math.max(0, offset - before), offset + limit - before];
    for (const row of rows.slice(first, Math.max(first, end))) results.push(listedAt(owned, block, row));
    before += rows.length;
  }
  return { total, results };
}

/** Blocks of one supply follow each other by id; those of two are taken apart and put in order row by row. */
function inOrder(matches: readonly Matches[]): readonly Matches[] {
  if (matches.every(({ block }) => block.columns.supplyType === matches[0]?.block.columns.supplyType)) return matches;
  const idOf = ({ block, rows }: Matches) => block.ids[rows[0] ?? 0] ?? 0;
  const single = matches.flatMap(({ block, rows }) => rows.map((row) => ({ block, rows: [row] })));
  return single.sort((a, b) => idOf(a) - idOf(b));
}

function listedAt({ companies, firms }: OwnedOffers, block: Block, row: number): ListedOffer {
  const company = companies.get(block.companyIds[block.companySlots[row] ?? 0] ?? 0);
  assert(company !== undefined, 'an offer has a company of its owner');
  const firm = company.firmId === null ? null : (firms.get(company.firmId) ?? null);
  return { key: block.keys[row] ?? null, company, firm, offer: () => block.entryAt(row).offer };
}

/**
 * The offers that a caller may look at, with their months, in the order asked: own ones, active or not, and active ones of
 * the catalog in reach.
 *
 * @throws DomainError `foreign_firm`, `not_found` when one of them is foreign, missing or out of reach.
 * @see docs/assumptions.md, A-21
 */
export function detailsInMemory(
  offers: AccountOffers,
  caller: Caller,
  { ids, firmId: askedFirmId }: { readonly ids: readonly number[]; readonly firmId: number | null },
): readonly OfferDetail[] {
  return placesIn(offers, caller, { ids, firmId: askedFirmId }).map(detailAt);
}

/** All monthly prices of an offer that a caller may look at, oldest first. @throws DomainError as `detailsInMemory`. */
export function monthsInMemory(
  offers: AccountOffers,
  caller: Caller,
  { id, firmId }: { readonly id: number; readonly firmId: number | null },
): readonly MonthlyPrice[] {
  return placesIn(offers, caller, { ids: [id], firmId }).flatMap(({ block, row }) => block.entryAt(row).months);
}

/** One offer of the catalog, active or not. @throws DomainError `not_found`. */
export function sharedDetail({ catalog }: AccountOffers, id: number): OfferDetail {
  const place = placeOf(catalog, id);
  if (!place) throw notFound();
  return detailAt(place);
}

function placesIn(
  offers: AccountOffers,
  caller: Caller,
  { ids, firmId: askedFirmId }: { readonly ids: readonly number[]; readonly firmId: number | null },
): readonly Place[] {
  const firmId = firmIn(offers, caller, askedFirmId);
  const { companies } = visibleTo(offers, caller, askedFirmId);
  return ids.map((id) => {
    const own = placeOf(offers.own, id);
    if (own && (firmId === null || listedAt(own.owned, own.block, own.row).firm?.id === firmId)) return own;
    const shared = placeOf(offers.catalog, id);
    const listed = shared && listedAt(shared.owned, shared.block, shared.row);
    if (!shared || !listed?.offer().isActive || !companies.has(listed.company.id)) throw notFound();
    return shared;
  });
}

function detailAt({ owned, block, row }: Place): OfferDetail {
  const { months } = block.entryAt(row);
  const record = recordOf(listedAt(owned, block, row));
  return { record, months: months.slice(-MAX_SHOWN_MONTHS), monthCount: months.length };
}
