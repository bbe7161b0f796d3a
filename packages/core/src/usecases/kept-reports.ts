import { answerInForce, answersInForceSince, type Claim } from '../access/claim.ts';
import { DomainError } from '../errors.ts';
import type { ImportReport } from '../ports/imports.ts';
import type { Reader, Writer } from '../ports/stores.ts';

/** The beginning of a kept answer that is a report. What a door writes is JSON, and begins otherwise. */
const MARK = 'report ';

/** Whether a kept answer is a report, and not what a door has written. */
export function isReport(answer: string): boolean {
  return answer.startsWith(MARK);
}

/** The report that a kept answer is; `null`: it is none. */
export function reportIn(answer: string): ImportReport | null {
  return isReport(answer) ? JSON.parse(answer.slice(MARK.length)) : null;
}

/**
 * Keeps the report of a file under a claim, in the unit of work in which the file is applied. A file is applied where
 * nobody knows how its report is worded for the caller: whoever knows does that anew each time.
 */
export async function keepReport(
  writer: Writer,
  claim: Claim,
  { report, at }: { readonly report: ImportReport; readonly at: string },
): Promise<void> {
  const answer = MARK + JSON.stringify(report);
  await writer.keepAnswer({ ...claim, answer }, { insteadOf: answersInForceSince(at) });
}

/** @throws DomainError as `answerInForce`, and `idempotency_in_flight` when somebody else has done it meanwhile. */
export async function refuseIfAnswered(reader: Reader, claim: Claim, now: string): Promise<void> {
  const kept = await reader.keptAnswer(claim.keyId, claim.idempotencyKey);
  if (answerInForce(claim, kept, { now }) !== null) throw new DomainError('idempotency_in_flight');
}
