import { refuseIfAny } from '../../../engine/errors.ts';
import type { OfferWithHistory } from '../../../engine/offers/offer.ts';
import { entryAt } from '../../../engine/price/table.ts';
import { type Gap, gapInTurns } from '../../../engine/rank/rank.ts';
import { compileUniverse, patchUniverse, type UniversePart } from '../../../engine/rank/universe.ts';
import { type Caller, maySeeCommissions } from '../../access/caller.ts';
import { inTurns } from '../../in-turns.ts';
import type { AccountOffers } from '../memory/offer-cache.ts';
import { visiblePlaces } from '../offers/offers-in-memory.ts';
import type { PastDeps } from '../offers/past-offers.ts';
import { accountOffersFor, partsOf, visibleTo } from '../offers/visible-offers.ts';
import type { Deps } from '../requests/deps.ts';
import type { FirmChoice } from '../requests/record-access.ts';
import { type RankingQuestion, weightFor } from './ranking.ts';

/** The gap of an offer for one customer, or why there is none: a refusal or a bug. */
type GapAnswer = { readonly found: true; readonly gap: Gap } | { readonly found: false; readonly error: unknown };

/** Finds the gaps of an offer over one state of the data. */
interface Negotiation {
  /** In the order of the questions. One that is refused, as by `rankForCaller`, does not affect the others. */
  readonly gapsOf: (questions: readonly RankingQuestion[]) => Promise<readonly GapAnswer[]>;
}

/** An offer beside all others that a caller may compare. */
interface NegotiatedOffer {
  readonly entry: OfferWithHistory;
  readonly seesCommissions: boolean;
  /** The others that a question asks about. May refuse it. */
  readonly othersOf: (question: RankingQuestion) => readonly UniversePart[];
}

/**
 * The gap of an offer for one customer, with pauses.
 *
 * @throws DomainError for a weight that needs commissions, for what `othersOf` refuses, a wrong question, or a tolerance.
 * @see docs/assumptions.md, A-116
 */
function* negotiatedGap(
  { entry, othersOf, seesCommissions }: NegotiatedOffer,
  question: RankingQuestion,
): Generator<undefined, Gap> {
  const { request: asked, issues } = question;
  const { supplyType } = asked.customer;
  const weight = weightFor({ ...asked, weight: asked.weight ?? 1 }, seesCommissions);
  const others = othersOf(question);
  const tolerated =
    (asked.tolerance ?? null) === null ? [] : [{ path: 'tolerancia', message: 'is not allowed here' } as const];
  refuseIfAny([...issues, ...tolerated]);
  // All parts admit the same companies.
  const alone = others.slice(0, 1).map(({ admits }) => ({ admits, universe: compileUniverse(supplyType, [entry]) }));
  // At weight 1 no commission counts, and none is looked at.
  const request = { ...asked, weight, contract: null, seesCommissions: weight < 1 };
  return yield* gapInTurns({ alone, others }, request);
}

/**
 * Prepares the offers visible to the caller to negotiate one of them.
 *
 * @throws DomainError `foreign_firm`, `not_found` for an offer that the caller does not see.
 * @see docs/assumptions.md, A-116
 */
export async function negotiationForCaller(
  deps: PastDeps & Pick<Deps, 'revisions'>,
  caller: Caller,
  { firmId, offerId }: FirmChoice & { readonly offerId: number },
): Promise<Negotiation> {
  const offers = await accountOffersFor(deps, caller);
  const [place] = visiblePlaces(offers, caller, { ids: [offerId], firmId });
  if (!place) return { gapsOf: async () => [] };
  const entry = entryAt(place.table, place.row);
  const { supplyType } = entry.offer;
  const key = place.owned === offers.own ? 'own' : 'catalog';
  const gone = [{ offer: { ...entry.offer, isActive: false }, months: [] }];
  const universe = patchUniverse(place.owned.universes[supplyType], gone);
  const others: AccountOffers = {
    ...offers,
    [key]: { ...place.owned, universes: { ...place.owned.universes, [supplyType]: universe } },
  };
  const othersOf = ({ firmId: ofFirm, request: { customer, company } }: RankingQuestion) => {
    const { companies } = visibleTo(offers, caller, ofFirm);
    return partsOf({ offers: others, companies }, customer.supplyType, company);
  };
  const negotiated = { entry, othersOf, seesCommissions: maySeeCommissions(caller) };
  const gapOf = async (question: RankingQuestion) => inTurns(negotiatedGap(negotiated, question), deps, caller);
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
