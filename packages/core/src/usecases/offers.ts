import type { Caller } from '../access/caller.ts';
import { refuseIfAny } from '../errors.ts';
import type { MonthlyPrice } from '../offers/offer.ts';
import { draftOffer, type OfferChanges, type RequiredTerms } from '../offers/offer-changes.ts';
import type { CompanyFilter, OfferFilter, OfferRecord } from '../offers/offer-filter.ts';
import type { PageOf } from '../ports/stores.ts';
import { annualQuantities, type ExpectedCommission, expectedCommission } from '../ranking/recommend.ts';
import type { Deps } from './deps.ts';
import type { FirmChoice, ListChoice } from './firms.ts';
import { notFound, reachFirm, reachOffer, reachOffers } from './reach.ts';

/** An offer with its monthly prices, oldest first. */
export interface OfferDetail {
  readonly record: OfferRecord;
  readonly months: readonly MonthlyPrice[];
}

export interface NewOffer extends FirmChoice {
  readonly required: RequiredTerms;
  readonly changes: OfferChanges;
}

/**
 * Creates an offer of one of the caller's own companies.
 *
 * @throws DomainError `foreign_firm`, `not_found` (the company is foreign, missing or of the catalog),
 *   `business_rule` with every issue.
 * @see docs/assumptions.md, A-24 and A-49
 */
export async function createOffer(deps: Deps, caller: Caller, input: NewOffer): Promise<OfferRecord> {
  return deps.store.write({ keyId: caller.keyId, at: deps.clock.now() }, async (writer) => {
    const firmId = await reachFirm(writer, caller, input.firmId);
    const company = await writer.company(caller.accountId, input.required.companyId);
    const firm = company?.firmId ? await writer.firm(caller.accountId, company.firmId) : null;
    if (!company || !firm || (firmId !== null && firm.id !== firmId)) throw notFound();
    const { terms, issues } = draftOffer(input.required, input.changes);
    refuseIfAny(issues);
    const [offer] = await writer.insertOffers(caller.accountId, [terms]);
    if (!offer) throw new Error('the store returned no offer for the one it was given');
    return { offer, company, firm };
  });
}

export interface OfferListChoice extends ListChoice {
  readonly filter: OfferFilter;
  readonly company: CompanyFilter;
}

/** The own offers of the caller that match, by id. @throws DomainError `foreign_firm`. */
export async function listOffers(deps: Deps, caller: Caller, input: OfferListChoice): Promise<PageOf<OfferRecord>> {
  return deps.store.read(async (reader) => {
    const firmId = await reachFirm(reader, caller, input.firmId);
    const { includeInactive, filter, company, page } = input;
    return reader.offers({ accountId: caller.accountId, firmId, includeInactive, filter, company }, page);
  });
}

/**
 * An offer within the caller's reach.
 *
 * @throws DomainError `foreign_firm`, `not_found`.
 * @see docs/assumptions.md, A-21
 */
export async function getOffer(
  deps: Deps,
  caller: Caller,
  input: FirmChoice & { readonly id: number },
): Promise<OfferDetail> {
  const [detail] = await compareOffers(deps, caller, { ids: [input.id], firmId: input.firmId });
  if (!detail) throw notFound();
  return detail;
}

/**
 * Several offers within the caller's reach, in the order asked.
 *
 * @param input - `ids` are distinct.
 * @throws DomainError `foreign_firm`, `not_found` when any of them is out of reach.
 * @see docs/assumptions.md, A-21 and A-33
 */
export async function compareOffers(
  deps: Deps,
  caller: Caller,
  input: FirmChoice & { readonly ids: readonly number[] },
): Promise<readonly OfferDetail[]> {
  return deps.store.read(async (reader) => {
    const firmId = await reachFirm(reader, caller, input.firmId);
    const records = await reachOffers(reader, caller, { offerIds: input.ids, firmId });
    const months = await reader.monthsOf(input.ids);
    return records.map((record) => ({ record, months: months.get(record.offer.id) ?? [] }));
  });
}

export interface CommissionQuestion extends FirmChoice {
  readonly id: number;
  /** MWh per year, finite and >= 0. */
  readonly annualMwh: number;
  /** kW, finite and >= 0; `null` when not given. Gas ignores it. */
  readonly powerKw: number | null;
}

/**
 * What one offer pays per contract-year at a consumption and a power, each rounded to 6 decimals first, as in the
 * ranking.
 *
 * @throws DomainError `foreign_firm`, `not_found`.
 * @see docs/assumptions.md, A-03, A-15 and A-16
 */
export async function calculateCommission(
  deps: Deps,
  caller: Caller,
  input: CommissionQuestion,
): Promise<ExpectedCommission> {
  return deps.store.read(async (reader) => {
    const firmId = await reachFirm(reader, caller, input.firmId);
    const { offer } = await reachOffer(reader, caller, { offerId: input.id, firmId });
    return expectedCommission(offer, annualQuantities(input.annualMwh, input.powerKw));
  });
}
