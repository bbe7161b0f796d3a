import type { PriceMargin } from './margin.ts';
import type { Retrospective } from './retrospective.ts';
import type { CostDifference } from './why.ts';

/** What an answer says of its reasons. What is left out is not asked for. */
export interface ReasonsAsked {
  /** Why each result costs more than another offer. */
  readonly why?: {
    /** The id of that offer; `null`: the cheapest. */
    readonly againstId: number | null;
  } | null;
  /** Which offer is the cheapest at which consumption. */
  readonly thresholds?: boolean;
  /** What each indexed result would have cost by every year of its history. */
  readonly retrospective?: boolean;
  /** How far the prices of the first offer may rise. */
  readonly margin?: boolean;
}

/** The offer that is the cheapest while the customer uses this many times the energy, both ends included. */
export interface ConsumptionThreshold {
  /** How many times the energy. */
  readonly fromFactor: number;
  /** How many times the energy. */
  readonly toFactor: number;
  /** The id of the offer. */
  readonly offerId: number;
}

/** The reasons of a ranking, besides those of its results. */
export interface Reasons {
  /** The id of the offer that results are explained against; `null` when nothing is ranked. */
  readonly againstId?: number | null;
  /** By factor, from a quarter to four times the energy without a gap; none when nothing is ranked. */
  readonly thresholds?: readonly ConsumptionThreshold[];
  /** Of the first offer; none when nothing is ranked. */
  readonly margin?: readonly PriceMargin[];
}

/** The reasons of a result. */
export interface ResultReasons {
  readonly why?: readonly CostDifference[];
  /** Only of an indexed offer. */
  readonly retrospective?: Retrospective;
}
