import type { Day, Month } from '../calendar.ts';
import type { AppliedPrices, PriceOrigin } from '../cost/applied-price.ts';
import type { CommissionBreakdown, CostBreakdown, DiscountedCost } from '../cost/cost.ts';
import type { CalculationPeriod, Customer, Fees } from '../cost/customer.ts';
import type { ExcludedOffer } from '../cost/limits.ts';
import type { Offer } from '../offers/offer.ts';
import type { CompanyFilter, OfferFilter } from '../offers/offer-filter.ts';
import type { LeastPowerPrices } from '../power/least-prices.ts';
import type { Bill } from '../taxes/bill.ts';
import type { BillTerms } from '../taxes/bill-terms.ts';
import type { Conflict, Extras } from './conflict.ts';
import type { NameSearch } from './name-search.ts';
import type { PresentContract, PresentPricing, Saving } from './present-contract.ts';
import type { Reasons, ReasonsAsked, ResultReasons } from './reasons-asked.ts';
import type { Range } from './score.ts';
import type { RankingWarning } from './warning-codes.ts';

//
/** At most this many exclusions are listed; `excludedCount` is the whole number. */
export const MAX_LISTED_EXCLUSIONS = 200;
/** The default weight: savings and commission count equally. */
export const DEFAULT_WEIGHT = 0.5;
/** The most EUR of the customer's annual cost for one EUR of commission. */
export const MAX_TOLERANCE = 100;
/** The default number of results. */
export const DEFAULT_LIMIT = 50;
/** The maximum number of results. */
export const MAX_LIMIT = 200;
/** How many results may be passed over. Nobody reads on for longer, and they have to be put in order too. */
export const MAX_RANKED_OFFSET = 10_000;

/** One question: which offers for this customer, at which weight. */
export interface RankingRequest {
  readonly customer: Customer;
  readonly period: CalculationPeriod;
  readonly fees: Fees;
  //
  /** What balancing services cost where an offer bills them apart, EUR/MWh; none if left out. */
  readonly ssaaEurPerMwh?: number;
  /**
   * A number, 0 (commission only) to 1 (savings only), both included. Where commissions may not be seen it is ignored and 1 is
   * used.
   */
  readonly weight: number;
  /** The month whose prices indexed offers apply; `null`: the mean of their history. */
  readonly month: Month | null;
  /** Its supply type is the customer's. */
  readonly filter: OfferFilter;
  readonly company: CompanyFilter;
  /** Whether there are offers of the other supply: asked where nothing passes the filter; left out: not known. */
  readonly hasOtherSupply?: () => boolean;
  /** The number of `results` at most, 1 to 200. */
  readonly limit: number;
  /** How many of the first are left out of `results`, a whole number >= 0; none if left out. */
  readonly offset?: number;
  //
  /** `false`: nothing in the answer depends on commissions. */
  readonly seesCommissions: boolean;
  //
  /**
   * EUR of the customer's annual cost for one EUR of commission, 0 to `MAX_TOLERANCE`: replaces the weight, and is
   * ignored where the weight is.
   */
  readonly tolerance?: number | null;
  //
  /** The month in which the question is asked, on which two warnings depend; left out or `null`: not known. */
  readonly presentMonth?: Month | null;
  //
  /** The present contract of the customer, with which every result is compared. */
  readonly contract?: PresentContract | null;
  //
  /** With it every result has its bill. Nothing else in the answer depends on it, but for warnings. */
  readonly bill?: BillTerms | null;
  //
  /** With it the answer has reasons. Nothing else in the answer depends on it. */
  readonly reasons?: ReasonsAsked | null;
  //
  /**
   * With it `results` has only the ranked offers that are found, each with its place, and `offset` and `limit` count these.
   * Nothing else in the answer depends on it but `foundCount`. Offers of a list are not searched.
   */
  readonly search?: NameSearch;
  //
  /** The day on which the customer signs: offers that are not valid on it are excluded; left out: not said. */
  readonly signingDay?: Day;
  //
  /** Those of the day that the question names, where it names one: they only give a warning. */
  readonly leastPowerPrices?: LeastPowerPrices | undefined;
}

/** A ranked offer, with everything that determined its position. */
export interface RankedOffer extends Extras {
  /** The same number means the same offer, with the same terms and months. `null`: ranked from a list. */
  readonly key: number | null;
  /** Its place among all that are ranked, from 1; only where the request has a search. */
  readonly place?: number;
  readonly offer: Offer;
  /** The prices used: the offer's own, or for indexed offers those of `origin`. */
  readonly prices: AppliedPrices;
  /** `null` for offers that are not indexed. */
  readonly origin: PriceOrigin | null;
  readonly cost: CostBreakdown;
  //
  /** Only where some ranked offer has a discount; `null` for an offer without one. */
  readonly discounted?: DiscountedCost | null;
  /** `null` where commissions may not be seen; so are `commissionScore` and `isOnFrontier`. */
  readonly commission: CommissionBreakdown | null;
  /** 0 to 10, 9 decimals. */
  readonly score: number;
  /** 0 to 10, 9 decimals. */
  readonly priceScore: number;
  /** 0 to 10, 9 decimals; `null` where commissions may not be seen. */
  readonly commissionScore: number | null;
  /** Only true for the first offer. */
  readonly isOptimal: boolean;
  /** No other ranked offer is at least as cheap and at least as well paid, and better in one of the two. */
  readonly isOnFrontier: boolean | null;
  /** `null` where no present contract is known. */
  readonly saving: Saving | null;
  /** Only where the request has the terms of bills. */
  readonly billed?: BilledResult;
  /** The customer cannot have its access tariff; only where no tariff is asked for, and absent where he can. */
  readonly isImpossibleTariff?: true;
  /** Only where the request asks for reasons. */
  readonly reasons?: ResultReasons;
}

/** The bill of a ranked offer. */
export interface BilledResult {
  readonly bill: Bill;
  /** EUR beyond the lowest bill of all ranked offers; `null` where commissions may not be seen. */
  readonly extraEur: number | null;
  /** Compared with the present bill; `null` where that is not known. */
  readonly saving: Saving | null;
}

/** What a ranking says of bills, besides those of its results. */
export interface BilledRanking {
  readonly terms: BillTerms;
  /** The id of the offer with the lowest bill; `null` when nothing is ranked. */
  readonly cheapestId: number | null;
  /** The bill of the present contract; `null` where its parts are not known. */
  readonly present: Bill | null;
  /** What the customer pays today with taxes, EUR; `null` where that is not known. */
  readonly presentEur: number | null;
}

/** The weights at which one offer is the best: from `fromWeight` to `toWeight`, both included. */
export interface WinnerSegment {
  /** A weight, 0 to 1. */
  readonly fromWeight: number;
  /** A weight, 0 to 1. */
  readonly toWeight: number;
  /** The id of the offer. */
  readonly offerId: number;
}

/** The answer to a request: ranked offers, best first, and the excluded ones. */
export interface Ranking extends PresentPricing {
  /** The weight used, 0 to 1. */
  readonly weight: number;
  readonly period: CalculationPeriod;
  /** Only where the request says it. */
  readonly signingDay?: Day;
  /** How many offers are ranked, and `excludedCount` how many are excluded: together the filtered universe. */
  readonly rankedCount: number;
  /** How many offers are excluded. */
  readonly excludedCount: number;
  /** How many ranked offers are found; only where the request has a search. */
  readonly foundCount?: number;
  /** By ascending id, at most `MAX_LISTED_EXCLUSIONS`. */
  readonly excluded: readonly ExcludedOffer[];
  /** The id of an offer; `null` when nothing is ranked. */
  readonly cheapestId: number | null;
  /** The id of an offer; `null` also where commissions may not be seen. */
  readonly bestPaidId: number | null;
  /** The id of an offer; `null` when nothing is ranked. */
  readonly mostEfficientId: number | null;
  /** The figures that the scores are relative to; `null` when nothing is ranked. */
  readonly costRangeEur: Range | null;
  readonly commissionRangeEur: Range | null;
  //
  /** Winners by weight, covering 0 to 1 without gap; `[]` when nothing is ranked, `null` for masked callers. */
  readonly winners: readonly WinnerSegment[] | null;
  //
  /** Why the ranked offers may not be comparable. */
  readonly warnings: readonly RankingWarning[];
  /**
   * Beside the warning `ssaa_mezclados`: the most that balancing services may cost, EUR/MWh, before the cheapest offer is one
   * that does not bill them apart; `null` where it is such a one, or nothing is consumed.
   */
  readonly ssaaThresholdEurPerMwh?: number | null;
  /** What the commission costs the customer; `null` when nothing is ranked, and where commissions may not be seen. */
  readonly conflict: Conflict | null;
  /** Only where the request has the terms of bills. */
  readonly billed?: BilledRanking;
  /** Only where the request asks for reasons. */
  readonly reasons?: Reasons;
  readonly results: readonly RankedOffer[];
}

/** The annual quantities that commissions are matched on. */
export interface AnnualQuantities {
  /** MWh per year, finite and >= 0. */
  readonly annualMwh: number;
  /** kW, finite and >= 0; `null` when not given. Gas ignores it. */
  readonly powerKw: number | null;
}

/** A request for offers by their expected commission. */
export interface RecommendationRequest extends AnnualQuantities, Pick<RankingRequest, 'hasOtherSupply'> {
  readonly filter: OfferFilter;
  readonly company: CompanyFilter;
  readonly limit: number;
  readonly offset: number;
}
