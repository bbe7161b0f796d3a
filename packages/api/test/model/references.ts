import fc, { type Arbitrary } from 'fast-check';
import type { Json, Request, State } from './state.ts';

/**
 * `indexed` to `failed` are offers and uploads, of those that are so where there is any; the shared ones are offers and
 * companies of the catalog.
 */
export type Kind =
  | 'client'
  | 'company'
  | 'offer'
  | 'upload'
  | 'indexed'
  | 'priced'
  | 'waiting'
  | 'failed'
  | 'kept'
  | 'shared'
  | 'shared company';

/** A record that is named when the command runs: one that exists by then, of the caller or of anybody, or none. */
interface Reference {
  readonly kind: Kind;
  readonly whose: 'mine' | 'any' | 'nobody';
  readonly pick: number;
}

/** JSON in which ids are still references. */
export type Draft = Json | Reference | readonly Draft[] | { readonly [name: string]: Draft };

/** A request whose ids are chosen when it is sent. */
export interface RequestDraft {
  readonly operation: string;
  readonly key: string | null;
  readonly params: Readonly<Record<string, Draft>>;
  readonly query: Readonly<Record<string, Draft>>;
  readonly body?: Draft;
}

const NOBODY = 999_999;

export function referenceTo(kind: Kind): Arbitrary<Reference> {
  const whose = fc.oneof(
    { weight: 20, arbitrary: fc.constant<Reference['whose']>('mine') },
    { weight: 3, arbitrary: fc.constant<Reference['whose']>('any') },
    { weight: 1, arbitrary: fc.constant<Reference['whose']>('nobody') },
  );
  return fc.record({ kind: fc.constant(kind), whose, pick: fc.nat(60) });
}

/** Ids of a kind, those of an account if one is given. */
function idsOf(state: State, kind: Kind, accountId: number | null): readonly number[] {
  const isOwn = (record: { readonly accountId: number | null }) => accountId === null || record.accountId === accountId;
  switch (kind) {
    case 'client':
      return [...state.clients.values()].filter(isOwn).map(({ id }) => id);
    case 'company':
      return [...state.companies.values()].filter(isOwn).map(({ id }) => id);
    case 'upload':
      return [...state.uploads.values()].filter(isOwn).map(({ id }) => id);
    case 'waiting':
      return preferred(idsOf(state, 'upload', accountId), (id) => state.uploads.get(id)?.status === 'pending');
    case 'failed':
      return preferred(idsOf(state, 'upload', accountId), (id) => state.uploads.get(id)?.status === 'failed');
    case 'kept':
      return preferred(idsOf(state, 'upload', accountId), (id) => state.uploads.get(id)?.kept != null);
    case 'priced':
      return preferred(idsOf(state, 'offer', accountId), (id) => (state.offers.get(id)?.months.size ?? 0) > 0);
    case 'indexed':
      return preferred(idsOf(state, 'offer', accountId), (id) => state.offers.get(id)?.fields.is_indexed === true);
    case 'shared company':
      return [...state.companies.values()].filter((company) => company.accountId === null).map(({ id }) => id);
    case 'shared':
      return [...state.offers.values()]
        .filter(({ companyId }) => state.companies.get(companyId)?.accountId === null)
        .map(({ id }) => id);
    case 'offer':
      return [...state.offers.values()]
        .filter(({ companyId }) => {
          const company = state.companies.get(companyId);
          return company !== undefined && isOwn(company);
        })
        .map(({ id }) => id);
  }
}

function preferred(ids: readonly number[], isWanted: (id: number) => boolean): readonly number[] {
  const wanted = ids.filter(isWanted);
  return wanted.length > 0 ? wanted : ids;
}

function isReference(value: Draft): value is Reference {
  return typeof value === 'object' && value !== null && 'whose' in value;
}

function resolve(state: State, accountId: number | null, draft: Draft): Json {
  if (isReference(draft)) {
    const ids = draft.whose === 'nobody' ? [] : idsOf(state, draft.kind, draft.whose === 'mine' ? accountId : null);
    // The newest first, so that commands often meet what was made a moment ago.
    return ids.at(-1 - (draft.pick % Math.max(1, ids.length))) ?? NOBODY;
  }
  if (Array.isArray(draft)) return draft.map((each: Draft) => resolve(state, accountId, each));
  if (typeof draft !== 'object' || draft === null) return draft;
  const entries = Object.entries<Draft>(draft);
  return Object.fromEntries(entries.map(([name, each]) => [name, resolve(state, accountId, each)]));
}

/** The request that a draft is at this moment. */
export function requestFrom(state: State, draft: RequestDraft): Request {
  const accountId = state.keys.get(draft.key ?? '')?.accountId ?? null;
  const { operation, key } = draft;
  const textOf = (value: Draft) => String(resolve(state, accountId, value));
  const texts = (value: Draft) => (Array.isArray(value) ? value.map((each: Draft) => textOf(each)) : textOf(value));
  const params = Object.fromEntries(Object.entries(draft.params).map(([name, value]) => [name, textOf(value)]));
  const query = Object.fromEntries(Object.entries(draft.query).map(([name, value]) => [name, texts(value)]));
  const body = draft.body === undefined ? {} : { body: resolve(state, accountId, draft.body) };
  return { operation, key, params, query, ...body };
}

/** A record of this kind that exists when the command runs, by its position. */
export function pickFrom(state: State, kind: Kind, pick: number): number {
  const ids = idsOf(state, kind, null);
  return ids[pick % Math.max(1, ids.length)] ?? NOBODY;
}
