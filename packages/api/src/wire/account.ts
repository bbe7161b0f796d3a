import {
  type AccountState,
  type Caller,
  hasScope,
  maySeeCommissions,
  PLANS,
  SCOPES,
  SUBSCRIPTION_STATUSES,
  type Subscription,
} from '@tarifario/core/service';
import { z } from 'zod';
import { answer, clientId, commission, count, id, instant } from './answer.ts';

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
    storage: z
      .strictObject({
        history_bytes: commission(
          count,
          'Versions of offers: each change leaves one, and none is deleted. Null also for a key of one firm.',
        ),
        history_limit: count,
        proposals_bytes: commission(count, 'Proposals that are not deleted. Null also for a key of one firm.'),
        proposals_limit: count,
      })
      .describe('Bytes that the account has stored, and may store. What would be more is refused with `storage_full`.'),
    disabled_webhooks: z
      .array(id)
      .optional()
      .describe('Webhooks that get no more events; left out where there are none.'),
  },
  ({ id, name, email, isActive, createdAt, disabledWebhooks, stored }: AccountState, caller: Caller) => {
    const scopes = SCOPES.filter((scope) => hasScope(caller, scope));
    const key = { full_access: caller.fullAccess, client_id: caller.firmId, scopes };
    const disabled = disabledWebhooks.length > 0 ? { disabled_webhooks: disabledWebhooks } : {};
    // The size of versions and of proposals depends on the commissions in them, also in those of other firms.
    const isShown = maySeeCommissions(caller) && caller.firmId === null;
    const { historyBytes, proposalsBytes } = isShown ? stored : NOT_SHOWN;
    const storage = {
      ...{ history_bytes: historyBytes, history_limit: caller.quotas.historyBytes },
      ...{ proposals_bytes: proposalsBytes, proposals_limit: caller.quotas.proposalsBytes },
    };
    return { id, name, email, is_active: isActive, created_at: createdAt, key, storage, ...disabled };
  },
);

const NOT_SHOWN = { historyBytes: null, proposalsBytes: null };

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
