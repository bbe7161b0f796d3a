import { daysBefore } from '../calendar.ts';
import { DomainError } from '../errors.ts';

/** What a key asks to be done once, however often it is sent. Plain data: it may cross to another thread. */
export interface Claim {
  readonly keyId: number;
  /** The name that the caller gave to this request, unique among those of its key. */
  readonly idempotencyKey: string;
  /** Equal for equal requests of one key: method, path, query and body. */
  readonly fingerprint: string;
  /** What the key may do, by `rightsOf`. */
  readonly rights: string;
}

/** What was answered when a claim was done, in the form in which the door wrote it. */
export interface KeptAnswer extends Claim {
  readonly answer: string;
}

/** A kept answer is in force for so many days of 24 hours. */
const DAYS_IN_FORCE = 1;

/** The instant since which answers are in force, included. */
export function answersInForceSince(now: string): string {
  return daysBefore(now, DAYS_IN_FORCE);
}

/**
 * What a claim is answered without doing anything; `null` when nothing is kept under its name, or no longer.
 *
 * @param kept - What is kept under the name of the claim.
 * @param now - When it is asked for.
 * @throws DomainError `idempotency_mismatch` when another request has the name, `idempotency_rights_changed` when the
 *   key may do more, less or something else by now: what it was answered then is not for it any more.
 * @see docs/assumptions.md, A-53
 */
export function answerInForce(
  claim: Claim,
  kept: (KeptAnswer & { readonly keptAt: string }) | null,
  { now }: { readonly now: string },
): string | null {
  if (!kept || kept.keptAt < answersInForceSince(now)) return null;
  if (kept.fingerprint !== claim.fingerprint) throw new DomainError('idempotency_mismatch');
  if (kept.rights !== claim.rights) throw new DomainError('idempotency_rights_changed');
  return kept.answer;
}
