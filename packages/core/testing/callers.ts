import { DomainError } from '../src/engine/errors.ts';
import type { Caller } from '../src/service/access/caller.ts';
import { QUOTAS } from '../src/service/access/limits.ts';

/** A caller of the free plan whose key is bound to no firm and may do everything, with the given changes. */
export function callerOf(changes: Partial<Caller> = {}): Caller {
  return {
    accountId: 1,
    keyId: 2,
    firmId: null,
    fullAccess: true,
    scopes: new Set(),
    isCatalogEditor: false,
    firmLimit: 1,
    callsPerMinute: 60,
    firmCallsPerMinute: 30,
    plan: 'free',
    quotas: QUOTAS.free,
    lastUsedAt: null,
    isByToken: false,
    traceparent: null,
    ...changes,
  };
}

/** What an attempt is refused with. @throws what it throws that is no refusal, and Error when it succeeds. */
export async function refusalOf(attempt: Promise<unknown> | (() => unknown)): Promise<DomainError> {
  try {
    await (typeof attempt === 'function' ? attempt() : attempt);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('a refusal was expected');
}
