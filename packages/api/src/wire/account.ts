import {
  type AccountState,
  type Caller,
  hasScope,
  PLANS,
  SCOPES,
  SUBSCRIPTION_STATUSES,
  type Subscription,
} from '@tarifario/core/service';
import { z } from 'zod';
import { answer, clientId, count, id, instant } from './answer.ts';

/**
 * The account as its own keys see it, and what the key may do. Whether it may write the catalog is up to the operator
 * and not shown.
 *
 * @see docs/assumptions.md, A-105
 */
export const account = answer(
  'Account',
  {
    id,
    name: z.string(),
    email: z.string(),
    is_active: z.boolean(),
    created_at: instant,
    key: z.strictObject({
      full_access: z.boolean(),
      client_id: clientId,
      scopes: z.array(z.enum(SCOPES)),
    }),
    disabled_webhooks: z
      .array(id)
      .optional()
      .describe('Webhooks that get no more events; left out where there are none.'),
  },
  ({ id, name, email, isActive, createdAt, disabledWebhooks }: AccountState, caller: Caller) => {
    const scopes = SCOPES.filter((scope) => hasScope(caller, scope));
    const key = { full_access: caller.fullAccess, client_id: caller.firmId, scopes };
    const disabled = disabledWebhooks.length > 0 ? { disabled_webhooks: disabledWebhooks } : {};
    return { id, name, email, is_active: isActive, created_at: createdAt, key, ...disabled };
  },
);

/** The subscription, without what the operator may have agreed about its ceilings. */
export const subscription = answer(
  'Subscription',
  {
    id,
    plan: z.enum(PLANS),
    status: z.enum(SUBSCRIPTION_STATUSES),
    clients_limit: count.describe('How many active advisory firms the plan allows.'),
    trial_ends_at: instant.nullable(),
    current_period_end: instant,
    created_at: instant,
  },
  ({ id, plan, status, firmLimit, trialEndsAt, currentPeriodEnd, createdAt }: Subscription) => ({
    id,
    plan,
    status,
    clients_limit: firmLimit,
    trial_ends_at: trialEndsAt,
    current_period_end: currentPeriodEnd,
    created_at: createdAt,
  }),
);
