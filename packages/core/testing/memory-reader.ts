import { withoutCommissions } from '../src/engine/offers/field-parts.ts';
import type { Offer, OfferHead, OfferWithHistory, SupplyType } from '../src/engine/offers/offer.ts';
import { asksForTerms, filterVerdict, matchesCompany } from '../src/engine/offers/offer-filter.ts';
import { rowOf } from '../src/engine/offers/offer-row.ts';
import { LEAST_VERSION_BYTES, type StoredBytes } from '../src/service/access/limits.ts';
import type { KeyRecord } from '../src/service/accounts/account.ts';
import type { Firm } from '../src/service/firms/firm.ts';
import type {
  CountScope,
  ListScope,
  OfferCount,
  OfferDepth,
  RecordCounts,
  RecordOwner,
} from '../src/service/ports/lists.ts';
import type {
  FullestAccount,
  Moment,
  OfferPast,
  OfferRecord,
  OfferVersion,
  ProposalQuery,
  RecordChanges,
} from '../src/service/ports/records.ts';
import type { Reader } from '../src/service/ports/stores.ts';
import { UPLOAD_STATUSES } from '../src/service/uploads/upload.ts';
import { changeReads } from './memory-changes.ts';
import { type MemoryState, ownedRecord, pageOf, recordsOf, required, type StoredKey } from './memory-state.ts';
import { queueReads, uploadReads } from './memory-uploads.ts';
import { usageReads } from './memory-usage.ts';
import { webhookReads } from './memory-webhooks.ts';

/** Reads of one state. Nothing is cached between calls: a writer reads what it has just written. */
export function createMemoryReader(state: MemoryState): Reader {
  return {
    accounts: {
      get: async (accountId) => state.accounts.get(accountId)?.account ?? null,
      list: async () => [...state.accounts.values()].map(({ account }) => account),
      passwordHash: async (accountId) => state.accounts.get(accountId)?.passwordHash ?? null,
      subscription: async (accountId) => state.subscriptions.get(accountId) ?? null,
    },
    keys: {
      byHash: async (secretHash) => keyRecord(state, (stored) => stored.secretHash === secretHash),
      record: async (keyId) => keyRecord(state, ({ key }) => key.id === keyId),
      list: async (accountId) =>
        [...state.keys.values()].flatMap(({ key }) => (key.accountId === accountId ? [key] : [])),
    },
    firms: {
      list: async (scope, page) =>
        pageOf(
          recordsOf(state.firms, scope.owner).filter((firm) => isInScope(firm, firm.id, scope)),
          page,
        ),
      get: async (accountId, firmId) => ownedRecord(state.firms, accountId, firmId),
      detail: async (accountId, firmId) => {
        const { owner, record, logo = null } = state.firms.get(firmId) ?? {};
        return record && owner === accountId ? { ...record, logo } : null;
      },
    },
    companies: {
      list: async (scope, page) =>
        pageOf(
          recordsOf(state.companies, scope.owner).filter((company) => isInScope(company, company.firmId, scope)),
          page,
        ),
      get: async (owner, companyId) => ownedRecord(state.companies, owner, companyId),
    },
    offers: offerReads(state),
    months: {
      of: async (offerIds) => {
        const entries = offerIds.flatMap((id) => {
          const months = state.months.get(id) ?? [];
          return months.length > 0 ? [[id, months] as const] : [];
        });
        return new Map(entries);
      },
    },
    catalog: {
      writes: async (page) => pageOf(state.catalogWrites, page),
      subscriptions: async (accountId) => subscriptionsSince(state, accountId, 0),
    },
    changes: {
      ...changeReads(state),
      revisions: async (accountId) => ({
        own: state.revisions.get(accountId) ?? 0,
        catalog: state.revisions.get('catalog') ?? 0,
      }),
      since: async (owner, since, isWanted = () => true) => {
        const offers = offersSince(state, owner, since).filter(({ offer }) => isWanted(headOf(offer)));
        return { ...recordsSince(state, owner, since), offers };
      },
      recordsSince: async (owner, since) => recordsSince(state, owner, since),
    },
    counts: {
      totals: async (owner) => {
        const offers = recordsOf(state.offers, owner);
        const months = offers.reduce((total, { id }) => total + (state.months.get(id)?.length ?? 0), 0);
        return { companies: recordsOf(state.companies, owner).length, offers: offers.length, months };
      },
      stored: async (owner) => storedBytes(state, owner),
      fullest: async () => [...state.accounts.keys()].map((accountId) => fullestAccount(state, accountId)),
      records: async (scope) => recordCounts(state, scope),
      activeOffers: async (owner) => recordsOf(state.offers, owner).filter((offer) => offer.isActive).length,
    },
    proposals: proposalReads(state),
    uploads: uploadReads(state),
    queue: queueReads(state),
    webhooks: webhookReads(state),
    usage: usageReads(state),
    answers: { get: async (keyId, idempotencyKey) => state.answers.get(`${keyId} ${idempotencyKey}`) ?? null },
  };
}

function headOf({ id, companyId, offerName, isActive }: Offer): OfferHead {
  return { id, companyId, offerName, isActive };
}

function offerReads(state: MemoryState): Reader['offers'] {
  return {
    list: async (query, page) => {
      const ofCompany = recordsOf(state.offers, query.owner)
        .map((offer) => recordOf(state, query.owner, atDepth(offer, query)))
        .filter(
          ({ offer, company }) =>
            isInScope(offer, company.firmId, query) &&
            (query.companyId === null || company.id === query.companyId) &&
            matchesCompany(company, { ownCompanyId: null, companyName: query.companyName }),
        );
      const those = (wanted: boolean | null) =>
        ofCompany.filter(({ offer }) => filterVerdict(offer, query.filter) === wanted);
      return {
        ...pageOf(those(true), page, ({ offer }) => offer.id),
        ...(asksForTerms(query.filter) && { unknownTerms: those(null).length }),
      };
    },
    byId: async (owner, offerIds, depth = WHOLE) =>
      recordsOf(state.offers, owner)
        .filter((offer) => offerIds.includes(offer.id))
        .map((offer) => recordOf(state, owner, atDepth(offer, depth))),
    versions: async (offerId, depth) => versionsOf(state, offerId, depth),
    past: async function* (owner, moment, depth) {
      yield* inParts(
        recordsOf(state.offers, owner).flatMap(({ id }) => pastOf(versionsOf(state, id, depth), id, moment)),
      );
    },
    rowsSince: async function* (owner, since) {
      yield* inParts(offersSince(state, owner, since).map(rowOf));
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
  const decisions = recordsOf(state.catalogSubscriptions, owner, since);
  return decisions.toSorted((a, b) => a.firmId - b.firmId || a.companyId - b.companyId);
}

const WHOLE: OfferDepth = { seesCommissions: true };

function versionsOf({ versions }: MemoryState, offerId: number, depth = WHOLE): readonly OfferVersion[] {
  const own = versions.filter((version) => version.offerId === offerId);
  return own.map(({ before, ...version }) => {
    return {
      ...version,
      before: before.kind === 'terms' ? { ...before, offer: atDepth(before.offer, depth) } : before,
    };
  });
}

function pastOf(versions: readonly OfferVersion[], offerId: number, moment: Moment): readonly OfferPast[] {
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

/** Small parts, so that tests see more than one. */
function* inParts<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += 3) yield rows.slice(start, start + 3);
}

function recordsSince(state: MemoryState, owner: RecordOwner, since: number): RecordChanges {
  return {
    firms: recordsOf(state.firms, owner, since),
    companies: recordsOf(state.companies, owner, since),
    subscriptions: subscriptionsSince(state, owner, since),
  };
}

function offersSince(state: MemoryState, owner: RecordOwner, since: number): readonly OfferWithHistory[] {
  const offers = recordsOf(state.offers, owner, since);
  return offers.map((offer) => ({ offer, months: state.months.get(offer.id) ?? [] }));
}

/** An offer with as much of it as is read. */
function atDepth(offer: Offer, { seesCommissions }: OfferDepth): Offer {
  return seesCommissions ? offer : withoutCommissions(offer);
}

/** About what a database would say: of tiers those that were replaced, and those that versions have in common once. */
function storedBytes(state: MemoryState, owner: RecordOwner): StoredBytes {
  const own = state.versions.filter(({ offerId }) => state.offers.get(offerId)?.owner === owner);
  const lists = new Set(
    own.flatMap(({ offerId, before }) => {
      const present = JSON.stringify(state.offers.get(offerId)?.record.consumptionTiers);
      const former = before.kind === 'terms' ? JSON.stringify(before.offer.consumptionTiers) : present;
      return former === present ? [] : [former];
    }),
  );
  const proposals = [...state.proposals.values()].filter(({ accountId }) => accountId === owner);
  return {
    historyBytes: own.length * LEAST_VERSION_BYTES + [...lists].join('').length,
    proposalsBytes: proposals.reduce((sum, { companies, content }) => sum + companies.length + content.length, 0),
  };
}

function fullestAccount(state: MemoryState, accountId: number): FullestAccount {
  const { status, plan, quotas = {} } = state.subscriptions.get(accountId) ?? {};
  const isActive = status === 'active';
  return {
    stored: storedBytes(state, accountId),
    plan: isActive && plan ? plan : 'free',
    quotas: isActive ? quotas : {},
  };
}

function proposalReads({ proposals }: MemoryState): Reader['proposals'] {
  const matching = ({ accountId, firmId, seesCommissions }: ProposalQuery) =>
    [...proposals.values()].filter(
      (one) =>
        one.accountId === accountId && (firmId === null || one.firmId === firmId) && (seesCommissions || one.isMasked),
    );
  return {
    list: async (query, page) => {
      const heads = matching(query).map(({ id, createdAt, firmId, note, sha256 }) => ({
        id,
        createdAt,
        firmId,
        note,
        sha256,
      }));
      return pageOf(heads, page);
    },
    get: async (query, proposalId) => {
      const match = matching(query).find(({ id }) => id === proposalId);
      if (!match) return null;
      const { accountId: _owner, ...proposal } = match;
      return proposal;
    },
  };
}

function recordCounts(state: MemoryState, { owner, firmId }: CountScope): RecordCounts {
  const isCounted = (ofFirm: number | null | undefined) => firmId === null || ofFirm === firmId;
  const firms = recordsOf(state.firms, owner).filter((firm) => isCounted(firm.id));
  const companies = recordsOf(state.companies, owner).filter((company) => isCounted(company.firmId));
  const offers = recordsOf(state.offers, owner).filter((offer) =>
    isCounted(ownedRecord(state.companies, owner, offer.companyId)?.firmId),
  );
  const uploads = [...state.uploads.values()].flatMap((stored) =>
    stored.accountId === owner && isCounted(stored.upload.firmId) ? [stored.upload.status] : [],
  );

  const offerCount = (supplyType: SupplyType): OfferCount => {
    const ofSupply = offers.filter((offer) => offer.supplyType === supplyType);
    return { ...activeCount(ofSupply), indexed: ofSupply.filter((offer) => offer.isActive && offer.isIndexed).length };
  };
  const uploadCounts = UPLOAD_STATUSES.map((status) => [status, uploads.filter((each) => each === status).length]);
  return {
    offers: { LUZ: offerCount('LUZ'), GAS: offerCount('GAS') },
    firms: activeCount(firms),
    companies: activeCount(companies),
    uploads: Object.fromEntries(uploadCounts) as RecordCounts['uploads'],
  };
}

function activeCount(records: readonly { readonly isActive: boolean }[]) {
  return { total: records.length, active: records.filter((record) => record.isActive).length };
}
