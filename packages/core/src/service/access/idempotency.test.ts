import { describe, expect, it } from 'vitest';
import { callerOf } from '../../../testing/callers.ts';
import { type Caller, rightsOf, type Scope } from './caller.ts';
import { answerInForce, answersInForceSince } from './idempotency.ts';

const idempotencyRequest = { keyId: 1, idempotencyKey: 'alta-1', fingerprint: 'f', rights: 'r' };
const stored = { ...idempotencyRequest, answer: 'done', storedAt: '2026-03-10T12:00:00.500Z' };

describe('A-53: a stored answer', () => {
  it('A-53: is valid for 24 hours, including the last instant', () => {
    expect(answersInForceSince('2026-03-01T00:00:00.000Z')).toBe('2026-02-28T00:00:00.000Z');
    expect(answerInForce(idempotencyRequest, stored, { now: stored.storedAt })).toBe('done');
    expect(answerInForce(idempotencyRequest, stored, { now: '2026-03-11T12:00:00.500Z' })).toBe('done');
    expect(answerInForce(idempotencyRequest, stored, { now: '2026-03-11T12:00:00.501Z' })).toBeNull();
    expect(answerInForce(idempotencyRequest, null, { now: stored.storedAt })).toBeNull();
  });

  it('A-53: is returned for the same request with the same rights; otherwise the refusal says which of them differs', () => {
    const now = stored.storedAt;
    const attempt = (changes: object) => () => answerInForce({ ...idempotencyRequest, ...changes }, stored, { now });
    expect(attempt({ fingerprint: 'g' })).toThrow('idempotency_mismatch');
    expect(attempt({ fingerprint: 'g', rights: 's' })).toThrow('idempotency_mismatch');
    expect(attempt({ rights: 's' })).toThrow('idempotency_rights_changed');
  });

  it('that is too old does not refuse a different request', () => {
    const now = '2026-03-12T00:00:00.000Z';
    expect(answerInForce({ ...idempotencyRequest, fingerprint: 'g', rights: 's' }, stored, { now })).toBeNull();
  });
});

describe('A-53: rights', () => {
  const caller = callerOf({ fullAccess: false, scopes: new Set<Scope>(['offers:read', 'offers:write']) });

  it.each<[string, Partial<Caller>]>([
    ['the firm', { firmId: 7 }],
    ['full access', { fullAccess: true }],
    ['a scope less', { scopes: new Set<Scope>(['offers:write']) }],
    ['a scope more', { scopes: new Set<Scope>(['offers:read', 'offers:write', 'commissions:read']) }],
    ['writing the catalog', { isCatalogEditor: true }],
  ])('A-53: differ by %s', (_what, changes) => {
    expect(rightsOf({ ...caller, ...changes })).not.toBe(rightsOf(caller));
  });

  it('do not depend on the order of scopes or on the plan', () => {
    const scopes = new Set<Scope>(['offers:write', 'offers:read']);
    expect(rightsOf({ ...caller, scopes, firmLimit: 9, callsPerMinute: 1 })).toBe(rightsOf(caller));
  });
});
