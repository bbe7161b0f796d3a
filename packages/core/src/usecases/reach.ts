import type { Caller } from '../access/caller.ts';
import { foreignFirm, narrowToFirm } from '../access/permit.ts';
import { DomainError } from '../errors.ts';
import type { Company } from '../firms/firm.ts';
import { subscribesTo } from '../firms/reach.ts';
import type { OfferRecord } from '../offers/offer-filter.ts';
import type { OfferDepth } from '../ports/lists.ts';
import type { Reader } from '../ports/stores.ts';

/**
 * The firm to which a request is narrowed, or `null` for all of the account; the firm it names has to be the
 * caller's own, active or not.
 *
 * @param askedFirmId - `null` when the request names none.
 * @throws DomainError `foreign_firm`: of another account, of another firm's key, or missing; one answer for all.
 * @see docs/assumptions.md, A-24
 */
export async function reachFirm(reader: Reader, caller: Caller, askedFirmId: number | null): Promise<number | null> {
  const firmId = narrowToFirm(caller, askedFirmId);
  const isKnown = askedFirmId === null || (await reader.firm(caller.accountId, askedFirmId)) !== null;
  if (!isKnown) throw foreignFirm();
  return firmId;
}

/** The refusal of a record that is foreign, missing or out of reach: one answer for all. */
export function notFound(): DomainError {
  return new DomainError('not_found', { message: 'not found' });
}

/** The same where the body names the company: whoever reads it must not look for the fault in the path. */
export function noSuchCompany(): DomainError {
  const issues = [{ path: 'companyId', message: 'no such company' }];
  return new DomainError('not_found', { message: 'not found', issues });
}

/**
 * A company of the caller, active or not; one of that firm only where the request is narrowed to it.
 *
 * @throws DomainError `not_found`, also for a company of the catalog.
 */
export async function ownCompany(
  reader: Reader,
  caller: Caller,
  {
    companyId,
    firmId,
    refusal = notFound,
  }: { readonly companyId: number; readonly firmId: number | null; readonly refusal?: () => DomainError },
): Promise<Company> {
  const company = await reader.company(caller.accountId, companyId);
  if (!company || (firmId !== null && company.firmId !== firmId)) throw refusal();
  return company;
}

/** Which offers, and how much of each. */
interface WantedOffers extends OfferDepth {
  readonly offerIds: readonly number[];
  /** `null`: of every firm. */
  readonly firmId: number | null;
}

/** Offers of the caller, active or not; those of one firm only where the request is narrowed to it. */
export async function ownOffers(
  reader: Reader,
  caller: Caller,
  { offerIds, firmId, ...depth }: WantedOffers,
): Promise<readonly OfferRecord[]> {
  const records = await reader.offersById(caller.accountId, offerIds, depth);
  return firmId === null ? records : records.filter((record) => record.firm?.id === firmId);
}

/**
 * The offers that a caller may look at, in the order asked: own ones, active or not, and active ones of active
 * catalog companies to which an active firm in reach subscribes.
 *
 * @throws DomainError `not_found` when one of them is foreign, missing or out of reach.
 * @see docs/assumptions.md, A-21
 */
export async function reachOffers(
  reader: Reader,
  caller: Caller,
  wanted: WantedOffers,
): Promise<readonly OfferRecord[]> {
  const found = new Map((await ownOffers(reader, caller, wanted)).map((record) => [record.offer.id, record]));
  const others = wanted.offerIds.filter((id) => !found.has(id));
  if (others.length > 0) {
    const { withCommissions } = wanted;
    const catalog = await reader.offersById('catalog', others, { withCommissions });
    const active = catalog.filter(({ offer, company }) => offer.isActive && company.isActive);
    const companyIds = await subscribedCompanies(reader, caller, { records: active, firmId: wanted.firmId });
    for (const record of active) if (companyIds.has(record.company.id)) found.set(record.offer.id, record);
  }
  return wanted.offerIds.map((id) => {
    const record = found.get(id);
    if (!record) throw notFound();
    return record;
  });
}

/** As `reachOffers`, for one. */
export async function reachOffer(
  reader: Reader,
  caller: Caller,
  { offerId, ...wanted }: Omit<WantedOffers, 'offerIds'> & { readonly offerId: number },
): Promise<OfferRecord> {
  const [record] = await reachOffers(reader, caller, { ...wanted, offerIds: [offerId] });
  if (!record) throw notFound();
  return record;
}

const FIRMS_PER_READ = 2000;

/** Those of the records' companies to which an active firm in reach subscribes. */
async function subscribedCompanies(
  reader: Reader,
  caller: Caller,
  { records, firmId }: { readonly records: readonly OfferRecord[]; readonly firmId: number | null },
): Promise<ReadonlySet<number>> {
  const companyIds = new Set(records.map((record) => record.company.id));
  const subscribed = new Set<number>();
  if (companyIds.size === 0) return subscribed;
  const decisions = await reader.catalogSubscriptions(caller.accountId);
  const scope = { accountId: caller.accountId, firmId, includeInactive: false };
  for (let offset = 0; ; offset += FIRMS_PER_READ) {
    const { results } = await reader.firms(scope, { limit: FIRMS_PER_READ, offset });
    for (const companyId of companyIds) {
      if (results.some((firm) => subscribesTo(firm, companyId, decisions))) subscribed.add(companyId);
    }
    if (results.length < FIRMS_PER_READ || subscribed.size === companyIds.size) return subscribed;
  }
}
