import {
  type Firm,
  type KeyRecord,
  type ListScope,
  type Moment,
  matchesCompany,
  matchesFilter,
  type Offer,
  type OfferHead,
  type OfferPast,
  type OfferRecord,
  type OfferVersion,
  type OwnerChanges,
  type Reader,
  type RecordChanges,
  type RecordOwner,
  rowOf,
} from '../src/service.ts';
import { answerReads } from './memory-answers.ts';
import { catalogReads } from './memory-catalog.ts';
import { changeReads } from './memory-changes.ts';
import { recordCounts } from './memory-counts.ts';
import { proposalReads } from './memory-proposals.ts';
import {
  atDepth,
  byId,
  type MemoryState,
  ownedRecord,
  pageOf,
  recordsOf,
  required,
  type StoredKey,
} from './memory-state.ts';
import { uploadReads } from './memory-uploads.ts';
import { usageReads } from './memory-usage.ts';

/** Reads of one state. Nothing is cached between calls: a writer reads what it has just written. */
export function createMemoryReader(state: MemoryState): Reader {
  return {
    keyByHash: async (secretHash) => keyRecord(state, (stored) => stored.secretHash === secretHash),
    keyRecord: async (keyId) => keyRecord(state, ({ key }) => key.id === keyId),
    account: async (accountId) => state.accounts.get(accountId)?.account ?? null,
    passwordHash: async (accountId) => state.accounts.get(accountId)?.passwordHash ?? null,
    accounts: async () => byId([...state.accounts.values()].map(({ account }) => account)),
    subscription: async (accountId) => state.subscriptions.get(accountId) ?? null,
    keys: async (accountId) =>
      byId([...state.keys.values()].map(({ key }) => key).filter((key) => key.accountId === accountId)),

    firms: async (scope, page) =>
      pageOf(
        recordsOf(state.firms, scope.owner).filter((firm) => isInScope(firm, firm.id, scope)),
        page,
      ),
    firm: async (accountId, firmId) => ownedRecord(state.firms, accountId, firmId),
    companies: async (scope, page) =>
      pageOf(
        recordsOf(state.companies, scope.owner).filter((company) => isInScope(company, company.firmId, scope)),
        page,
      ),
    company: async (owner, companyId) => ownedRecord(state.companies, owner, companyId),

    catalogSubscriptions: async (accountId) => subscriptionsSince(state, accountId, 0),

    revisions: async (accountId) => ({
      own: state.revisions.get(accountId) ?? 0,
      catalog: state.revisions.get('catalog') ?? 0,
    }),
    recordTotals: async (owner) => {
      const offers = recordsOf(state.offers, owner);
      const months = offers.reduce((total, { id }) => total + (state.months.get(id)?.length ?? 0), 0);
      return { companies: recordsOf(state.companies, owner).length, offers: offers.length, months };
    },
    changesSince: async (owner, since, isWanted = () => true) => {
      const { offers, ...records } = changesSince(state, owner, since);
      return { ...records, offers: offers.filter(({ offer }) => isWanted(headOf(offer))) };
    },
    recordsSince: async (owner, since) => recordsSince(state, owner, since),
    offerRowsSince: async function* (owner, since) {
      const rows = changesSince(state, owner, since).offers.map(rowOf);
      for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) yield rows.slice(start, start + ROWS_AT_ONCE);
    },
    ...changeReads(state),
    versionsOf: async (offerId) => state.versions.filter((version) => version.offerId === offerId),
    pastOf: async function* (owner, moment) {
      const past = recordsOf(state.offers, owner).flatMap(({ id }) => pastOf(state, id, moment));
      for (let start = 0; start < past.length; start += ROWS_AT_ONCE) yield past.slice(start, start + ROWS_AT_ONCE);
    },

    ...proposalReads(state),
    ...offerReads(state),
    ...catalogReads(state),
    ...uploadReads(state),
    ...usageReads(state),
    ...answerReads(state),
    activeOfferCount: async (owner) => recordsOf(state.offers, owner).filter((offer) => offer.isActive).length,
    recordCounts: async (scope) => recordCounts(state, scope),
  };
}

function headOf({ id, companyId, offerName, isActive }: Offer): OfferHead {
  return { id, companyId, offerName, isActive };
}

function offerReads(state: MemoryState): Pick<Reader, 'offers' | 'offersById' | 'monthsOf'> {
  return {
    offers: async (query, page) =>
      pageOf(
        recordsOf(state.offers, query.owner)
          .map((offer) => recordOf(state, query.owner, atDepth(offer, query)))
          .filter(
            ({ offer, company }) =>
              isInScope(offer, company.firmId, query) &&
              matchesFilter(offer, query.filter) &&
              (query.companyId === null || company.id === query.companyId) &&
              matchesCompany(company, { ownCompanyId: null, companyName: query.companyName }),
          ),
        page,
        ({ offer }) => offer.id,
      ),
    offersById: async (owner, offerIds, depth = { withCommissions: true }) =>
      recordsOf(state.offers, owner)
        .filter((offer) => offerIds.includes(offer.id))
        .map((offer) => recordOf(state, owner, atDepth(offer, depth))),
    monthsOf: async (offerIds) => {
      const known = offerIds.flatMap((id) => {
        const months = state.months.get(id) ?? [];
        return months.length > 0 ? [[id, months] as const] : [];
      });
      return new Map(known);
    },
  };
}

function keyRecord(state: MemoryState, isWanted: (stored: StoredKey) => boolean): KeyRecord | null {
  const key = [...state.keys.values()].find(isWanted)?.key;
  if (!key) return null;
  return {
    key,
    account: required(state.accounts.get(key.accountId), 'a key belongs to an account').account,
    subscription: state.subscriptions.get(key.accountId) ?? null,
    firmIsActive: key.firmId === null || ownedRecord(state.firms, key.accountId, key.firmId)?.isActive === true,
  };
}

function isInScope(record: { readonly isActive: boolean }, firmId: number | null, scope: ListScope): boolean {
  return (scope.includeInactive || record.isActive) && (scope.firmId === null || firmId === scope.firmId);
}

function recordOf(state: MemoryState, owner: RecordOwner, offer: Offer): OfferRecord {
  const company = required(ownedRecord(state.companies, owner, offer.companyId), 'an offer has a company of its owner');
  return { offer, company, firm: company.firmId === null ? null : firmOf(state, owner, company.firmId) };
}

function firmOf(state: MemoryState, owner: RecordOwner, firmId: number): Firm {
  return required(ownedRecord(state.firms, owner, firmId), 'a company has a firm of its account');
}

function subscriptionsSince(state: MemoryState, owner: RecordOwner, since: number) {
  return [...state.catalogSubscriptions.values()]
    .filter((owned) => owned.owner === owner && owned.revision > since)
    .map((owned) => owned.record)
    .sort((a, b) => a.firmId - b.firmId || a.companyId - b.companyId);
}

function pastOf(state: MemoryState, offerId: number, moment: Moment): readonly OfferPast[] {
  const versions = state.versions.filter((version) => version.offerId === offerId);
  const isAfter = ({ changedAt, revision }: OfferVersion) =>
    'instant' in moment ? changedAt > moment.instant : revision > moment.revision;
  const after = versions.filter(isAfter);
  const [first] = after;
  if (!first) return [];
  const months = new Map<string, OfferVersion>();
  for (const version of after.toReversed()) {
    if (version.before.kind === 'month') months.set(version.before.month, version);
  }
  const last = first.before.kind === 'month' ? (versions[versions.indexOf(first) - 1] ?? null) : null;
  const terms = after.find(({ before }) => before.kind !== 'month') ?? null;
  return [
    { offerId, terms, months: [...months].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, version]) => version), last },
  ];
}

/** Few, so that tests see more than one piece. */
const ROWS_AT_ONCE = 3;

function recordsSince(state: MemoryState, owner: RecordOwner, since: number): RecordChanges {
  return {
    firms: recordsOf(state.firms, owner, since),
    companies: recordsOf(state.companies, owner, since),
    subscriptions: subscriptionsSince(state, owner, since),
  };
}

function changesSince(state: MemoryState, owner: RecordOwner, since: number): OwnerChanges {
  return {
    ...recordsSince(state, owner, since),
    offers: recordsOf(state.offers, owner, since).map((offer) => ({
      offer,
      months: state.months.get(offer.id) ?? [],
    })),
  };
}
