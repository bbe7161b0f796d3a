import { describe, expect, it } from 'vitest';
import { requestIdFor } from './request-id.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

describe('A-85: the id of a request', () => {
  it.each(['a', 'trace-1.2_3', 'x'.repeat(128)])('is the one sent: %s', (sent) => {
    expect(requestIdFor(sent)).toBe(sent);
  });

  it.each([undefined, '', 'x'.repeat(129), 'a b', 'a, b', 'a\nb', 'ñ', '<script>', 'a"b', 'pv-ES0021000000000001AB0F'])(
    'is a new one instead of %j',
    (sent) => {
      expect(requestIdFor(sent)).toMatch(UUID);
      expect(requestIdFor(sent)).not.toBe(requestIdFor(sent));
    },
  );
});
