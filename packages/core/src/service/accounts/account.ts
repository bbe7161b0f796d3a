import type { Issue } from '../../engine/errors.ts';
import { say } from '../../engine/messages/message.ts';
import { checkEmail, checkName, isLongerThan } from '../../engine/text.ts';
import type { Scope } from '../access/caller.ts';
import type { Quotas } from '../access/limits.ts';
import type { Plan } from '../access/plan.ts';

/** Only `active` counts: with any other status the limits of `free` apply. */
export const SUBSCRIPTION_STATUSES = ['active', 'cancelled'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** The owner of firms, companies, offers, keys and uploads. Records of the shared catalog have no owner. */
export interface Account {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly isActive: boolean;
  readonly isCatalogEditor: boolean;
  readonly createdAt: string;
}

/** Length of a new password, in characters as people count them. */
export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;

/** What is wrong with a new password. */
export function checkPassword(path: string, password: string): Issue[] {
  const [min, max] = [MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH];
  if (!password.isWellFormed()) return [{ path, message: 'must be well-formed Unicode' }];
  if (!isLongerThan(password, min - 1)) return [{ path, message: say('must be at least {min} characters', { min }) }];
  return isLongerThan(password, max) ? [{ path, message: say('must be at most {max} characters', { max }) }] : [];
}

/** What is wrong with a new name or e-mail address of an account. What is left out is not checked. */
export function checkAccount({ name, email }: { readonly name?: string; readonly email?: string }): Issue[] {
  return [
    ...(name === undefined ? [] : checkName('name', name)),
    ...(email === undefined ? [] : checkEmail('email', email)),
  ];
}

/** What an account pays for. An account has at most one subscription, which is edited in place. */
export interface Subscription {
  readonly id: number;
  readonly plan: Plan;
  readonly status: SubscriptionStatus;
  /** Active firms allowed. */
  readonly firmLimit: number;
  readonly trialEndsAt: string | null;
  readonly currentPeriodEnd: string;
  /** Calls per minute in place of the plan's limits; `null`: as in the plan. */
  readonly callsPerMinute: number | null;
  readonly firmCallsPerMinute: number | null;
  /** Quotas in place of the plan's; what is left out is as in the plan. */
  readonly quotas: Partial<Quotas>;
  readonly createdAt: string;
}

/** An API key as it is stored: never the secret, only its hash. */
export interface ApiKey {
  readonly id: number;
  readonly accountId: number;
  readonly firmId: number | null;
  readonly name: string | null;
  /** The first characters of the key, so that people recognise it. */
  readonly prefix: string;
  readonly fullAccess: boolean;
  readonly scopes: readonly Scope[];
  readonly isActive: boolean;
  /** From this instant on the key is refused like a revoked one; `null`: it does not end by itself. */
  readonly expiresAt: string | null;
  /** The last use that was stored, at most `USE_STORED_SECONDS` before the last use; `null`: never used. */
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
}

/** How long after a stored use the next one is stored. */
export const USE_STORED_SECONDS = 600;

/** Everything that admission needs to know about a key, read at once. */
export interface KeyRecord {
  readonly key: ApiKey;
  readonly account: Account;
  /** `null` without one; a subscription that is not active counts as none. */
  readonly subscription: Subscription | null;
  /** `false` when the key is bound to a deactivated firm. */
  readonly firmIsActive: boolean;
}
