import type { Quotas } from './limits.ts';
import type { Plan } from './plan.ts';

/** A permission of an API key. */
export const SCOPES = [
  'offers:read',
  'offers:write',
  'offers:export',
  'commissions:read',
  'indexed_prices:read',
  'companies:read',
  'companies:write',
  'clients:read',
  'clients:write',
  'catalog:read',
  'catalog:write',
  'proposals:write',
  'webhooks:write',
] as const;
export type Scope = (typeof SCOPES)[number];

/** The caller as admission identified it: the only identity that use cases know. */
export interface Caller {
  readonly accountId: number;
  readonly keyId: number;
  /** The advisory firm that the key is bound to, or `null`. */
  readonly firmId: number | null;
  /** A stored flag of the key; never inferred from its scopes. */
  readonly fullAccess: boolean;
  readonly scopes: ReadonlySet<Scope>;
  /** The account may write the shared catalog. */
  readonly isCatalogEditor: boolean;
  /** How many active advisory firms the account's plan allows. */
  readonly firmLimit: number;
  /** Limits on calls per minute: of the account, and of all keys bound to the firm together. */
  readonly callsPerMinute: number;
  readonly firmCallsPerMinute: number;
  /** The plan of the active subscription; `free` without one. */
  readonly plan: Plan;
  /** What the account may store. */
  readonly quotas: Quotas;
  /** The last use of the key that was stored; `null`: none was. */
  readonly lastUsedAt: string | null;
  /** A token stands for the key: what is made by it must not outlive it. */
  readonly isByToken: boolean;
  /** The trace that the call belongs to, as `traceparent` of W3C. */
  readonly traceparent: string | null;
}

/** Whether a key may do what a scope allows. */
export function hasScope(caller: Caller, scope: Scope): boolean {
  return caller.fullAccess || caller.scopes.has(scope);
}

/**
 * Everything that decides what a caller may do and see, as one text. Two texts are equal exactly when the rights are
 * equal.
 */
export function rightsOf({ firmId, fullAccess, scopes, isCatalogEditor }: Caller): string {
  return JSON.stringify({ firmId, fullAccess, isCatalogEditor, scopes: [...scopes].sort() });
}

/** Whether a caller may see commissions. Every masked field depends on this alone. */
export function maySeeCommissions(caller: Caller): boolean {
  return hasScope(caller, 'commissions:read');
}
