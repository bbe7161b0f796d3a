import type { RecordOwner } from '../src/service/ports/lists.ts';
import {
  CHANGE_KINDS,
  type ChangeKind,
  type ChangePlace,
  type ChangeQuery,
  type RecordChange,
} from '../src/service/ports/records.ts';
import type { Reader } from '../src/service/ports/stores.ts';
import { type MemoryState, ownedBy } from './memory-state.ts';

/** Nothing is ever restored here, so a revision is its own mark. */
export function changeReads(state: MemoryState): Pick<Reader['changes'], 'after' | 'mark'> {
  return {
    after: async (owner, query) => {
      const changes = query.kinds.flatMap((kind) =>
        RECORDS[kind](state, owner, query).map((change) => ({ ...change, kind: CHANGE_KINDS.indexOf(kind) })),
      );
      const { after, firmId, limit } = query;
      const records = changes
        .map((change) => ({ ...change, isGone: firmId !== null && change.firmId !== firmId }))
        .flatMap((change) => (change.isGone ? whenItWent(state, change, query) : change))
        .filter((change) => after === null || compare(change, after) > 0)
        .sort(compare);
      return after === null ? records.slice(-limit) : records.slice(0, limit);
    },
    mark: async (owner, revision) => (revision > 0 && revision <= (state.revisions.get(owner) ?? 0) ? revision : null),
  };
}

function compare(a: ChangePlace, b: ChangePlace): number {
  return a.revision - b.revision || a.kind - b.kind || a.id - b.id;
}

type Change = Omit<RecordChange, 'isGone' | 'kind'>;
type ChangesOf = (state: MemoryState, owner: RecordOwner, query: ChangeQuery) => readonly Change[];

const RECORDS: Readonly<Record<ChangeKind, ChangesOf>> = {
  client: (state, owner) =>
    ownedBy(state.firms, owner).map(({ revision, record: { id, isActive } }) => {
      return { revision, id, firmId: id, isActive };
    }),
  company: (state, owner) =>
    ownedBy(state.companies, owner).map(({ revision, record: { id, isActive, firmId } }) => {
      return { revision, id, firmId, isActive };
    }),
  offer: (state, owner, { seesCommissions }) =>
    ownedBy(state.offers, owner).map(({ revision, maskedRevision = revision, record: { id, isActive, companyId } }) => {
      const firmId = state.companies.get(companyId)?.record.firmId ?? null;
      return { revision: seesCommissions ? revision : maskedRevision, id, firmId, isActive };
    }),
  subscriptions: (state, owner) => {
    const byFirm = Map.groupBy(ownedBy(state.catalogSubscriptions, owner), ({ record }) => record.firmId);
    return [...byFirm].map(([id, decisions]) => {
      const revision = Math.max(...decisions.map((decision) => decision.revision));
      return { revision, id, firmId: id, isActive: true };
    });
  },
};

/** Empty for a record that never belonged to the firm. */
function whenItWent<T extends RecordChange>(
  state: MemoryState,
  change: T,
  { after, firmId }: ChangeQuery,
): readonly T[] {
  if (after === null || CHANGE_KINDS[change.kind] !== 'offer') return [];
  const last = state.versions.findLast(
    ({ offerId, before }) =>
      offerId === change.id &&
      before.kind === 'terms' &&
      state.companies.get(before.offer.companyId)?.record.firmId === firmId,
  );
  return last === undefined ? [] : [{ ...change, revision: last.revision }];
}
