import { type BucketState, tightestOf } from '@tarifario/core/service';

/**
 * What every answer says about limits: all that the call was counted in, and what is left of the tightest of them, in
 * the form of draft-ietf-httpapi-ratelimit-headers.
 *
 * @param refusing - Those that refused the call; the tightest is one of them, if there are any.
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
