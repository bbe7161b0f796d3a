import { refuseIfAny } from '../../engine/errors.ts';
import { type Gap, gapInSteps } from '../../engine/ranking/negotiation.ts';
import { compileUniverse, patchUniverse } from '../../engine/ranking/universe.ts';
import type { Caller } from '../access/caller.ts';
import type { Deps } from './deps.ts';
import type { AccountOffers } from './offer-cache.ts';
import { visiblePlaces } from './offers-in-memory.ts';
import type { PastDeps } from './past-offers.ts';
import { inTurns, type RankingQuestion, requestFor } from './ranking.ts';
import type { FirmChoice } from './record-access.ts';
import { accountOffersFor, partsOf, visibleTo } from './visible-offers.ts';

/** The gap of an offer for one customer, or why there is none: a refusal or a bug. */
export type GapAnswer =
  | { readonly found: true; readonly gap: Gap }
  | { readonly found: false; readonly error: unknown };

/** Finds the gaps of an offer over one state of the data. */
export interface Negotiation {
  /** In the order of the questions. One that is refused, as by `rankForCaller`, does not affect the others. */
  readonly gapsOf: (questions: readonly RankingQuestion[]) => Promise<readonly GapAnswer[]>;
}

/**
 * Prepares the offers visible to the caller to negotiate one of them.
 *
 * @throws DomainError `foreign_firm`, `not_found` for an offer that the caller does not see.
 * @see docs/assumptions.md, A-116
 */
export async function negotiationForCaller(
  deps: PastDeps & Pick<Deps, 'preselection' | 'revisions'>,
  caller: Caller,
  { firmId, offerId }: FirmChoice & { readonly offerId: number },
): Promise<Negotiation> {
  const offers = await accountOffersFor(deps, caller);
  const [place] = visiblePlaces(offers, caller, { ids: [offerId], firmId });
  if (!place) return { gapsOf: async () => [] };
  const entry = place.block.entryAt(place.row);
  const { supplyType } = entry.offer;
  const key = place.owned === offers.own ? 'own' : 'catalog';
  const gone = [{ offer: { ...entry.offer, isActive: false }, months: [] }];
  const universe = patchUniverse(place.owned.universes[supplyType], gone);
  const others: AccountOffers = {
    ...offers,
    [key]: { ...place.owned, universes: { ...place.owned.universes, [supplyType]: universe } },
  };
  const now = deps.clock.now();
  const gapOf = async (question: RankingQuestion): Promise<Gap> => {
    const { request: asked, issues } = question;
    const weighed = requestFor(caller, { request: { ...asked, weight: asked.weight ?? 1 } }, now);
    const { companies } = visibleTo(offers, caller, question.firmId);
    const tolerated =
      (asked.tolerance ?? null) === null ? [] : [{ path: 'tolerancia', message: 'is not allowed here' } as const];
    refuseIfAny([...issues, ...tolerated]);
    // At weight 1 no commission counts, and none is looked at.
    const request = { ...weighed, contract: null, seesCommissions: weighed.weight < 1 };
    const parts = partsOf({ offers: others, companies }, request.customer.supplyType, request.company);
    const own = parts[key === 'own' ? 0 : 1];
    const alone = own ? [{ ...own, universe: compileUniverse(request.customer.supplyType, [entry]) }] : [];
    return inTurns(gapInSteps({ alone, others: parts }, request, deps), deps, caller);
  };
  return {
    gapsOf: async (questions) => {
      const answers: GapAnswer[] = [];
      for (const question of questions) {
        await deps.yieldToEventLoop?.(caller.accountId);
        answers.push(
          await gapOf(question).then(
            (gap) => ({ found: true, gap }),
            (error: unknown) => ({ found: false, error }),
          ),
        );
      }
      return answers;
    },
  };
}
