import type { Caller } from '../access/caller.ts';
import type { Month } from '../calendar.ts';
import { refuseIfAny } from '../errors.ts';
import type { MonthlyPrice, Offer } from '../offers/offer.ts';
import { draftMonth, type MonthDraft } from '../offers/offer-changes.ts';
import type { Page, PageOf } from '../ports/lists.ts';
import type { MonthOfOffer } from '../ports/records.ts';
import type { Reader, Writer } from '../ports/stores.ts';
import { type Deps, ownWork } from './deps.ts';
import type { FirmChoice } from './firms.ts';
import { monthsInMemory, offersInMemory, type ReadDeps } from './offers-in-memory.ts';
import { permitMore, type Shelf } from './quotas.ts';
import { notFound, ownOffers, resolveFirmId, visibleOffer } from './record-access.ts';

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
  if (memory) {
    const months = monthsInMemory(memory, caller, input);
    const { limit, offset } = input.page;
    return { total: months.length, results: months.slice(offset, offset + limit) };
  }
  return deps.store.read(async (reader) => {
    const firmId = await resolveFirmId(reader, caller, input.firmId);
    await visibleOffer(reader, caller, { offerId: input.id, firmId, withCommissions: false });
    return reader.months(input.id, input.page);
  });
}

/** One month of an offer that the caller may see. @throws DomainError `foreign_firm`, `not_found`. */
export async function getMonth(
  deps: Deps,
  caller: Caller,
  input: OfferChoice & { readonly month: Month },
): Promise<MonthlyPrice> {
  return deps.store.read(async (reader) => {
    const firmId = await resolveFirmId(reader, caller, input.firmId);
    await visibleOffer(reader, caller, { offerId: input.id, firmId, withCommissions: false });
    return storedMonth(reader, input.id, input.month);
  });
}

/** One stored month of an offer, however old. @throws DomainError `not_found`. */
export async function storedMonth(reader: Reader, offerId: number, month: Month): Promise<MonthlyPrice> {
  const months = (await reader.monthsOf([offerId])).get(offerId) ?? [];
  const price = months.find((candidate) => candidate.month === month);
  if (!price) throw notFound();
  return price;
}

/**
 * Creates or replaces one month of an own indexed offer. Prices that are not sent are erased.
 *
 * @throws DomainError `foreign_firm`, `not_found`, `business_rule` (also when the offer is not indexed), `quota_reached`.
 * @see docs/assumptions.md, A-12 and A-63
 */
export async function upsertMonth(
  deps: Deps,
  caller: Caller,
  input: OfferChoice & { readonly draft: MonthDraft },
): Promise<{ readonly price: MonthlyPrice; readonly outcome: 'created' | 'replaced' }> {
  return deps.store.write(ownWork(deps, caller), async (writer) => {
    const offer = await ownOffer(writer, caller, input);
    const price = monthOf(offer, input.draft);
    const outcome = await putMonthWithin(writer, { caller, owner: caller.accountId }, { offerId: offer.id, price });
    return { price, outcome };
  });
}

/** Stores a month. @throws DomainError `quota_reached` when the owner may not have another one. */
export async function putMonthWithin(
  writer: Writer,
  shelf: Shelf,
  { offerId, price }: MonthOfOffer,
): Promise<'created' | 'replaced'> {
  const has = await writer.recordTotals(shelf.owner);
  const outcome = await writer.putMonth(shelf.owner, offerId, price);
  if (outcome === 'created') permitMore(shelf, has, { months: 1 });
  return outcome;
}

/** Makes the month of an offer from a draft. @throws DomainError `business_rule`, also when it is not indexed. */
export function monthOf(offer: Offer, draft: MonthDraft): MonthlyPrice {
  const { price, issues } = draftMonth(offer.supplyType, draft);
  const indexedOnly = offer.isIndexed ? [] : [{ path: 'month', message: 'only indexed offers have monthly prices' }];
  refuseIfAny([...indexedOnly, ...issues]);
  return price;
}

/**
 * Deletes one month of an own offer.
 *
 * @throws DomainError `foreign_firm`, `not_found` (the offer, or the month).
 */
export async function deleteMonth(
  deps: Deps,
  caller: Caller,
  input: OfferChoice & { readonly month: Month },
): Promise<void> {
  await deps.store.write(ownWork(deps, caller), async (writer) => {
    const offer = await ownOffer(writer, caller, input);
    if (!(await writer.deleteMonth(caller.accountId, offer.id, input.month))) throw notFound();
  });
}

async function ownOffer(reader: Reader, caller: Caller, input: OfferChoice): Promise<Offer> {
  const firmId = await resolveFirmId(reader, caller, input.firmId);
  const [record] = await ownOffers(reader, caller, { offerIds: [input.id], firmId, withCommissions: false });
  if (!record) throw notFound();
  return record.offer;
}
