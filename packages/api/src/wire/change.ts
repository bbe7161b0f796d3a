import { CHANGE_KINDS, type ListedChange } from '@tarifario/core/service';
import { z } from 'zod';
import { answer, clientId, id } from './answer.ts';

const NOUNS = ['client', 'company', 'offer', 'catalog_subscriptions', 'catalog_company', 'catalog_offer'] as const;

export const change = answer(
  'Change',
  {
    noun: z.enum(NOUNS),
    id,
    client_id: clientId,
    state: z.enum(['active', 'inactive', 'gone']),
  },
  ({ kind, id, firmId, isActive, isGone, isOfCatalog }: ListedChange) => {
    const name = CHANGE_KINDS[kind] ?? 'offer';
    const own = name === 'subscriptions' ? 'catalog_subscriptions' : name;
    return {
      noun: isOfCatalog && (name === 'company' || name === 'offer') ? (`catalog_${name}` as const) : own,
      id,
      // The new firm of a moved offer is not shown.
      client_id: isGone ? null : firmId,
      state: isGone ? 'gone' : isActive ? 'active' : 'inactive',
    };
  },
);

/** `next`: the cursor as a text. */
export const changes = answer(
  'Changes',
  { changes: z.array(change.shape), next: z.string(), has_more: z.boolean() },
  (page: { readonly changes: readonly ListedChange[]; readonly hasMore: boolean }, next: string) => ({
    changes: page.changes.map((each) => change.toWire(each)),
    next,
    has_more: page.hasMore,
  }),
);
