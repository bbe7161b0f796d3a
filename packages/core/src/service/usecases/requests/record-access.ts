import { DomainError } from '../../../engine/errors.ts';
import type { Message } from '../../../engine/messages/message.ts';
import type { MonthlyPrice } from '../../../engine/offers/offer.ts';
import type { Caller } from '../../access/caller.ts';
import { foreignFirm, narrowToFirm } from '../../access/permit.ts';
import type { Company } from '../../firms/firm.ts';
import { subscribesTo } from '../../firms/visible-companies.ts';
import type { OfferDepth, Page, RecordOwner } from '../../ports/lists.ts';
import type { OfferRecord } from '../../ports/records.ts';
import type { Reader } from '../../ports/stores.ts';
import type { Deps } from './deps.ts';

/**
 * Restricts a request to one firm. `firmId`: the firm that the request names, or `null`. A record named by its id is
 * then looked for in that firm only.
 */
export interface FirmChoice {
  readonly firmId: number | null;
}

/** One record of the caller. */
export interface RecordChoice extends FirmChoice {
  readonly id: number;
}

/** A page of the records of the caller, or of one firm. */
export interface ListChoice extends FirmChoice {
  readonly includeInactive: boolean;
  readonly page: Page;
}

/**
 * The firm to which a request is restricted, or `null` for the whole account. A firm named in the request must be the
 * caller's own, active or not.
 *
 * @param requestedFirmId - `null` when the request names none.
 * @throws DomainError `foreign_firm`: the firm belongs to another account, is not that of the bound key, or does not
 *   exist; the same answer for all three.
 * @see docs/assumptions.md, A-24
 */
export async function resolveFirmId(
  reader: Reader,
  caller: Caller,
  requestedFirmId: number | null,
): Promise<number | null> {
  const firmId = narrowToFirm(caller, requestedFirmId);
  const isKnown = requestedFirmId === null || (await reader.firms.get(caller.accountId, requestedFirmId)) !== null;
  if (!isKnown) throw foreignFirm();
  return firmId;
}

/** Who asks, and for which firm. */
interface Asker extends FirmChoice {
  readonly caller: Caller;
}

/**
 * Reads of one state. `work` gets the firm to which the request is restricted, as `resolveFirmId` finds it.
 *
 * @throws DomainError `foreign_firm`.
 */
export function readFor<T>(
  { store }: Pick<Deps, 'store'>,
  { caller, firmId }: Asker,
  work: (reader: Reader, firmId: number | null) => Promise<T>,
): Promise<T> {
  return store.read(async (reader) => work(reader, await resolveFirmId(reader, caller, firmId)));
}

/**
 * The refusal of a record that is foreign, missing or not visible: the same answer for all three.
 *
 * @param what - Which kind of record there is none of.
 * @param path - The field that names it.
 */
export function notFound(what: Message, path = 'id'): DomainError {
  return new DomainError('not_found', { message: 'not found', issues: [{ path, message: what }] });
}

/** Which kind of record there is none of. */
export const NO_SUCH_OFFER = 'no such offer';
export const NO_SUCH_COMPANY = 'no such company';

/** The same for a company named in the body, so that the refusal points to the body and not to the path. */
export function noSuchCompany(): DomainError {
  return notFound(NO_SUCH_COMPANY, 'companyId');
}

/**
 * A company of an owner, active or not; an own one only of the firm to which the request is restricted.
 *
 * @throws DomainError `not_found`, or `refusal` where it is given, also for a company of another owner.
 */
export async function companyOf(
  reader: Reader,
  owner: RecordOwner,
  {
    id,
    firmId,
    refusal = () => notFound(NO_SUCH_COMPANY),
  }: RecordChoice & { readonly refusal?: () => DomainError | Promise<DomainError> },
): Promise<Company> {
  const company = await reader.companies.get(owner, id);
  const isOfFirm = owner === 'catalog' || firmId === null || company?.firmId === firmId;
  if (!company || !isOfFirm) throw await refusal();
  return company;
}

/** The offers to read, and which parts of them. */
export interface WantedOffers extends OfferDepth, FirmChoice {
  readonly offerIds: readonly number[];
  /** The field that names them; left out: `id`. */
  readonly path?: string | undefined;
}

/** Offers of the caller, active or not; if the request is restricted to a firm, only those of that firm. */
export async function ownOffers(
  reader: Reader,
  caller: Caller,
  { offerIds, firmId, ...depth }: WantedOffers,
): Promise<readonly OfferRecord[]> {
  const records = await reader.offers.byId(caller.accountId, offerIds, depth);
  return firmId === null ? records : records.filter((record) => record.firm?.id === firmId);
}

/** Whose record an offer is that a caller may read. */
export function ownerOf({ accountId }: Caller, { company }: OfferRecord): RecordOwner {
  return company.firmId === null ? 'catalog' : accountId;
}

/** The months of offers that a caller may read, by id: its own and those of the catalog. */
export async function monthsOf(
  reader: Reader,
  caller: Caller,
  records: readonly OfferRecord[],
): Promise<ReadonlyMap<number, readonly MonthlyPrice[]>> {
  const found = new Map<number, readonly MonthlyPrice[]>();
  for (const [owner, owned] of Map.groupBy(records, (record) => ownerOf(caller, record))) {
    const ids = owned.map(({ offer }) => offer.id);
    for (const [id, months] of await reader.months.of(owner, ids)) found.set(id, months);
  }
  return found;
}

/**
 * The requested offers, in the order of their ids. Visible are own offers, active or not, and active offers of active
 * catalog companies to which one of the caller's active firms subscribes.
 *
 * @throws DomainError `not_found` when one of them is foreign, missing or not visible.
 * @see docs/assumptions.md, A-21
 */
export async function visibleOffers(
  reader: Reader,
  caller: Caller,
  wanted: WantedOffers,
): Promise<readonly OfferRecord[]> {
  const ownRecords = new Map((await ownOffers(reader, caller, wanted)).map((record) => [record.offer.id, record]));
  const others = wanted.offerIds.filter((id) => !ownRecords.has(id));
  if (others.length > 0) {
    const { seesCommissions } = wanted;
    const catalog = await reader.offers.byId('catalog', others, { seesCommissions });
    const active = catalog.filter(({ offer, company }) => offer.isActive && company.isActive);
    const companyIds = await subscribedCompanies(reader, caller, { records: active, firmId: wanted.firmId });
    for (const record of active) if (companyIds.has(record.company.id)) ownRecords.set(record.offer.id, record);
  }
  return inOrder(wanted, [...ownRecords.values()]);
}

/** Offers in the order of these ids. @throws DomainError `not_found` when one of them is not there. */
export function inOrder(
  { offerIds, path }: Pick<WantedOffers, 'offerIds' | 'path'>,
  records: readonly OfferRecord[],
): readonly OfferRecord[] {
  const byId = new Map(records.map((record) => [record.offer.id, record]));
  return offerIds.map((id) => {
    const record = byId.get(id);
    if (!record) throw notFound(NO_SUCH_OFFER, path);
    return record;
  });
}

const FIRMS_PER_READ = 2000;

/** The companies of these records to which one of the caller's active firms subscribes. */
async function subscribedCompanies(
  reader: Reader,
  caller: Caller,
  { records, firmId }: { readonly records: readonly OfferRecord[]; readonly firmId: number | null },
): Promise<ReadonlySet<number>> {
  const companyIds = new Set(records.map((record) => record.company.id));
  const subscribed = new Set<number>();
  if (companyIds.size === 0) return subscribed;
  const decisions = await reader.catalog.subscriptions(caller.accountId);
  const scope = { owner: caller.accountId, firmId, includeInactive: false };
  for (let offset = 0; ; offset += FIRMS_PER_READ) {
    const { results } = await reader.firms.list(scope, { limit: FIRMS_PER_READ, offset });
    for (const companyId of companyIds) {
      if (results.some((firm) => subscribesTo(firm, companyId, decisions))) subscribed.add(companyId);
    }
    if (results.length < FIRMS_PER_READ || subscribed.size === companyIds.size) return subscribed;
  }
}
