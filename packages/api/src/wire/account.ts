import type { Account, Subscription } from '@tarifario/core/service';

/** The account as its own keys see it. Who may write the catalog is the operator's business and not shown. */
export function toWireAccount({ id, name, email, isActive, createdAt }: Account) {
  return { id, name, email, is_active: isActive, created_at: createdAt };
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
