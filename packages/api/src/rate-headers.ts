import { type BucketState, tightestOf } from '@tarifario/core/service';

/**
 * The headers about limits of every answer: all limits that counted the call, and the points left in the tightest of
 * them, in the form of draft-ietf-httpapi-ratelimit-headers.
 *
 * @param refusing - The limits that refused the call; if there are any, the tightest is one of them.
 * @see docs/assumptions.md, A-40
 */
export function rateHeaders(
  states: readonly BucketState[],
  refusing: readonly BucketState[] = [],
): Readonly<Record<string, string>> {
  const tightest = tightestOf(refusing.length > 0 ? refusing : states);
  if (!tightest) return {};
  return {
    'RateLimit-Policy': states
      .map(({ name, points, windowSeconds }) => `"${name}";q=${points};w=${windowSeconds}`)
      .join(', '),
    RateLimit: `"${tightest.name}";r=${tightest.remaining};t=${tightest.resetSeconds}`,
  };
}
