import { DomainError } from '../../engine/errors.ts';
import { type Message, say } from '../../engine/messages/message.ts';
import type { Caller } from '../access/caller.ts';
import { CATALOG_QUOTA, RECORD_KINDS, type RecordTotals } from '../access/limits.ts';
import type { RecordOwner } from '../ports/lists.ts';
import type { Reader } from '../ports/stores.ts';

/** Who wants to add records, and to whose. */
export interface QuotaOwner {
  readonly caller: Pick<Caller, 'plan' | 'quotas'>;
  readonly owner: RecordOwner;
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
  const isCatalog = owner === 'catalog';
  const quotas = isCatalog ? CATALOG_QUOTA : caller.quotas;
  const whose: Message = isCatalog
    ? 'the shared catalog'
    : say('the account, on the plan {plan},', { plan: caller.plan });
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
