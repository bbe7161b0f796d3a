/** What an account may be subscribed to, the smallest first. */
export const PLANS = ['free', 'trial', 'starter', 'pro', 'business'] as const;
export type Plan = (typeof PLANS)[number];

/** Active advisory firms that a plan allows when the subscription says nothing else. */
export const DEFAULT_FIRM_LIMIT: Readonly<Record<Plan, number>> = {
  free: 1,
  trial: 3,
  starter: 5,
  pro: 25,
  business: 200,
};
