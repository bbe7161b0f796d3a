import { type Caller, seesCommissions } from '../access/caller.ts';
import type { Month } from '../calendar.ts';
import type { Company } from '../firms/firm.ts';
import type { MonthlyPrice } from '../offers/offer.ts';
import type { OfferQuery, Page, PageOf } from '../ports/lists.ts';
import type { Deps } from './deps.ts';
import type { ListChoice } from './firms.ts';
import { storedMonth, storedMonths } from './indexed-prices.ts';
import { listOffersOf, withNewestMonths } from './offers.ts';
import {
  firmIn,
  type ListedOffer,
  type OfferDetail,
  offersInMemory,
  pageOfMonths,
  type ReadDeps,
  sharedDetail,
} from './offers-in-memory.ts';
import { catalogCompany, catalogOffer, type FirmChoice, notFound, readFor } from './record-access.ts';

/**
 * A record of the catalog. A firm named in the request is checked but does not restrict the result: the whole catalog
 * is visible.
 */
export interface CatalogChoice extends FirmChoice {
  readonly id: number;
}

/** The companies of the catalog, subscribed to or not, by id. @throws DomainError `foreign_firm`. */
export async function listCatalogCompanies(deps: Deps, caller: Caller, input: ListChoice): Promise<PageOf<Company>> {
  const { includeInactive, page } = input;
  return readFor(deps, { caller, firmId: input.firmId }, (reader) =>
    reader.companies({ owner: 'catalog', firmId: null, includeInactive }, page),
  );
}

/** One company of the catalog. @throws DomainError `foreign_firm`, `not_found`. */
export async function getCatalogCompany(deps: Deps, caller: Caller, input: CatalogChoice): Promise<Company> {
  return readFor(deps, { caller, firmId: input.firmId }, (reader) => catalogCompany(reader, input.id));
}

/**
 * The offers of the catalog that match, subscribed to or not, by id.
 *
 * @throws DomainError `foreign_firm`.
 * @see docs/assumptions.md, A-21
 */
export function listCatalogOffers(
  deps: ReadDeps,
  caller: Caller,
  input: ListChoice & Pick<OfferQuery, 'filter' | 'companyId'>,
): Promise<PageOf<ListedOffer>> {
  return listOffersOf(deps, caller, { ...input, companyName: null, owner: 'catalog' });
}

/** One offer of the catalog with its newest monthly prices. @throws DomainError `foreign_firm`, `not_found`. */
export async function getCatalogOffer(deps: ReadDeps, caller: Caller, input: CatalogChoice): Promise<OfferDetail> {
  const memory = await offersInMemory(deps, caller);
  if (memory) {
    firmIn(memory, caller, input.firmId);
    return sharedDetail(memory, input.id);
  }
  return readFor(deps, { caller, firmId: input.firmId }, async (reader) => {
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
  return readFor(deps, { caller, firmId: input.firmId }, async (reader) => {
    const { offer } = await catalogOffer(reader, input.id, { withCommissions: false });
    return pageOfMonths(await storedMonths(reader, offer.id), input.page);
  });
}

/** One month of an offer of the catalog. @throws DomainError `foreign_firm`, `not_found`. */
export async function getCatalogMonth(
  deps: Deps,
  caller: Caller,
  input: CatalogChoice & { readonly month: Month },
): Promise<MonthlyPrice> {
  return readFor(deps, { caller, firmId: input.firmId }, async (reader) => {
    const { offer } = await catalogOffer(reader, input.id, { withCommissions: false });
    return storedMonth(reader, offer.id, input.month);
  });
}
