import type { Month } from '../../../engine/calendar.ts';
import { type Issue, refuseIfAny } from '../../../engine/errors.ts';
import { differenceOf } from '../../../engine/offers/difference.ts';
import type { MonthlyPrice, Offer } from '../../../engine/offers/offer.ts';
import { draftMonth, type MonthDraft } from '../../../engine/offers/offer-changes.ts';
import { checkMonthCount } from '../../../engine/offers/offer-rules.ts';
import { entryAt } from '../../../engine/price/table.ts';
import type { Caller } from '../../access/caller.ts';
import type { Page, PageOf } from '../../ports/lists.ts';
import type { Writer } from '../../ports/stores.ts';
import { permitMoreNow, permitStoredNow } from '../requests/quotas.ts';
import { monthsOf, notFound, type RecordChoice, readFor } from '../requests/record-access.ts';
import { offersInMemory, type ReadDeps } from './offers-in-memory.ts';
import { CATALOG, OWN, type OwnerRecords, offerOf } from './owner-records.ts';

function monthReads(records: OwnerRecords) {
  const fromStore = (deps: ReadDeps, caller: Caller, { id, firmId: requestedFirmId }: RecordChoice) =>
    readFor(deps, { caller, firmId: requestedFirmId }, async (reader, firmId) => {
      const visible = await records.visible(reader, caller, { offerIds: [id], firmId, seesCommissions: false });
      return (await monthsOf(reader, caller, visible)).get(id) ?? [];
    });
  return {
    /** The months of an offer, oldest first. @throws DomainError `foreign_firm`, `not_found`. */
    async list(
      deps: ReadDeps,
      caller: Caller,
      { id, firmId, page: { limit, offset } }: RecordChoice & { readonly page: Page },
    ): Promise<PageOf<MonthlyPrice>> {
      const memory = await offersInMemory(deps, caller);
      const [place] = memory ? records.places(memory, caller, { ids: [id], firmId }) : [];
      const months = place ? entryAt(place.table, place.row).months : await fromStore(deps, caller, { id, firmId });
      return { total: months.length, results: months.slice(offset, offset + limit) };
    },
    /** One month of an offer, however old. @throws DomainError `foreign_firm`, `not_found`. */
    async get(deps: ReadDeps, caller: Caller, input: RecordChoice & { readonly month: Month }): Promise<MonthlyPrice> {
      const price = (await fromStore(deps, caller, input)).find(({ month }) => month === input.month);
      if (!price) throw notFound('the offer has no such month');
      return price;
    },
  };
}

/** Makes the month of an offer from a draft. @throws DomainError `business_rule`, also when it is not indexed. */
function monthOf(offer: Offer, draft: MonthDraft): MonthlyPrice {
  const { price, issues } = draftMonth(offer.supplyType, draft);
  const indexedOnly: readonly Issue[] = offer.isIndexed
    ? []
    : [{ path: 'month', message: 'only indexed offers have monthly prices' }];
  refuseIfAny([...indexedOnly, ...issues]);
  return price;
}

/** An offer with its months, and the one to be written as it is now; `null`: there is none yet. */
interface FoundMonth {
  readonly offer: Offer;
  readonly months: readonly MonthlyPrice[];
  readonly price: MonthlyPrice | null;
}

function monthWrites(records: OwnerRecords) {
  const recordId = ({ id }: RecordChoice) => id;
  const foundMonth = async (
    writer: Writer,
    caller: Caller,
    { id, firmId, month }: RecordChoice & { readonly month: Month },
  ): Promise<FoundMonth> => {
    const { offer } = await offerOf(records, writer, { caller, id, firmId });
    const months = (await writer.months.of(records.ownerFor(caller), [id])).get(id) ?? [];
    return { offer, months, price: months.find((price) => price.month === month) ?? null };
  };
  return {
    /**
     * Creates or replaces one month of an indexed offer. Prices that are not sent are erased.
     *
     * @throws DomainError `foreign_firm`, `not_found`, `business_rule` (also when the offer is not indexed, or may not
     *   have another month), `quota_reached`.
     * @see docs/assumptions.md, A-12, A-63 and A-64
     */
    upsert: records.command<
      RecordChoice & { readonly draft: MonthDraft },
      { readonly price: MonthlyPrice; readonly outcome: 'created' | 'replaced' },
      FoundMonth
    >({
      operation: 'put_month',
      recordId,
      find: (writer, caller, { draft, ...choice }) => foundMonth(writer, caller, { ...choice, month: draft.month }),
      async run(writer, caller, { id, draft }, { offer, months, price: before }) {
        const price = monthOf(offer, draft);
        const owner = records.ownerFor(caller);
        if (before === null) {
          refuseIfAny(checkMonthCount(months.length + 1));
          await permitMoreNow(writer, { caller, owner }, { months: 1 });
        }
        const isChange = before === null || differenceOf(before, price).length > 0;
        if (isChange) {
          await writer.months.put(owner, [{ offerId: id, before, price }]);
          await permitStoredNow(writer, { caller, owner }, 'historyBytes');
        }
        return { price, outcome: before === null ? 'created' : 'replaced' };
      },
    }),
    /** Deletes one month. @throws DomainError `foreign_firm`, `not_found` (the offer, or the month). */
    delete: records.command<RecordChoice & { readonly month: Month }, void, MonthlyPrice>({
      operation: 'delete_month',
      recordId,
      async find(writer, caller, input) {
        const { price } = await foundMonth(writer, caller, input);
        if (!price) throw notFound('the offer has no such month');
        return price;
      },
      async run(writer, caller, { id }, before) {
        const owner = records.ownerFor(caller);
        await writer.months.delete(owner, id, before);
        await permitStoredNow(writer, { caller, owner }, 'historyBytes');
      },
    }),
  };
}

/** Months of offers that the caller may see; those of own offers are written. */
export const ownMonthCases = { ...monthReads(OWN), ...monthWrites(OWN) };

/** Months of offers of the catalog. Writes also throw what `CATALOG.command` throws. */
export const catalogMonthCases = { ...monthReads(CATALOG), ...monthWrites(CATALOG) };
