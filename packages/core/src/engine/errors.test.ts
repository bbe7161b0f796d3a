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
