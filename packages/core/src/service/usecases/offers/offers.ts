import { type Issue, refuseIfAny } from '../../../engine/errors.ts';
import { changeOf } from '../../../engine/offers/difference.ts';
import type { Offer } from '../../../engine/offers/offer.ts';
import {
  changeOffer,
  draftOffer,
  namesCommissions,
  type OfferChanges,
  type RequiredTerms,
} from '../../../engine/offers/offer-changes.ts';
import {
  type AnnualQuantities,
  annualQuantities,
  type ExpectedCommission,
  expectedCommission,
} from '../../../engine/rank/recommend.ts';
import { type Caller, maySeeCommissions } from '../../access/caller.ts';
import { inTurns } from '../../in-turns.ts';
import type { FilteredPage, OfferQuery } from '../../ports/lists.ts';
import type { CatalogOperation, OfferRecord } from '../../ports/records.ts';
import type { Writer } from '../../ports/stores.ts';
import { permitMoreNow, permitStoredNow } from '../requests/quotas.ts';
import type { ListChoice } from '../requests/record-access.ts';
import {
  companyOf,
  type FirmChoice,
  monthsOf,
  noSuchCompany,
  type RecordChoice,
  readFor,
} from '../requests/record-access.ts';
import { type OfferPage, type OfferSearch, searchInTurns } from './offer-search.ts';
import {
  detailAt,
  firmIn,
  type IdChoice,
  type ListedOffer,
  listed,
  matchesIn,
  type OfferDetail,
  offersInMemory,
  pageById,
  type ReadDeps,
  unknownIn,
} from './offers-in-memory.ts';
import { CATALOG, OWN, type OwnerRecords, offerOf, ownCommand } from './owner-records.ts';
import { accountOffersFor } from './visible-offers.ts';

/** An offer to be created: required and optional fields. */
interface NewOffer extends FirmChoice {
  readonly required: RequiredTerms;
  readonly changes: OfferChanges;
}

/** Which of the caller's offers are listed. */
interface OfferListChoice
  extends ListChoice,
    Pick<OfferQuery, 'filter' | 'companyId' | 'companyName'>,
    Partial<OfferSearch> {}

/** The own offers of the caller that match, by id unless another order is requested. @throws DomainError `foreign_firm`. */
export function listOffers(deps: ReadDeps, caller: Caller, input: OfferListChoice): Promise<OfferPage> {
  return listOf(deps, caller, { ...input, owner: caller.accountId });
}

/** The same of the catalog, subscribed to or not. @throws DomainError `foreign_firm`. */
export function listCatalogOffers(deps: ReadDeps, caller: Caller, input: OfferListChoice): Promise<OfferPage> {
  return listOf(deps, caller, { ...input, owner: 'catalog' });
}

/** Offers of one owner, from memory or from the database. A firm that is named does not narrow the catalog. */
async function listOf(
  deps: ReadDeps,
  caller: Caller,
  {
    firmId: requestedFirmId,
    page,
    search = null,
    order = null,
    ...choice
  }: OfferListChoice & Pick<OfferQuery, 'owner'>,
): Promise<OfferPage> {
  const isOwn = choice.owner !== 'catalog';
  const seesCommissions = maySeeCommissions(caller);
  const isSearch = search !== null || order !== null;
  const memory = isSearch ? await accountOffersFor(deps, caller) : await offersInMemory(deps, caller);
  if (memory) {
    const firmId = firmIn(memory, caller, requestedFirmId);
    const owned = isOwn ? memory.own : memory.catalog;
    const matches = matchesIn(owned, { ...choice, firmId: isOwn ? firmId : null });
    const { filter } = choice;
    if (!isSearch) return { ...pageById(owned, matches, page), ...unknownIn(matches, filter) };
    return inTurns(searchInTurns(owned, matches, { search, order, page, filter, seesCommissions }), deps, caller);
  }
  return readFor(deps, { caller, firmId: requestedFirmId }, async (reader, firmId) => {
    const query = { ...choice, firmId: isOwn ? firmId : null, seesCommissions };
    const found = await reader.offers.list(query, page);
    return { ...found, results: found.results.map(listed) };
  });
}

/** How many offers one export contains at most. */
export const MAX_EXPORT = 2000;

/**
 * The first 2 000 matching own offers, by id, and the number of all. No transaction stays open while they are sent.
 *
 * @param input - Without a supply: both, but for a filter that only electricity knows.
 * @throws DomainError `foreign_firm`.
 * @see docs/assumptions.md, A-35
 */
export async function exportOffers(
  deps: ReadDeps,
  caller: Caller,
  input: Omit<OfferListChoice, 'page'>,
): Promise<FilteredPage<ListedOffer>> {
  const { filter } = input;
  const isElectric = filter.hasSolarPanels !== null || filter.ssaaIncluded !== null;
  const supplyType = filter.supplyType ?? (isElectric ? 'LUZ' : null);
  const page = { limit: MAX_EXPORT, offset: 0 };
  return listOffers(deps, caller, { ...input, filter: { ...filter, supplyType }, page });
}

function offerReads(records: OwnerRecords) {
  const details = async (deps: ReadDeps, caller: Caller, { ids, firmId: requestedFirmId, path = 'id' }: IdChoice) => {
    const memory = await offersInMemory(deps, caller);
    if (memory) return records.places(memory, caller, { ids, firmId: requestedFirmId, path }).map(detailAt);
    return readFor(
      deps,
      { caller, firmId: requestedFirmId },
      async (reader, firmId): Promise<readonly OfferDetail[]> => {
        const seesCommissions = maySeeCommissions(caller);
        const visible = await records.visible(reader, caller, { offerIds: ids, firmId, seesCommissions, path });
        const histories = await monthsOf(reader, caller, visible);
        return visible.map((record) => ({ record, months: histories.get(record.offer.id) ?? [] }));
      },
    );
  };
  return {
    /**
     * Several offers with their months, in the order of the ids, which are distinct.
     *
     * @throws DomainError `foreign_firm`, `not_found` when the caller may not see one of them.
     * @see docs/assumptions.md, A-21, A-33 and A-64
     */
    details,
    /** One of them. @throws DomainError `foreign_firm`, `not_found`. */
    async get(deps: ReadDeps, caller: Caller, { id, firmId }: RecordChoice): Promise<OfferDetail> {
      const [detail] = await details(deps, caller, { ids: [id], firmId });
      return detail ?? nothing();
    },
  };
}

/**
 * The commission of an offer per contract-year for a consumption and a power, each first rounded to 6 decimals, as in
 * the ranking.
 *
 * @throws DomainError `foreign_firm`, `not_found`.
 * @see docs/assumptions.md, A-03, A-15 and A-16
 */
export async function calculateCommission(
  deps: ReadDeps,
  caller: Caller,
  input: RecordChoice & AnnualQuantities,
): Promise<ExpectedCommission> {
  const { record } = await ownOfferCases.get(deps, caller, input);
  return expectedCommission(record.offer, annualQuantities(input.annualMwh, input.powerKw));
}

function offerWrites(records: OwnerRecords) {
  const find = (writer: Writer, caller: Caller, { id, firmId }: RecordChoice) =>
    offerOf(records, writer, { caller, id, firmId });
  const recordId = ({ id }: RecordChoice) => id;
  const activateAs = (operation: CatalogOperation, isActiveAfter: (offer: Offer) => boolean) =>
    records.command<RecordChoice, OfferRecord, OfferRecord>({
      ...{ operation, recordId, find },
      async run(writer, caller, _input, record) {
        const terms = { ...record.offer, isActive: isActiveAfter(record.offer) };
        const change = changeOf(record.offer, terms);
        const owner = records.ownerFor(caller);
        const [offer = record.offer] = await writer.offers.update(owner, change ? [change] : []);
        if (change) await permitStoredNow(writer, { caller, owner }, 'historyBytes');
        return { ...record, offer };
      },
    });
  return {
    /**
     * Creates an offer for a company of the same owner.
     *
     * @throws DomainError `foreign_firm`, `not_found` (the company is foreign, missing or of another owner),
     *   `business_rule` with every issue, `quota_reached`.
     * @see docs/assumptions.md, A-24, A-49 and A-63
     */
    create: records.command<NewOffer, OfferRecord, CompanyWithFirm>({
      operation: 'create_offer',
      recordId: (_input, { offer }) => offer.id,
      find: (writer, caller, { firmId, required: { companyId } }) =>
        companyWithFirm(records, writer, { caller, firmId, companyId }),
      async run(writer, caller, { required, changes }, { company, firm }) {
        const owner = records.ownerFor(caller);
        const { terms, issues } = draftOffer(required, changes);
        refuseIfAny(issues);
        await permitMoreNow(writer, { caller, owner }, { offers: 1 });
        const [offer] = await writer.offers.insert(owner, [terms]);
        await permitStoredNow(writer, { caller, owner }, 'historyBytes');
        return offer ? { offer, company, firm } : nothing();
      },
    }),
    /**
     * Changes some fields of an offer. Concurrent changes of other fields are not lost: the offer is read in the
     * transaction that writes it.
     *
     * @throws DomainError `foreign_firm`, `not_found` (the offer, or the company that it should move to),
     *   `business_rule` with every issue.
     * @see docs/assumptions.md, A-24, A-26 and A-30
     */
    update: records.command<RecordChoice & { readonly changes: OfferChanges }, OfferRecord, OfferRecord>({
      ...{ operation: 'update_offer', recordId, find },
      async run(writer, caller, { firmId, changes }, found) {
        const [record] = await changeRecords(writer, caller, { records, stored: [found], firmId, changes });
        return record ?? nothing();
      },
    }),
    /** Activates an inactive offer, or deactivates an active one. @throws DomainError `foreign_firm`, `not_found`. */
    toggle: activateAs('toggle_offer', (offer) => !offer.isActive),
    /** Deactivates an offer, if it is active. @throws DomainError `foreign_firm`, `not_found`. */
    deactivate: activateAs('deactivate_offer', () => false),
  };
}

type CompanyWithFirm = Pick<OfferRecord, 'company' | 'firm'>;

/** The company that is to have an offer. @throws DomainError `not_found`. */
async function companyWithFirm(
  records: OwnerRecords,
  writer: Writer,
  { caller, firmId, companyId }: FirmChoice & { readonly caller: Caller; readonly companyId: number },
): Promise<CompanyWithFirm> {
  const owner = records.ownerFor(caller);
  const company = await companyOf(writer, owner, { id: companyId, firmId, refusal: noSuchCompany });
  return { company, firm: company.firmId === null ? null : await writer.firms.get(caller.accountId, company.firmId) };
}

/** Reads are of offers that the caller may see, writes of own ones. */
export const ownOfferCases = { ...offerReads(OWN), ...offerWrites(OWN) };

/** Offers of the catalog, active or not. Writes also throw what `CATALOG.command` throws. */
export const catalogOfferCases = { ...offerReads(CATALOG), ...offerWrites(CATALOG) };

/**
 * The same changes to several own offers, all of them or none. `ids` are distinct. It answers the offers as they are
 * afterwards, in the order of the ids.
 *
 * @throws DomainError `foreign_firm`, `not_found` when any of them is foreign or missing, `business_rule` with every
 *   issue of every offer, which names the offer.
 * @see docs/assumptions.md, A-26 and A-36
 */
export const updateOffers = ownCommand<
  FirmChoice & { readonly ids: readonly number[]; readonly changes: OfferChanges },
  readonly OfferRecord[],
  readonly OfferRecord[]
>({
  find: (writer, caller, { ids: offerIds, firmId }) =>
    OWN.offers(writer, caller, { offerIds, firmId, path: 'offer_ids' }),
  run: (writer, caller, { firmId, changes }, stored) =>
    changeRecords(writer, caller, { records: OWN, stored, firmId, changes, namesOffers: true }),
});

interface Batch extends FirmChoice {
  readonly records: OwnerRecords;
  readonly stored: readonly OfferRecord[];
  readonly changes: OfferChanges;
  /** Issues name their offer. */
  readonly namesOffers?: boolean;
}

/** @throws DomainError `not_found` when the company to which they are moved is foreign or missing, `business_rule`. */
async function changeRecords(writer: Writer, caller: Caller, batch: Batch): Promise<readonly OfferRecord[]> {
  const { records, stored, firmId, changes, namesOffers = false } = batch;
  const { companyId } = changes;
  const target = companyId === undefined ? {} : await companyWithFirm(records, writer, { caller, firmId, companyId });
  // A caller who may not see commissions must not learn them by watching which of its writes change something.
  const isBlind = namesCommissions(changes) && !maySeeCommissions(caller);
  const issues: Issue[] = [];
  const drafts = stored.flatMap(({ offer }) => {
    const draft = changeOffer(offer, changes);
    for (const issue of draft.issues) issues.push(namesOffers ? { ...issue, offerId: offer.id } : issue);
    return changeOf(offer, draft.terms, { isBlind }) ?? [];
  });
  refuseIfAny(issues);
  const owner = records.ownerFor(caller);
  const written = new Map((await writer.offers.update(owner, drafts)).map((offer) => [offer.id, offer]));
  if (drafts.length > 0) await permitStoredNow(writer, { caller, owner }, 'historyBytes');
  return stored.map((record) => ({ ...record, ...target, offer: written.get(record.offer.id) ?? record.offer }));
}

function nothing(): never {
  throw new Error('the store returned no offer for the one it was given');
}
