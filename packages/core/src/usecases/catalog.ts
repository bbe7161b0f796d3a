import { type Caller, seesCommissions } from '../access/caller.ts';
import type { Month } from '../calendar.ts';
import type { DomainError } from '../errors.ts';
import type { Company } from '../firms/firm.ts';
import type { MonthlyPrice } from '../offers/offer.ts';
import type { OfferRecord } from '../offers/offer-filter.ts';
import type { CatalogOfferQuery, OfferDepth, Page, PageOf } from '../ports/lists.ts';
import type { Reader } from '../ports/stores.ts';
import type { Deps } from './deps.ts';
import type { FirmChoice, ListChoice } from './firms.ts';
import { storedMonth } from './indexed-prices.ts';
import { withNewestMonths } from './offers.ts';
import {
  firmIn,
  type ListedOffer,
  listed,
  listSharedOffers,
  type OfferDetail,
  offersInMemory,
  type ReadDeps,
  sharedDetail,
} from './offers-in-memory.ts';
import { notFound, resolveFirmId } from './record-access.ts';

/**
 * A record of the catalog. A firm named in the request is checked but does not restrict the result: the whole catalog
 * is visible.
 */
export interface CatalogChoice extends FirmChoice {
  readonly id: number;
}

/** A company of the shared catalog, active or not. @throws DomainError `not_found`, also for an own one. */
export async function catalogCompany(
  reader: Reader,
  companyId: number,
  { refusal = notFound }: { readonly refusal?: () => DomainError } = {},
): Promise<Company> {
  const company = await reader.company('catalog', companyId);
  if (!company) throw refusal();
  return company;
}

/** An offer of the shared catalog, active or not. @throws DomainError `not_found`, also for an own one. */
export async function catalogOffer(reader: Reader, offerId: number, depth?: OfferDepth): Promise<OfferRecord> {
  const [record] = await reader.offersById('catalog', [offerId], depth);
  if (!record) throw notFound();
  return record;
}

/** The companies of the catalog, subscribed to or not, by id. @throws DomainError `foreign_firm`. */
export async function listCatalogCompanies(deps: Deps, caller: Caller, input: ListChoice): Promise<PageOf<Company>> {
  const { firmId, includeInactive, page } = input;
  return deps.store.read(async (reader) => {
    await resolveFirmId(reader, caller, firmId);
    return reader.catalogCompanies({ includeInactive }, page);
  });
}

/** One company of the catalog. @throws DomainError `foreign_firm`, `not_found`. */
export async function getCatalogCompany(deps: Deps, caller: Caller, input: CatalogChoice): Promise<Company> {
  return deps.store.read(async (reader) => {
    await resolveFirmId(reader, caller, input.firmId);
    return catalogCompany(reader, input.id);
  });
}

/**
 * The offers of the catalog that match, subscribed to or not, by id.
 *
 * @throws DomainError `foreign_firm`.
 * @see docs/assumptions.md, A-21
 */
export async function listCatalogOffers(
  deps: ReadDeps,
  caller: Caller,
  input: FirmChoice & Omit<CatalogOfferQuery, keyof OfferDepth> & { readonly page: Page },
): Promise<PageOf<ListedOffer>> {
  const { firmId, page, ...query } = input;
  const memory = await offersInMemory(deps, caller);
  if (memory) {
    firmIn(memory, caller, firmId);
    return listSharedOffers(memory, query, page);
  }
  return deps.store.read(async (reader) => {
    await resolveFirmId(reader, caller, firmId);
    const { total, results } = await reader.catalogOffers({ ...query, withCommissions: seesCommissions(caller) }, page);
    return { total, results: results.map(listed) };
  });
}

/** One offer of the catalog with its newest monthly prices. @throws DomainError `foreign_firm`, `not_found`. */
export async function getCatalogOffer(deps: ReadDeps, caller: Caller, input: CatalogChoice): Promise<OfferDetail> {
  const memory = await offersInMemory(deps, caller);
  if (memory) {
    firmIn(memory, caller, input.firmId);
    return sharedDetail(memory, input.id);
  }
  return deps.store.read(async (reader) => {
    await resolveFirmId(reader, caller, input.firmId);
    const record = await catalogOffer(reader, input.id, { withCommissions: seesCommissions(caller) });
    const [detail] = await withNewestMonths(reader, [record]);
    if (!detail) throw notFound();
    return detail;
  });
}

/** The monthly prices of an offer of the catalog, oldest first. @throws DomainError `foreign_firm`, `not_found`. */
export async function listCatalogMonths(
  deps: ReadDeps,
  caller: Caller,
  input: CatalogChoice & { readonly page: Page },
): Promise<PageOf<MonthlyPrice>> {
  return deps.store.read(async (reader) => {
    await resolveFirmId(reader, caller, input.firmId);
    const { offer } = await catalogOffer(reader, input.id, { withCommissions: false });
    return reader.months(offer.id, input.page);
  });
}

/** One month of an offer of the catalog. @throws DomainError `foreign_firm`, `not_found`. */
export async function getCatalogMonth(
  deps: Deps,
  caller: Caller,
  input: CatalogChoice & { readonly month: Month },
): Promise<MonthlyPrice> {
  return deps.store.read(async (reader) => {
    await resolveFirmId(reader, caller, input.firmId);
    const { offer } = await catalogOffer(reader, input.id, { withCommissions: false });
    return storedMonth(reader, offer.id, input.month);
  });
}
