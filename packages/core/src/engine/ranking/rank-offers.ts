import { dayNumber, namedMonth } from '../calendar.ts';
import { type Customer, defineCustomer, NO_FEES, periodOf } from '../cost/customer.ts';
import { compileTable } from '../cost/table.ts';
import { assert } from '../errors.ts';
import { inWords } from '../messages/message.ts';
import { type Offer, type OfferWithHistory, OTHER_SUPPLY, type SupplyType } from '../offers/offer.ts';
import { offerCheck } from '../offers/offer-check.ts';
import { ANY_COMPANY, defineFilter } from '../offers/offer-filter.ts';
import { hasOffers } from './near-tariffs.ts';
import { type PortfolioAnswer, rankPortfolio } from './portfolio.ts';
import { contractIssues, type PresentContract } from './present-contract.ts';
import { questionOf } from './question.ts';
import { answerTo, finish, rankUniverses } from './rank.ts';
import { DEFAULT_LIMIT, DEFAULT_WEIGHT, type Ranking, type RankingRequest } from './ranking.ts';
import { checkRequest, type RequestDefinition } from './request-definition.ts';
import { emptyUniverse, patchUniverse, type Universe } from './universe.ts';

/** The arguments of `rankOffers`. */
export interface RankOffersInput extends RequestDefinition {
  /**
   * Offers of `defineOffer`, or, with their monthly prices, of `defineHistory`; in any order, each id once. Inactive
   * ones and those of the other supply are left out.
   */
  readonly offers: readonly (Offer | OfferWithHistory)[];
}

/**
 * Ranks plain objects for one customer, without server or database: the whole engine in one call. For a list that is
 * ranked once this is the fastest way; for many requests on one list, use `createMarket`.
 *
 * @throws RangeError when a weight, a period, a fee, a quantity or the present contract is out of its range, a month, a day,
 *   a territory, a community or a type of customer does not exist, the limit is no whole number >= 1, or two offers have
 *   one id.
 */
export function rankOffers({ offers, ...definition }: RankOffersInput): Ranking {
  const asked = defineRequest(definition);
  const { supplyType } = asked.customer;
  const hasOtherSupply = () => entriesOf(offers, OTHER_SUPPLY[supplyType]).length > 0;
  const request = { ...asked, hasOtherSupply };
  const entries = entriesOf(offers, supplyType).sort((a, b) => a.offer.id - b.offer.id);
  return finish(
    answerTo(
      [
        {
          table: compileTable(
            supplyType,
            entries.map((entry) => ({ entry, key: 0 })),
          ),
          admits: () => true,
        },
      ],
      questionOf(request),
    ),
  );
}

function entriesOf(offers: RankOffersInput['offers'], supplyType: SupplyType): OfferWithHistory[] {
  const soundEntryOf = offerCheck(supplyType);
  return offers.map(soundEntryOf).filter((entry) => entry?.offer.isActive === true) as OfferWithHistory[];
}

/** Offers prepared for many requests. */
export interface Market {
  /** The same result as `rankOffers`, but faster, and each offer has its key. @throws RangeError as `rankOffers`. */
  readonly rank: (question: RequestDefinition) => Ranking;
  /** The same for many customers, without the lists that only one of them needs. No bad question affects the others. */
  readonly rankMany: (questions: readonly RequestDefinition[]) => readonly PortfolioAnswer[];
  /**
   * The market after some offers were changed or added: each takes the place of the one with its supply and id. An offer
   * leaves the market by becoming inactive. This market stays as it is.
   *
   * @throws RangeError as `createMarket`.
   */
  readonly replace: (offers: readonly (Offer | OfferWithHistory)[]) => Market;
}

/**
 * Prepares offers for many questions. It holds the offers themselves: what is changed in one afterwards gives wrong answers.
 *
 * @param offers - As `rankOffers` takes them, of both supplies.
 * @throws RangeError when an id is no whole number >= 1, two offers of a supply have one id, an offer has a month twice, one
 *   of its numbers or of its months' is out of the bounds of `defineOffer` and `defineHistory`, or its tiers do not ascend.
 *   Texts, days and what two fields say together are not checked here.
 */
export function createMarket(offers: readonly (Offer | OfferWithHistory)[]): Market {
  return marketWith({ LUZ: emptyUniverse('LUZ'), GAS: emptyUniverse('GAS') }, offers);
}

function marketWith(
  before: Readonly<Record<SupplyType, Universe>>,
  offers: readonly (Offer | OfferWithHistory)[],
): Market {
  const changed = (supplyType: SupplyType) =>
    patchUniverse(
      before[supplyType],
      offers.map(offerCheck(supplyType)).filter((entry) => entry !== null),
    );
  const universes = { LUZ: changed('LUZ'), GAS: changed('GAS') };
  const partsOf = (supplyType: SupplyType) => [{ universe: universes[supplyType], admits: () => true }];
  const requestOf = (question: RequestDefinition) => {
    const request = defineRequest(question);
    const other = OTHER_SUPPLY[request.customer.supplyType];
    return { ...request, hasOtherSupply: () => hasOffers(partsOf(other), other) };
  };
  const partsFor = ({ customer }: RankingRequest) => partsOf(customer.supplyType);
  return {
    rank: (question) => {
      const request = requestOf(question);
      return rankUniverses(partsFor(request), request);
    },
    rankMany: (questions) =>
      questions.flatMap((question): readonly PortfolioAnswer[] => {
        try {
          const request = requestOf(question);
          return rankPortfolio(partsFor(request), [request]);
        } catch (error) {
          return [{ ranked: false, error }];
        }
      }),
    replace: (others) => marketWith(universes, others),
  };
}

/**
 * Completes the definition of a request: its customer, period and fees are what `demandOf` takes.
 *
 * @throws RangeError as `rankOffers`, but for the weight, the fees and the quantities only when the request is ranked.
 */
export function defineRequest(definition: RequestDefinition): RankingRequest {
  checkRequest(definition);
  const customer = defineCustomer(definition.customer);
  const limit = definition.limit ?? DEFAULT_LIMIT;
  assert(Number.isSafeInteger(limit) && limit >= 1, 'a limit is a whole number >= 1');
  const { tolerance = null } = definition;
  const contract = soundContract(definition.contract ?? null, customer);
  const period = periodOf(customer, definition.period ?? {});
  const filter = defineFilter(customer.supplyType, definition.filter ?? {});
  const { bill = null, reasons = null, ssaaEurPerMwh = 0, signingDay = null } = definition;
  assert(signingDay === null || dayNumber(signingDay) !== null, `${signingDay} is no day: YYYY-MM-DD`);
  return {
    customer,
    period,
    fees: { ...NO_FEES, ...definition.fees },
    weight: definition.weight ?? DEFAULT_WEIGHT,
    month: namedMonth(definition.month ?? null),
    presentMonth: namedMonth(definition.today ?? null),
    ...(signingDay !== null && { signingDay }),
    filter,
    company: ANY_COMPANY,
    limit,
    seesCommissions: definition.seesCommissions ?? true,
    tolerance,
    contract,
    ...(ssaaEurPerMwh !== 0 && { ssaaEurPerMwh }),
    ...(bill && { bill }),
    ...(reasons && { reasons }),
    leastPowerPrices: definition.leastPowerPrices,
  };
}

/** The contract, the months of an offer sorted. @throws RangeError for another supply, and for what is out of its bounds. */
function soundContract(contract: PresentContract | null, customer: Customer): PresentContract | null {
  if (!contract) return null;
  const { supplyType } = customer;
  const isOther = 'supplyType' in contract && contract.supplyType !== supplyType;
  const entry = 'entry' in contract ? offerCheck(supplyType)(contract.entry) : undefined;
  assert(!isOther && entry !== null, 'a present contract is of the supply of the customer');
  const [issue] = contractIssues(contract, customer);
  if (issue) throw new RangeError(`contract.${issue.path} ${inWords(issue.message)}`);
  return entry ? { ...contract, entry } : contract;
}
