import { DomainError } from '@tarifario/core';
import { expect, test } from 'vitest';

test('the details of a refusal depend on its code, as the compiler sees it', () => {
  // @ts-expect-error Only what may succeed later says when.
  const missing: unknown = new DomainError('not_found', { retryAfterSeconds: 1 });
  expect(missing).toBeInstanceOf(DomainError);
  const read = (error: DomainError) => {
    // @ts-expect-error Which details there are is known when the code is.
    error.details.retryAfterSeconds;
    return error.code === 'unavailable' ? error.details.retryAfterSeconds : undefined;
  };
  expect(read(new DomainError('unavailable', { retryAfterSeconds: 1 }))).toBe(1);
});

test('the message of a broken rule names its first three issues, and how many more there are', () => {
  const issues = ['a', 'b', 'c', 'd', 'e'].map((path) => ({ path, message: 'is missing' as const }));
  const messageWith = (count: number) => new DomainError('business_rule', { issues: issues.slice(0, count) }).message;
  expect([0, 1, 3, 4, 5].map(messageWith)).toEqual([
    ...['business_rule', 'a is missing', 'a is missing; b is missing; c is missing'],
    ...['a is missing; b is missing; c is missing, and 1 more', 'a is missing; b is missing; c is missing, and 2 more'],
  ]);
});

test('the message of malformed input does not repeat what was sent', () => {
  expect(new DomainError('invalid_request', { issues: [{ path: 'sent', message: 'unknown field' }] }).message).toBe(
    'invalid_request',
  );
});
