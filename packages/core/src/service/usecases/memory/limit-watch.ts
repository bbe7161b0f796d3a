import type { BucketState } from '../../../engine/errors.ts';
import type { Caller } from '../../access/caller.ts';
import type { Clock } from '../../ports/machine.ts';
import type { Store } from '../../ports/stores.ts';

/** Tells webhooks when an account has made most of the calls that it may make in a window. */
export interface LimitWatch {
  /** @param states - The buckets of a call that was counted. Never throws, and no call waits for it. */
  look(caller: Caller, states: readonly BucketState[]): void;
}

/** The share of the points that is left when a limit is near. */
const NEAR = 0.2;
/** An account is told once in this time by each process. */
const QUIET_MS = 3_600_000;
/** So that accounts that are never seen again do not fill the memory. */
const MAX_REMEMBERED = 10_000;

/** @see docs/assumptions.md, A-124 */
export function createLimitWatch(
  { store, clock }: { readonly store: Pick<Store, 'write'>; readonly clock: Clock },
  reportFailure: (error: unknown) => void,
): LimitWatch {
  const toldAtMs = new Map<number, number>();
  return {
    look(caller, states) {
      const { accountId, traceparent } = caller;
      const state = states.find(({ name }) => name === 'account');
      if (state === undefined || state.remaining > state.points * NEAR) return;
      const nowMs = clock.monotonicMs();
      if (nowMs - (toldAtMs.get(accountId) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
      if (toldAtMs.size >= MAX_REMEMBERED) toldAtMs.clear();
      toldAtMs.set(accountId, nowMs);
      const { points, windowSeconds } = state;
      const event = { type: 'usage.limit_near', data: { points, windowSeconds } } as const;
      store
        .write({ keyId: null, traceparent, at: clock.now(), concerns: [] }, (writer) =>
          writer.webhooks.queue(accountId, event, 'any'),
        )
        .catch(reportFailure);
    },
  };
}
