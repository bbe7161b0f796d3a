import { DomainError } from '../../engine/errors.ts';
import { say } from '../../engine/messages/message.ts';
import { type Caller, hasScope, type Scope } from './caller.ts';

/**
 * The refusals of access, in the order in which they are checked. Key (401), account (403) and rate (429) come
 * before, in `usecases/admit.ts`; records (404) and rules (409, 422) after.
 *
 * 1. and 2. `refusalFor`: every scope of the operation (the answer names the first that is missing), then full access,
 *   which changes of the account itself need.
 * 3. `narrowToFirm`: a firm named in a query or body must be the caller's own; a bound key has only one.
 * 4. `permitUnbound`: some operations are not for keys bound to a firm.
 * 5. `permitCatalogEditor`: only a few accounts may write the shared catalog.
 *
 * @see docs/assumptions.md, A-24 and A-25
 */

/**
 * Why a caller may not call an operation at all; `null` when it may. Returned rather than thrown, because the call is
 * counted before it is refused.
 *
 * @param needs - `fullAccess`: only a key that was given full access and is bound to no firm may call it.
 * @returns A refusal `missing_scope`, naming it, or `not_full_access`.
 */
export function refusalFor(
  caller: Caller,
  needs: { readonly scopes: readonly Scope[]; readonly fullAccess: boolean },
): DomainError | null {
  const missingScope = needs.scopes.find((scope) => !hasScope(caller, scope));
  if (missingScope !== undefined) {
    return new DomainError('missing_scope', {
      message: say('the API key lacks the scope {scope}', { scope: missingScope }),
      missingScope,
    });
  }
  if (needs.fullAccess && !mayChangeAccount(caller)) {
    return new DomainError('not_full_access', {
      message: 'this needs a key with full access that is bound to no firm',
    });
  }
  return null;
}

/** Whether a caller may change the account itself, and what other keys of it made. */
export function mayChangeAccount({ fullAccess, firmId }: Caller): boolean {
  return fullAccess && firmId === null;
}

/**
 * The firm to which a request is narrowed: the bound one, else the one it names, else `null` (all of the account). A
 * bound key is refused any other firm without looking it up, so the answer does not reveal whether it exists.
 *
 * @param requestedFirmId - `client_id` of the query or body; `null` when not sent.
 * @throws DomainError `foreign_firm`.
 */
export function narrowToFirm(caller: Caller, requestedFirmId: number | null): number | null {
  if (caller.firmId === null) return requestedFirmId;
  if (requestedFirmId !== null && requestedFirmId !== caller.firmId) throw foreignFirm();
  return caller.firmId;
}

/** @throws DomainError `bound_key` for a key that is bound to a firm. */
export function permitUnbound(caller: Caller): void {
  if (caller.firmId !== null) {
    throw new DomainError('bound_key', { message: 'a key bound to one advisory firm cannot do this' });
  }
}

/**
 * Permits writes to the shared catalog only to a key that is not bound to a firm, of an account that is marked as
 * catalog editor.
 *
 * @throws DomainError `bound_key`, `not_catalog_editor`.
 * @see docs/assumptions.md, A-23
 */
export function permitCatalogEditor(caller: Caller): void {
  permitUnbound(caller);
  if (!caller.isCatalogEditor) {
    throw new DomainError('not_catalog_editor', { message: 'the account may not write the catalog' });
  }
}

/** The refusal of a firm that is not the caller's: the same whether it exists or not. */
export function foreignFirm(): DomainError {
  return new DomainError('foreign_firm', { message: 'no access to that advisory firm' });
}
