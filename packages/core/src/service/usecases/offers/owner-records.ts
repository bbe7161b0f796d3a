import { type Caller, hasScope } from '../../access/caller.ts';
import { narrowToFirm, permitCatalogEditor } from '../../access/permit.ts';
import type { RecordOwner } from '../../ports/lists.ts';
import type { CatalogOperation, OfferRecord } from '../../ports/records.ts';
import type { Reader, Writer } from '../../ports/stores.ts';
import type { AccountOffers, PlacedOffer } from '../memory/offer-cache.ts';
import type { Command } from '../requests/command.ts';
import {
  type FirmChoice,
  inOrder,
  NO_SUCH_OFFER,
  notFound,
  ownOffers,
  type RecordChoice,
  resolveFirmId,
  visibleOffers,
  type WantedOffers,
} from '../requests/record-access.ts';
import { catalogCounts } from '../requests/stats.ts';
import { catalogPlaces, type IdChoice, visiblePlaces } from './offers-in-memory.ts';

/** Steps that get the firm to which the request is narrowed, `null` for the catalog. */
type Steps<In extends FirmChoice, Out, Found> = Pick<Command<In, Out, Found>, 'find' | 'run'>;

/** A change of records of either owner. */
interface RecordChange<In extends FirmChoice, Out, Found> extends Steps<In, Out, Found> {
  readonly operation: CatalogOperation;
  readonly recordId: (input: In, out: Out) => number;
}

/** How the records of one owner are found and written: the caller's own, or those of the shared catalog. */
export interface OwnerRecords {
  ownerFor(caller: Caller): RecordOwner;
  /** The command of a change. @throws DomainError `foreign_firm`, and what the steps throw. */
  command<In extends FirmChoice, Out, Found>(change: RecordChange<In, Out, Found>): Command<In, Out, Found>;
  /** Offers in the order asked. @throws DomainError `not_found` when one of them is missing or of another owner. */
  offers(
    reader: Reader,
    caller: Caller,
    wanted: Omit<WantedOffers, 'seesCommissions'>,
  ): Promise<readonly OfferRecord[]>;
  /** The same for offers that may be read: own ones and visible ones of the catalog, or all of the catalog. */
  visible(reader: Reader, caller: Caller, wanted: WantedOffers): Promise<readonly OfferRecord[]>;
  /** The same in memory. @throws DomainError `foreign_firm`, `not_found`. */
  places(offers: AccountOffers, caller: Caller, wanted: IdChoice): readonly PlacedOffer[];
}

/** A command that changes records of the caller. @throws DomainError `foreign_firm`, and what the steps throw. */
export function ownCommand<In extends FirmChoice, Out, Found>({
  find,
  run,
}: Steps<In, Out, Found>): Command<In, Out, Found> {
  return {
    find: async (writer, caller, input) =>
      find(writer, caller, { ...input, firmId: await resolveFirmId(writer, caller, input.firmId) }),
    run: (writer, caller, input, found) =>
      run(writer, caller, { ...input, firmId: narrowToFirm(caller, input.firmId) }, found),
  };
}

const OF_CATALOG = 'is an offer of the shared catalog, which is changed under /v1/catalog/offers';

/** Whether an offer is one of the catalog that the caller may read. */
async function seesInCatalog(reader: Reader, caller: Caller, { id, firmId }: RecordChoice): Promise<boolean> {
  const depth = { offerIds: [id], firmId, seesCommissions: false };
  if (hasScope(caller, 'catalog:read')) return (await reader.offers.byId('catalog', [id], depth)).length > 0;
  if (!hasScope(caller, 'offers:read')) return false;
  return visibleOffers(reader, caller, depth).then(
    () => true,
    () => false,
  );
}

/** The records of the caller's account. */
export const OWN: OwnerRecords = {
  ownerFor: ({ accountId }) => accountId,
  command: ownCommand,
  async offers(reader, caller, wanted) {
    const records = await ownOffers(reader, caller, { ...wanted, seesCommissions: true });
    const missing = wanted.offerIds.find((id) => records.every(({ offer }) => offer.id !== id));
    // Of several it is not said which are missing.
    if (
      missing !== undefined &&
      wanted.path === undefined &&
      (await seesInCatalog(reader, caller, { ...wanted, id: missing }))
    )
      throw notFound(OF_CATALOG, wanted.path);
    return inOrder(wanted, records);
  },
  visible: visibleOffers,
  places: visiblePlaces,
};

/**
 * The records of the shared catalog. Every command checks the permission, and records who did what in the transaction of
 * the write. Subscribed firms see the change in their next ranking, because the revision of the catalog has changed.
 *
 * Commands also throw DomainError `bound_key` and `not_catalog_editor`.
 *
 * @see docs/assumptions.md, A-23
 */
export const CATALOG: OwnerRecords = {
  ownerFor: () => 'catalog',
  command: ({ operation, recordId, find, run }) => ({
    concerns: () => ['catalog'],
    async find(writer, caller, input) {
      permitCatalogEditor(caller);
      await resolveFirmId(writer, caller, input.firmId);
      return find(writer, caller, { ...input, firmId: null });
    },
    async run(writer, caller, input, found) {
      const before = await catalogCounts(writer);
      const out = await run(writer, caller, { ...input, firmId: null }, found);
      const after = await catalogCounts(writer);
      const { accountId } = caller;
      const what = { accountId, operation, recordId: recordId(input, out), fileHash: null };
      await writer.catalog.recordWrite({ ...what, before, after });
      return out;
    },
  }),
  offers: async (reader, _, wanted) => inOrder(wanted, await reader.offers.byId('catalog', wanted.offerIds)),
  visible: async (reader, _, { seesCommissions, ...wanted }) =>
    inOrder(wanted, await reader.offers.byId('catalog', wanted.offerIds, { seesCommissions })),
  places: catalogPlaces,
};

/** One offer of an owner, as it is before it is changed. @throws DomainError `not_found`. */
export async function offerOf(
  records: OwnerRecords,
  writer: Writer,
  { caller, id, firmId }: RecordChoice & { readonly caller: Caller },
): Promise<OfferRecord> {
  const [record] = await records.offers(writer, caller, { offerIds: [id], firmId });
  if (!record) throw notFound(NO_SUCH_OFFER);
  return record;
}
