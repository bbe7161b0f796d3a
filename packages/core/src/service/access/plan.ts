/** The plans, smallest first. */
export const PLANS = ['free', 'trial', 'starter', 'pro', 'business'] as const;
export type Plan = (typeof PLANS)[number];

/** How many active advisory firms a plan allows, unless the subscription says otherwise. */
export const DEFAULT_FIRM_LIMIT: Readonly<Record<Plan, number>> = {
  free: 1,
  trial: 3,
  starter: 5,
  pro: 25,
  business: 200,
};
