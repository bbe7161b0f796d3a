import {
  CHANGE_KINDS,
  type ChangePlace,
  type ChangeQuery,
  type Reader,
  type RecordChange,
  type RecordOwner,
} from '../src/service.ts';
import type { MemoryState, OwnedRecord } from './memory-state.ts';

/** Nothing is ever restored here, so a revision is its own mark. */
export function changeReads(state: MemoryState): Pick<Reader, 'changesAfter' | 'revisionMark'> {
  return {
    changesAfter: async (owner, query) => {
      const changes = query.kinds.flatMap((kind) => RECORDS[kind](state, owner, query));
      const { after, firmId, limit } = query;
      const records = changes
        .map((change) => ({ ...change, isGone: firmId !== null && change.firmId !== firmId }))
        .flatMap((change) => (change.isGone ? whenItWent(state, change, query) : change))
        .filter((change) => after === null || compare(change, after) > 0)
        .sort(compare);
      return after === null ? records.slice(-limit) : records.slice(0, limit);
    },
    revisionMark: async (owner, revision) =>
      revision > 0 && revision <= (state.revisions.get(owner) ?? 0) ? revision : null,
  };
}

function compare(a: ChangePlace, b: ChangePlace): number {
  return a.revision - b.revision || a.kind - b.kind || a.id - b.id;
}

type Change = Omit<RecordChange, 'isGone'>;
type ChangesOf = (state: MemoryState, owner: RecordOwner, query: ChangeQuery) => readonly Change[];

const kindOf = (kind: (typeof CHANGE_KINDS)[number]) => CHANGE_KINDS.indexOf(kind);
const ofOwner = <T>(records: ReadonlyMap<unknown, OwnedRecord<T>>, owner: RecordOwner) =>
  [...records.values()].filter((record) => record.owner === owner);

const RECORDS: Readonly<Record<(typeof CHANGE_KINDS)[number], ChangesOf>> = {
  client: (state, owner) =>
    ofOwner(state.firms, owner).map(({ revision, record: { id, isActive } }) => {
      return { revision, kind: kindOf('client'), id, firmId: id, isActive };
    }),
  company: (state, owner) =>
    ofOwner(state.companies, owner).map(({ revision, record: { id, isActive, firmId } }) => {
      return { revision, kind: kindOf('company'), id, firmId, isActive };
    }),
  offer: (state, owner, { isMasked }) =>
    ofOwner(state.offers, owner).map(({ revision, maskedRevision = revision, record: { id, isActive, companyId } }) => {
      const firmId = state.companies.get(companyId)?.record.firmId ?? null;
      return { revision: isMasked ? maskedRevision : revision, kind: kindOf('offer'), id, firmId, isActive };
    }),
  subscriptions: (state, owner) => {
    const byFirm = Map.groupBy(ofOwner(state.catalogSubscriptions, owner), ({ record }) => record.firmId);
    return [...byFirm].map(([id, decisions]) => {
      const revision = Math.max(...decisions.map((decision) => decision.revision));
      return { revision, kind: kindOf('subscriptions'), id, firmId: id, isActive: true };
    });
  },
};

/** Empty for a record that never belonged to the firm. */
function whenItWent<T extends Change>(state: MemoryState, change: T, { after, firmId }: ChangeQuery): readonly T[] {
  if (after === null || change.kind !== kindOf('offer')) return [];
  const last = state.versions.findLast(
    ({ offerId, before }) =>
      offerId === change.id &&
      before.kind === 'terms' &&
      state.companies.get(before.offer.companyId)?.record.firmId === firmId,
  );
  return last === undefined ? [] : [{ ...change, revision: last.revision }];
}
