import { daysBefore } from '../../engine/calendar.ts';
import { DomainError } from '../../engine/errors.ts';

/**
 * A request that is to be performed once, however often it is sent. Plain data, so that it can be sent to another
 * thread.
 */
export interface IdempotencyRequest {
  readonly keyId: number;
  /** The caller's `Idempotency-Key`, unique among the requests of its API key. */
  readonly idempotencyKey: string;
  /** Equal for equal requests of one API key: same method, path, query and body. */
  readonly fingerprint: string;
  /** The rights of the API key, as `rightsOf` gives them. */
  readonly rights: string;
}

/** The stored answer of a request, as text, as the api or an import wrote it. */
export interface StoredAnswer extends IdempotencyRequest {
  readonly answer: string;
}

/** How many days of 24 hours a stored answer is valid. */
const DAYS_IN_FORCE = 1;

/** Answers stored at this instant or later are valid. */
export function answersInForceSince(now: string): string {
  return daysBefore(now, DAYS_IN_FORCE);
}

/**
 * The stored answer of a request; `null` when there is none, or it is no longer valid.
 *
 * @param stored - What is stored under the idempotency key of the request.
 * @param now - The current time.
 * @throws DomainError `idempotency_mismatch` when another request used the same idempotency key,
 *   `idempotency_rights_changed` when the rights of the API key have changed since: it may no longer be allowed to see
 *   that answer.
 * @see docs/assumptions.md, A-53
 */
export function answerInForce(
  idempotencyRequest: IdempotencyRequest,
  stored: (StoredAnswer & { readonly storedAt: string }) | null,
  { now }: { readonly now: string },
): string | null {
  if (!stored || stored.storedAt < answersInForceSince(now)) return null;
  if (stored.fingerprint !== idempotencyRequest.fingerprint) throw new DomainError('idempotency_mismatch');
  if (stored.rights !== idempotencyRequest.rights) throw new DomainError('idempotency_rights_changed');
  return stored.answer;
}
