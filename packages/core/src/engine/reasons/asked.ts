import type { CostDifference } from './why.ts';

/** What an answer says of its reasons. What is left out is not asked for. */
export interface ReasonsAsked {
  /** Why each result costs more than another offer: the cheapest where `againstId` is `null`. */
  readonly why?: { readonly againstId: number | null } | null;
}

/** The reasons of a ranking, besides those of its results. */
export interface Reasons {
  /** The offer that results are explained against; `null` when nothing is ranked. */
  readonly againstId?: number | null;
}

/** The reasons of a result. */
export interface ResultReasons {
  readonly why?: readonly CostDifference[];
}
