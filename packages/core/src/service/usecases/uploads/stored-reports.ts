import { DomainError } from '../../../engine/errors.ts';
import { answerInForce, answersInForceSince, type IdempotencyRequest } from '../../access/idempotency.ts';
import type { ImportReport } from '../../ports/imports.ts';
import type { Reader, Writer } from '../../ports/stores.ts';

/** A report that was stored as an answer. */
export function reportIn(answer: string): ImportReport {
  return JSON.parse(answer);
}

/**
 * Stores the report of a file in the unit of work that applies the file. The thread that applies it does not know how
 * the answer is worded for the caller, so the api words it again for each replay.
 */
export async function storeReport(
  writer: Writer,
  idempotencyRequest: IdempotencyRequest,
  { report, at }: { readonly report: ImportReport; readonly at: string },
): Promise<void> {
  const answer = JSON.stringify(report);
  await writer.answers.store({ ...idempotencyRequest, answer }, { replacesOlderThan: answersInForceSince(at) });
}

/**
 * @throws DomainError as `answerInForce`, and `idempotency_in_flight` when the request has been performed meanwhile.
 */
export async function refuseIfAnswered(
  reader: Reader,
  idempotencyRequest: IdempotencyRequest,
  now: string,
): Promise<void> {
  const stored = await reader.answers.get(idempotencyRequest.keyId, idempotencyRequest.idempotencyKey);
  if (answerInForce(idempotencyRequest, stored, { now }) !== null) throw new DomainError('idempotency_in_flight');
}
