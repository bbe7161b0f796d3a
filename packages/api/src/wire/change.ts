import { CHANGE_KINDS, type ListedChange } from '@tarifario/core/service';
import { z } from 'zod';

const NOUNS = ['client', 'company', 'offer', 'catalog_subscriptions', 'catalog_company', 'catalog_offer'] as const;

export const changeShape = z.strictObject({
  noun: z.enum(NOUNS),
  id: z.int().min(1),
  client_id: z.int().min(1).nullable(),
  state: z.enum(['active', 'inactive', 'gone']),
});

export const changesShape = z.strictObject({ changes: z.array(changeShape), next: z.string(), has_more: z.boolean() });

/** A change in wire form. */
export function toWireChange({
  kind,
  id,
  firmId,
  isActive,
  isGone,
  isOfCatalog,
}: ListedChange): z.output<typeof changeShape> {
  const name = CHANGE_KINDS[kind] ?? 'offer';
  const own = name === 'subscriptions' ? 'catalog_subscriptions' : name;
  return {
    noun: isOfCatalog && (name === 'company' || name === 'offer') ? `catalog_${name}` : own,
    id,
    // The new firm of a moved offer is not shown.
    client_id: isGone ? null : firmId,
    state: isGone ? 'gone' : isActive ? 'active' : 'inactive',
  };
}
