import { describe, expect, it } from 'vitest';
import { callerOf } from '../../../testing/callers.ts';
import type { DomainError } from '../../engine/errors.ts';
import { say } from '../../engine/messages/message.ts';
import { hasScope, maySeeCommissions, type Scope } from './caller.ts';
import { foreignFirm, narrowToFirm, permitCatalogEditor, permitUnbound, refusalFor } from './permit.ts';

const caller = callerOf({ fullAccess: false, scopes: new Set<Scope>(['offers:read', 'offers:write']) });
const bound = { ...caller, firmId: 7 };
const full = { ...caller, fullAccess: true, scopes: new Set<Scope>() };

const refusalOf = (error: DomainError | null) => error && [error.code, error.details];
const refusalBy = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    return refusalOf(error as DomainError);
  }
  return null;
};

describe('the scopes of an operation', () => {
  it('are all required, and the refusal names the first that is missing', () => {
    const needs = (...scopes: Scope[]) => refusalFor(caller, { scopes, fullAccess: false });
    expect(needs()).toBeNull();
    expect(needs('offers:write', 'offers:read')).toBeNull();
    const message = say('the API key lacks the scope {scope}', { scope: 'clients:read' });
    expect(refusalOf(needs('offers:read', 'clients:read', 'clients:write'))).toEqual([
      'missing_scope',
      { message, missingScope: 'clients:read' },
    ]);
  });

  it('are all held by a key with full access', () => {
    expect(refusalFor(full, { scopes: ['clients:write'], fullAccess: false })).toBeNull();
    expect([hasScope(full, 'catalog:write'), maySeeCommissions(full)]).toEqual([true, true]);
    expect([hasScope(caller, 'catalog:write'), maySeeCommissions(caller)]).toEqual([false, false]);
    expect(maySeeCommissions({ ...caller, scopes: new Set<Scope>(['commissions:read']) })).toBe(true);
  });

  it('are checked before full access', () => {
    expect(refusalFor(caller, { scopes: ['clients:read'], fullAccess: true })?.code).toBe('missing_scope');
  });
});

describe('an operation that needs full access', () => {
  const needs = { scopes: [], fullAccess: true };

  it('refuses a key without full access, and one with it that is bound to a firm', () => {
    const refusal = ['not_full_access', { message: 'this needs a key with full access that is bound to no firm' }];
    expect(refusalOf(refusalFor(caller, needs))).toEqual(refusal);
    expect(refusalOf(refusalFor({ ...full, firmId: 7 }, needs))).toEqual(refusal);
    expect(refusalFor(full, needs)).toBeNull();
  });
});

describe('the firm of a request', () => {
  it('is the one that an unbound key names, or null', () => {
    expect([narrowToFirm(caller, 9), narrowToFirm(caller, null)]).toEqual([9, null]);
  });

  it('is that of a bound key, which may not name another one', () => {
    expect([narrowToFirm(bound, 7), narrowToFirm(bound, null)]).toEqual([7, 7]);
    expect(refusalBy(() => narrowToFirm(bound, 9))).toEqual(refusalOf(foreignFirm()));
    expect(refusalOf(foreignFirm())).toEqual(['foreign_firm', { message: 'no access to that advisory firm' }]);
  });
});

describe('the catalog', () => {
  const editor = { ...caller, isCatalogEditor: true };

  it('can be written by an unbound key of a catalog editor', () => {
    expect(refusalBy(() => permitCatalogEditor(editor))).toBeNull();
    expect(refusalBy(() => permitUnbound(caller))).toBeNull();
  });

  it('can be written by no other key, and a bound key is refused first', () => {
    const boundKey = ['bound_key', { message: 'a key bound to one advisory firm cannot do this' }];
    expect(refusalBy(() => permitCatalogEditor({ ...editor, firmId: 7 }))).toEqual(boundKey);
    expect(refusalBy(() => permitCatalogEditor(bound))).toEqual(boundKey);
    expect(refusalBy(() => permitUnbound(bound))).toEqual(boundKey);
    const notEditor = ['not_catalog_editor', { message: 'the account may not write the catalog' }];
    expect(refusalBy(() => permitCatalogEditor(caller))).toEqual(notEditor);
  });
});
