import {
  type Account,
  type Caller,
  hasScope,
  PLANS,
  SCOPES,
  SUBSCRIPTION_STATUSES,
  type Subscription,
} from '@tarifario/core/service';
import { z } from 'zod';

const id = z.int().min(1);
const instant = z.iso.datetime({ precision: 3 });

export const accountShape = z.strictObject({
  id,
  name: z.string(),
  email: z.string(),
  is_active: z.boolean(),
  created_at: instant,
  key: z.strictObject({
    full_access: z.boolean(),
    client_id: id.nullable(),
    scopes: z.array(z.enum(SCOPES)),
  }),
});

export const subscriptionShape = z.strictObject({
  id,
  plan: z.enum(PLANS),
  status: z.enum(SUBSCRIPTION_STATUSES),
  clients_limit: z.int().min(0),
  trial_ends_at: instant.nullable(),
  current_period_end: instant,
  created_at: instant,
});

/**
 * The account as its own keys see it, and what the key may do. Whether it may write the catalog is up to the operator
 * and not shown.
 *
 * @see docs/assumptions.md, A-105
 */
export function toWireAccount({ id, name, email, isActive, createdAt }: Account, caller: Caller) {
  const scopes = SCOPES.filter((scope) => hasScope(caller, scope));
  const key = { full_access: caller.fullAccess, client_id: caller.firmId, scopes };
  return { id, name, email, is_active: isActive, created_at: createdAt, key };
}

/** The subscription, without what the operator may have agreed about its ceilings. */
export function toWireSubscription(subscription: Subscription) {
  return {
    id: subscription.id,
    plan: subscription.plan,
    status: subscription.status,
    clients_limit: subscription.firmLimit,
    trial_ends_at: subscription.trialEndsAt,
    current_period_end: subscription.currentPeriodEnd,
    created_at: subscription.createdAt,
  };
}
