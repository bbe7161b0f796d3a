import { shownUpdatedAt } from '../../engine/offers/offer.ts';
import { ANY_COMPANY, anyOffer } from '../../engine/offers/offer-filter.ts';
import { readAt } from '../../engine/price/table.ts';
import { matchingRows } from '../../engine/rank/select.ts';
import type { UniversePart } from '../../engine/rank/universe.ts';
import { type Caller, maySeeCommissions } from '../access/caller.ts';
import { inTurns } from '../in-turns.ts';
import { accountOffersFor, partsOf, visibleTo } from './offers/visible-offers.ts';
import type { Deps, Imprint } from './requests/deps.ts';
import type { FirmChoice } from './requests/record-access.ts';

/** What a comparison says of itself (Directive (EU) 2019/944, art. 14). */
export interface About extends Imprint, Reach {
  readonly seesCommissions: boolean;
}

/** The active offers that a caller compares. */
interface Reach {
  readonly offerCount: number;
  /** Retailers that have one of them. */
  readonly companyCount: number;
  /** The newest change of one of them or of its months; `null` without offers. */
  readonly newestChange: string | null;
}

/** What a comparison of the caller says of itself. @throws DomainError `foreign_firm`. @see docs/assumptions.md, A-117 */
export async function describeComparison(
  deps: Pick<Deps, 'store' | 'offerCache' | 'revisions' | 'yieldToEventLoop' | 'imprint'>,
  caller: Caller,
  { firmId }: FirmChoice,
): Promise<About> {
  const visible = visibleTo(await accountOffersFor(deps, caller), caller, firmId);
  const seesCommissions = maySeeCommissions(caller);
  const parts = (['LUZ', 'GAS'] as const).flatMap((supply) => partsOf(visible, supply, ANY_COMPANY));
  const reach = await inTurns(reachInTurns(parts, seesCommissions), deps, caller);
  const { owner, financing, contact } = deps.imprint ?? NOTHING_SAID;
  return { owner, financing, contact, seesCommissions, ...reach };
}

const NOTHING_SAID: Imprint = { owner: null, financing: null, contact: null };

function* reachInTurns(parts: readonly UniversePart[], seesCommissions: boolean): Generator<undefined, Reach> {
  const companies = new Set<number>();
  let offerCount = 0;
  let newestChange: string | null = null;
  for (const { universe, admits } of parts) {
    for (const table of universe.tables) {
      for (const row of matchingRows(table, anyOffer(universe.supplyType), admits).rows) {
        const { offer } = readAt(table, row);
        const changedAt = shownUpdatedAt(offer, seesCommissions);
        offerCount += 1;
        companies.add(offer.companyId);
        if (newestChange === null || changedAt > newestChange) newestChange = changedAt;
      }
      yield;
    }
  }
  return { offerCount, companyCount: companies.size, newestChange };
}
