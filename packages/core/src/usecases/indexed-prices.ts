import type { Caller } from '../access/caller.ts';
import type { Month } from '../calendar.ts';
import { refuseIfAny } from '../errors.ts';
import type { MonthlyPrice, Offer } from '../offers/offer.ts';
import { draftMonth, type MonthDraft } from '../offers/offer-changes.ts';
import type { Page, PageOf } from '../ports/lists.ts';
import type { MonthOfOffer } from '../ports/records.ts';
import type { Reader, Writer } from '../ports/stores.ts';
import type { Deps } from './deps.ts';
import { monthsInMemory, offersInMemory, pageOfMonths, type ReadDeps } from './offers-in-memory.ts';
import { CATALOG, OWN, type OwnerRecords, offerOf } from './owner-records.ts';
import { permitMore, type QuotaOwner } from './quotas.ts';
import { type FirmChoice, notFound, readFor, visibleOffer } from './record-access.ts';

interface OfferChoice extends FirmChoice {
  /** The offer. */
  readonly id: number;
}

/**
 * The monthly prices of an offer that the caller may see, oldest first.
 *
 * @throws DomainError `foreign_firm`, `not_found`.
 * @see docs/assumptions.md, A-12 and A-21
 */
export async function listMonths(
  deps: ReadDeps,
  caller: Caller,
  input: OfferChoice & { readonly page: Page },
): Promise<PageOf<MonthlyPrice>> {
  const memory = await offersInMemory(deps, caller);
  if (memory) return pageOfMonths(monthsInMemory(memory, caller, input), input.page);
  return readFor(deps, { caller, firmId: input.firmId }, async (reader, firmId) => {
    await visibleOffer(reader, caller, { offerId: input.id, firmId, withCommissions: false });
    return pageOfMonths(await storedMonths(reader, input.id), input.page);
  });
}

/** One month of an offer that the caller may see. @throws DomainError `foreign_firm`, `not_found`. */
export async function getMonth(
  deps: Deps,
  caller: Caller,
  input: OfferChoice & { readonly month: Month },
): Promise<MonthlyPrice> {
  return readFor(deps, { caller, firmId: input.firmId }, async (reader, firmId) => {
    await visibleOffer(reader, caller, { offerId: input.id, firmId, withCommissions: false });
    return storedMonth(reader, input.id, input.month);
  });
}

/** The months of an offer, oldest first. */
export async function storedMonths(reader: Reader, offerId: number): Promise<readonly MonthlyPrice[]> {
  return (await reader.monthsOf([offerId])).get(offerId) ?? [];
}

/** One stored month of an offer, however old. @throws DomainError `not_found`. */
export async function storedMonth(reader: Reader, offerId: number, month: Month): Promise<MonthlyPrice> {
  const price = (await storedMonths(reader, offerId)).find((candidate) => candidate.month === month);
  if (!price) throw notFound();
  return price;
}

/** Stores a month. @throws DomainError `quota_reached` when the owner may not have another one. */
async function putMonthWithin(
  writer: Writer,
  of: QuotaOwner,
  { offerId, price }: MonthOfOffer,
): Promise<'created' | 'replaced'> {
  const has = await writer.recordTotals(of.owner);
  const outcome = await writer.putMonth(of.owner, offerId, price);
  if (outcome === 'created') permitMore(of, has, { months: 1 });
  return outcome;
}

/** Makes the month of an offer from a draft. @throws DomainError `business_rule`, also when it is not indexed. */
function monthOf(offer: Offer, draft: MonthDraft): MonthlyPrice {
  const { price, issues } = draftMonth(offer.supplyType, draft);
  const indexedOnly = offer.isIndexed ? [] : [{ path: 'month', message: 'only indexed offers have monthly prices' }];
  refuseIfAny([...indexedOnly, ...issues]);
  return price;
}

function monthWrites(records: OwnerRecords) {
  return {
    async upsert(
      deps: Deps,
      caller: Caller,
      { id, firmId: asked, draft }: OfferChoice & { readonly draft: MonthDraft },
    ): Promise<{ readonly price: MonthlyPrice; readonly outcome: 'created' | 'replaced' }> {
      const work = async (writer: Writer, firmId: number | null) => {
        const { offer } = await offerOf(records, writer, { caller, id, firmId });
        const price = monthOf(offer, draft);
        const owner = records.ownerFor(caller);
        const outcome = await putMonthWithin(writer, { caller, owner }, { offerId: id, price });
        return { recordId: id, answer: { price, outcome } };
      };
      return records.write(deps, { caller, firmId: asked }, { operation: 'put_month', work });
    },
    async delete(
      deps: Deps,
      caller: Caller,
      { id, firmId: asked, month }: OfferChoice & { readonly month: Month },
    ): Promise<void> {
      const work = async (writer: Writer, firmId: number | null) => {
        await offerOf(records, writer, { caller, id, firmId });
        if (!(await writer.deleteMonth(records.ownerFor(caller), id, month))) throw notFound();
        return { recordId: id, answer: undefined };
      };
      return records.write(deps, { caller, firmId: asked }, { operation: 'delete_month', work });
    },
  };
}

const [own, catalog] = [monthWrites(OWN), monthWrites(CATALOG)];

/**
 * Creates or replaces one month of an own indexed offer. Prices that are not sent are erased.
 *
 * @throws DomainError `foreign_firm`, `not_found`, `business_rule` (also when the offer is not indexed), `quota_reached`.
 * @see docs/assumptions.md, A-12 and A-63
 */
export const upsertMonth = own.upsert;
/** Deletes one month of an own offer. @throws DomainError `foreign_firm`, `not_found` (the offer, or the month). */
export const deleteMonth = own.delete;
/** As `upsertMonth`, in the catalog. @throws DomainError as `CATALOG.write` too. */
export const upsertCatalogMonth = catalog.upsert;
/** As `deleteMonth`, in the catalog. @throws DomainError as `CATALOG.write` too. */
export const deleteCatalogMonth = catalog.delete;
