import type { Plan } from '../accounts/plan.ts';
import type { RecordTotals } from './limits.ts';

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
] as const;
export type Scope = (typeof SCOPES)[number];

/** Who calls, as admission found out: the only identity that use cases know. */
export interface Caller {
  readonly accountId: number;
  readonly keyId: number;
  /** The advisory firm that the key is bound to, or `null`. */
  readonly firmId: number | null;
  /** Stored flag of the key; never concluded from missing scopes. */
  readonly fullAccess: boolean;
  readonly scopes: ReadonlySet<Scope>;
  /** The account may write the shared catalog. */
  readonly isCatalogEditor: boolean;
  /** Advisory firms that the account's plan allows to be active. */
  readonly firmLimit: number;
  /** Ceilings on the calls of one minute: of the account, and of all keys bound to the firm together. */
  readonly callsPerMinute: number;
  readonly firmCallsPerMinute: number;
  /** That of the active subscription; without one `free`. */
  readonly plan: Plan;
  /** What the account may store. */
  readonly quotas: RecordTotals;
}

/** Whether a key may do what a scope allows. */
export function hasScope(caller: Caller, scope: Scope): boolean {
  return caller.fullAccess || caller.scopes.has(scope);
}

/** All that decides what a caller may do and see, as one text: equal for equal rights, and for no others. */
export function rightsOf({ firmId, fullAccess, scopes, isCatalogEditor }: Caller): string {
  return JSON.stringify({ firmId, fullAccess, isCatalogEditor, scopes: [...scopes].sort() });
}

/** Whether a caller may learn commissions: the one question behind every masked field. */
export function seesCommissions(caller: Caller): boolean {
  return hasScope(caller, 'commissions:read');
}
