import { daysBefore } from '../../../engine/calendar.ts';
import type { Caller } from '../../access/caller.ts';
import { SUMMARY_DAYS, type UsageQuery, type UsageRecord, type UsageSummary } from '../../accounts/usage.ts';
import type { PageOf, UsagePage } from '../../ports/lists.ts';
import type { Deps } from '../requests/deps.ts';
import { type FirmChoice, readFor } from '../requests/record-access.ts';

/** Which calls are requested. */
interface UsageChoice extends FirmChoice, Omit<UsageQuery, 'accountId' | 'firmId'> {}

/**
 * The recorded calls of the caller, including all that this process has answered so far; for a bound key only those of
 * its firm.
 *
 * @throws DomainError `foreign_firm`.
 * @see docs/assumptions.md, A-37
 */
export async function listUsage(
  deps: Deps,
  caller: Caller,
  input: UsageChoice & { readonly page: UsagePage },
): Promise<PageOf<UsageRecord>> {
  await deps.usageLog.flush();
  const { page, ...query } = input;
  return readFor(deps, { caller, firmId: input.firmId }, async (reader, firmId) => {
    return reader.usage.list({ ...query, accountId: caller.accountId, firmId }, page);
  });
}

/**
 * A summary of the calls of a period, both ends included: by default the last 30 days, or the 30 days before `to`.
 *
 * @throws DomainError `foreign_firm`.
 * @see docs/assumptions.md, A-37
 */
export async function summarizeUsage(
  deps: Deps,
  caller: Caller,
  input: UsageChoice,
): Promise<{ readonly period: Readonly<Record<'from' | 'to', string>>; readonly summary: UsageSummary }> {
  await deps.usageLog.flush();
  const to = input.to ?? deps.clock.now();
  const from = input.from ?? daysBefore(to, SUMMARY_DAYS);
  const summary = await readFor(deps, { caller, firmId: input.firmId }, async (reader, firmId) => {
    return reader.usage.summary({ ...input, accountId: caller.accountId, firmId, from, to });
  });
  return { period: { from, to }, summary };
}
