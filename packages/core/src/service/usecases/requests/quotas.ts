import { DomainError } from '../../../engine/errors.ts';
import { type Message, say } from '../../../engine/messages/message.ts';
import type { Caller } from '../../access/caller.ts';
import { CATALOG_QUOTA, QUOTAS, RECORD_KINDS, type RecordTotals, type StoredBytes } from '../../access/limits.ts';
import type { RecordOwner } from '../../ports/lists.ts';
import type { Reader } from '../../ports/stores.ts';

/** Who wants to add records, and to whose. */
interface QuotaOwner {
  readonly caller: Pick<Caller, 'plan' | 'quotas'>;
  readonly owner: RecordOwner;
}

function limitsOf({ caller, owner }: QuotaOwner): { readonly quotas: Caller['quotas']; readonly whose: Message } {
  if (owner === 'catalog') return { quotas: CATALOG_QUOTA, whose: 'the shared catalog' };
  return { quotas: caller.quotas, whose: say('the account, on the plan {plan},', { plan: caller.plan }) };
}

const TOO_MANY = '{=whose} may have {count} {=kind}, inactive ones included; it has {has}, and this would add {more}';
const IN_WORDS: Readonly<Record<keyof RecordTotals, Message>> = {
  companies: 'retailers',
  offers: 'offers',
  months: 'months of indexed offers',
};

/**
 * Checks that records may be added to those of an owner. An account with more than its quota, after a change to a
 * smaller plan, keeps all its records and can read and edit them.
 *
 * @throws DomainError `quota_reached` when a quota would be exceeded.
 * @see docs/assumptions.md, A-63
 */
export function permitMore({ caller, owner }: QuotaOwner, has: RecordTotals, added: Partial<RecordTotals>): void {
  const { quotas, whose } = limitsOf({ caller, owner });
  for (const kind of RECORD_KINDS) {
    const more = added[kind] ?? 0;
    if (more === 0 || has[kind] + more <= quotas[kind]) continue;
    throw new DomainError('quota_reached', {
      message: say(TOO_MANY, { whose, count: quotas[kind], kind: IN_WORDS[kind], has: has[kind], more }),
    });
  }
}

/**
 * As `permitMore`, with the present numbers of the owner.
 *
 * @param reader - Of the unit of work that adds the records, so that nobody else can add any before it ends.
 */
export async function permitMoreNow(reader: Reader, of: QuotaOwner, added: Partial<RecordTotals>): Promise<void> {
  permitMore(of, await reader.counts.totals(of.owner), added);
}

/** What is refused does not say how much is stored: the size of a history depends on its commissions. */
const FULL = {
  historyBytes:
    'the history of offers of {=whose} may have {count} bytes, and has no room for this: nothing was changed',
  proposalsBytes: 'the proposals of {=whose} may have {count} bytes, and have no room for this: delete some first',
} as const;

/**
 * Checks what an owner has stored. An account with more than its quota keeps and reads all of it.
 *
 * @throws DomainError `storage_full`.
 * @see docs/assumptions.md, A-162
 */
export function permitStored(of: QuotaOwner, kind: keyof StoredBytes, bytes: number): void {
  const { quotas, whose } = limitsOf(of);
  if (bytes <= quotas[kind]) return;
  throw new DomainError('storage_full', { message: say(FULL[kind], { whose, count: quotas[kind] }) });
}

/**
 * The same after something was stored.
 *
 * @param reader - Of the unit of work that stored it, which is rolled back where that is refused.
 */
export async function permitStoredNow(reader: Reader, of: QuotaOwner, kind: keyof StoredBytes): Promise<void> {
  permitStored(of, kind, (await reader.counts.stored(of.owner))[kind]);
}

/** The greatest shares of their quotas that accounts have stored. */
export async function fullestShares(reader: Reader): Promise<StoredBytes> {
  const accounts = await reader.counts.fullest();
  const share = (kind: keyof StoredBytes) =>
    Math.max(0, ...accounts.map(({ stored, plan, quotas }) => stored[kind] / (quotas[kind] ?? QUOTAS[plan][kind])));
  return { historyBytes: share('historyBytes'), proposalsBytes: share('proposalsBytes') };
}
