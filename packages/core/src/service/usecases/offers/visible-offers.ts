import { type OfferWithHistory, OTHER_SUPPLY, type SupplyType } from '../../../engine/offers/offer.ts';
import { ANY_COMPANY, type CompanyFilter, matchesCompany } from '../../../engine/offers/offer-filter.ts';
import { entryAt } from '../../../engine/price/table.ts';
import { hasOffers, type UniversePart } from '../../../engine/rank/universe.ts';
import type { Caller } from '../../access/caller.ts';
import { foreignFirm, narrowToFirm } from '../../access/permit.ts';
import type { Company } from '../../firms/firm.ts';
import { visibleCompanies } from '../../firms/visible-companies.ts';
import { type AccountOffers, placeOf } from '../memory/offer-cache.ts';
import type { Deps } from '../requests/deps.ts';

/** The offers visible to a caller, and their companies. */
export interface Visible {
  readonly offers: AccountOffers;
  /** By id: every company whose offers are visible. */
  readonly companies: ReadonlyMap<number, Company>;
}

/** The caller's offers and the catalog, both as of one state, which includes everything committed before the call. */
export async function accountOffersFor(
  { store, offerCache, revisions }: Pick<Deps, 'store' | 'offerCache' | 'revisions'>,
  { accountId }: Pick<Caller, 'accountId'>,
): Promise<AccountOffers> {
  const ready = offerCache.ready(accountId, revisions ?? (await store.latest.changes.revisions(accountId)));
  const load = () => store.read((reader) => offerCache.current(reader, accountId));
  return ready ?? (await offerCache.share(accountId, load));
}

/**
 * What the caller reaches of its offers and those of the catalog.
 *
 * @param requestedFirmId - `null`: not sent.
 * @throws DomainError `foreign_firm`.
 */
export function visibleTo(offers: AccountOffers, caller: Caller, requestedFirmId: number | null): Visible {
  const firmId = narrowToFirm(caller, requestedFirmId);
  if (firmId !== null && !offers.own.firms.has(firmId)) throw foreignFirm();
  return { offers, companies: companiesOf(offers, firmId) };
}

function companiesOf({ own, catalog }: AccountOffers, firmId: number | null): Visible['companies'] {
  return own.visibleCompanies.at(`${catalog.revision} ${firmId}`, () => {
    const firms =
      firmId === null ? [...own.firms.values()] : [own.firms.get(firmId)].filter((firm) => firm !== undefined);
    const all = [...own.companies.values(), ...catalog.companies.values()];
    const companies = visibleCompanies(firms, all, [...own.subscriptions.values()]);
    return new Map(companies.map((company) => [company.id, company]));
  });
}

/** A visible offer, active or not, with its months. */
export function entryIn({ offers, companies }: Visible, id: number): OfferWithHistory | null {
  const places = [offers.own, offers.catalog].flatMap((owned) => placeOf(owned, id) ?? []);
  const [entry = null] = places.map(({ table, row }) => entryAt(table, row));
  return entry !== null && companies.has(entry.offer.companyId) ? entry : null;
}

/** The universes of a supply type, with the companies that take part. */
export function partsOf(
  { offers, companies }: Visible,
  supplyType: SupplyType,
  filter: CompanyFilter,
): readonly UniversePart[] {
  const admitted =
    filter.ownCompanyId === null && filter.companyName === null ? companies : matching(companies, filter);
  const admits = (companyId: number) => admitted.has(companyId);
  return [offers.own, offers.catalog].map((owned) => ({ universe: owned.universes[supplyType], admits }));
}

/** Whether offers of the other supply are visible, as a request asks it. */
export const otherSupplyIn = (visible: Visible, supplyType: SupplyType) => () =>
  hasOffers(partsOf(visible, OTHER_SUPPLY[supplyType], ANY_COMPANY), OTHER_SUPPLY[supplyType]);

function matching(companies: Visible['companies'], filter: CompanyFilter): ReadonlySet<number> {
  return new Set([...companies.values()].filter((company) => matchesCompany(company, filter)).map(({ id }) => id));
}
