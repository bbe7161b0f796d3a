import type { Caller } from '../access/caller.ts';
import { permitCatalogEditor } from '../access/permit.ts';
import type { OfferRecord } from '../offers/offer-filter.ts';
import type { RecordOwner } from '../ports/lists.ts';
import type { CatalogOperation } from '../ports/records.ts';
import type { Reader, Writer } from '../ports/stores.ts';
import type { Deps } from './deps.ts';
import type { AccountOffers, Place } from './offer-cache.ts';
import { catalogPlaces, type IdChoice, visiblePlaces } from './offers-in-memory.ts';
import {
  type FirmChoice,
  inOrder,
  notFound,
  ownOffers,
  type Question,
  type RecordChoice,
  resolveFirmId,
  visibleOffers,
  type WantedOffers,
  writeFor,
} from './record-access.ts';
import { catalogCounts } from './stats.ts';

interface RecordWrite<T> {
  readonly operation: CatalogOperation;
  readonly work: (writer: Writer, firmId: number | null) => Promise<{ readonly recordId: number; readonly answer: T }>;
}

/** How the records of one owner are found and written: the caller's own, or those of the shared catalog. */
export interface OwnerRecords {
  ownerFor(caller: Caller): RecordOwner;
  /** Runs a unit of work. @throws DomainError `foreign_firm`, and what `work` throws. */
  write<T>(deps: Pick<Deps, 'store' | 'clock'>, question: Question, step: RecordWrite<T>): Promise<T>;
  /** Offers in the order asked. @throws DomainError `not_found` when one of them is missing or of another owner. */
  offers(
    reader: Reader,
    caller: Caller,
    wanted: FirmChoice & { readonly offerIds: readonly number[] },
  ): Promise<readonly OfferRecord[]>;
  /** The same for offers that may be read: own ones and visible ones of the catalog, or all of the catalog. */
  visible(reader: Reader, caller: Caller, wanted: WantedOffers): Promise<readonly OfferRecord[]>;
  /** The same in memory. @throws DomainError `foreign_firm`, `not_found`. */
  places(offers: AccountOffers, caller: Caller, wanted: IdChoice): readonly Place[];
}

/** The records of the caller's account. */
export const OWN: OwnerRecords = {
  ownerFor: ({ accountId }) => accountId,
  write: (deps, question, { work }) =>
    writeFor(deps, question, async (writer, firmId) => (await work(writer, firmId)).answer),
  offers: async (reader, caller, { offerIds, firmId }) =>
    inOrder(offerIds, await ownOffers(reader, caller, { offerIds, firmId, withCommissions: true })),
  visible: visibleOffers,
  places: visiblePlaces,
};

/**
 * The records of the shared catalog. Every write of a single one checks the permission, and records who did what in the
 * transaction of the write. Subscribed firms see the change in their next ranking, because the revision of the catalog
 * has changed.
 *
 * `write` also throws DomainError `bound_key` and `not_catalog_editor`.
 *
 * @see docs/assumptions.md, A-23
 */
export const CATALOG: OwnerRecords = {
  ownerFor: () => 'catalog',
  async write({ store, clock }, { caller, firmId }, { operation, work }) {
    permitCatalogEditor(caller);
    const { accountId, keyId } = caller;
    return store.write({ keyId, at: clock.now(), concerns: ['catalog'] }, async (writer) => {
      await resolveFirmId(writer, caller, firmId);
      const before = await catalogCounts(writer);
      const { recordId, answer } = await work(writer, null);
      const after = await catalogCounts(writer);
      await writer.recordCatalogWrite({ accountId, operation, recordId, before, after, fileHash: null });
      return answer;
    });
  },
  offers: async (reader, _, { offerIds }) => inOrder(offerIds, await reader.offersById('catalog', offerIds)),
  visible: async (reader, _, { offerIds, firmId: _any, ...depth }) =>
    inOrder(offerIds, await reader.offersById('catalog', offerIds, depth)),
  places: catalogPlaces,
};

/** One offer of an owner. @throws DomainError `not_found`. */
export async function offerOf(
  records: OwnerRecords,
  writer: Writer,
  { caller, id, firmId }: RecordChoice & { readonly caller: Caller },
): Promise<OfferRecord> {
  const [record] = await records.offers(writer, caller, { offerIds: [id], firmId });
  if (!record) throw notFound();
  return record;
}
