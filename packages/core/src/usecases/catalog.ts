import type { Caller } from '../access/caller.ts';
import type { DomainError } from '../errors.ts';
import type { Company } from '../firms/firm.ts';
import type { MonthlyPrice } from '../offers/offer.ts';
import type { OfferRecord } from '../offers/offer-filter.ts';
import type { CatalogOfferQuery, Page, PageOf } from '../ports/lists.ts';
import type { Reader } from '../ports/stores.ts';
import type { Deps } from './deps.ts';
import type { FirmChoice, ListChoice } from './firms.ts';
import type { OfferDetail } from './offers.ts';
import { notFound, reachFirm } from './reach.ts';

/** A record of the catalog. The firm that a request names is checked, and narrows nothing: the catalog is shown whole. */
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
export async function catalogOffer(reader: Reader, offerId: number): Promise<OfferRecord> {
  const [record] = await reader.offersById('catalog', [offerId]);
  if (!record) throw notFound();
  return record;
}

/** The companies of the catalog, subscribed to or not, by id. @throws DomainError `foreign_firm`. */
export async function listCatalogCompanies(deps: Deps, caller: Caller, input: ListChoice): Promise<PageOf<Company>> {
  const { firmId, includeInactive, page } = input;
  return deps.store.read(async (reader) => {
    await reachFirm(reader, caller, firmId);
    return reader.catalogCompanies({ includeInactive }, page);
  });
}

/** One company of the catalog. @throws DomainError `foreign_firm`, `not_found`. */
export async function getCatalogCompany(deps: Deps, caller: Caller, input: CatalogChoice): Promise<Company> {
  return deps.store.read(async (reader) => {
    await reachFirm(reader, caller, input.firmId);
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
  deps: Deps,
  caller: Caller,
  input: FirmChoice & CatalogOfferQuery & { readonly page: Page },
): Promise<PageOf<OfferRecord>> {
  const { firmId, page, ...query } = input;
  return deps.store.read(async (reader) => {
    await reachFirm(reader, caller, firmId);
    return reader.catalogOffers(query, page);
  });
}

/** One offer of the catalog with its monthly prices. @throws DomainError `foreign_firm`, `not_found`. */
export async function getCatalogOffer(deps: Deps, caller: Caller, input: CatalogChoice): Promise<OfferDetail> {
  return deps.store.read(async (reader) => {
    await reachFirm(reader, caller, input.firmId);
    const record = await catalogOffer(reader, input.id);
    return { record, months: (await reader.monthsOf([input.id])).get(input.id) ?? [] };
  });
}

/** The monthly prices of an offer of the catalog, oldest first. @throws DomainError `foreign_firm`, `not_found`. */
export async function listCatalogMonths(
  deps: Deps,
  caller: Caller,
  input: CatalogChoice & { readonly page: Page },
): Promise<PageOf<MonthlyPrice>> {
  const { months } = await getCatalogOffer(deps, caller, input);
  const { limit, offset } = input.page;
  return { total: months.length, results: months.slice(offset, offset + limit) };
}
