import type { Demand } from './customer.ts';
import type { RankedColumns } from './frontier.ts';
import type { Range, Standing } from './score.ts';

/**
 * Where each figure of an offer stands in its row of `PriceRows.terms`: prices of P1 to P6 (EUR/kWh; gas has one),
 * of power (EUR/kW·day; none for gas), then the four below. A missing price is 0 and has no bit in the mask.
 */
export const TERM = {
  energy: 0,
  power: 6,
  fixedPerMonth: 12,
  servicesPerMonth: 13,
  surplusPerKwh: 14,
  id: 15,
} as const;
/** Figures of a row: 128 bytes, two lines of the processor's cache. */
export const TERMS_PER_ROW = 16;
/** Quantities of a customer, in the order of the prices. */
export const QUANTITIES = TERM.fixedPerMonth;

/** A block's offers as rows of numbers, with the prices that apply in one month or on average. */
export interface PriceRows {
  readonly terms: Float64Array;
  /** All that `masks.ts` says about each offer, the prices that exist among it. */
  readonly mask: Int32Array;
}

/** The numbers of one block that answer one request. None is ever changed: the same object holds the same numbers. */
export interface KernelBlock {
  readonly terms: Float64Array;
  /** A row passes the filter when `(mask & care) === want`. As long as the block has rows. */
  readonly mask: Int32Array;
  readonly care: number;
  readonly want: number;
  /**
   * What each offer pays at the customer's consumption and power, as pairs: EUR per year, and EUR per MWh or kW.
   * `null` when commissions were not asked for.
   */
  readonly consumption: Float64Array | null;
  readonly power: Float64Array | null;
}

/** One question to a kernel. */
export interface KernelTask {
  /** In any order; ids are distinct over all of them. */
  readonly blocks: readonly KernelBlock[];
  readonly demand: Demand;
  /** The bits of `mask` without which an offer cannot be priced. */
  readonly neededPrices: number;
  /** `false`: every commission counts as 0. */
  readonly withCommissions: boolean;
  /** Whether to tell among whom the winners at every weight are; only with commissions. */
  readonly withContenders: boolean;
  /** 0 to 1; 1 when commissions were not asked for. */
  readonly weight: number;
  /** How many of the best are told, at least 1. */
  readonly limit: number;
}

/** One of the best, by A-18. */
export interface Place extends Standing {
  /** The row over all blocks, in the order of the task: rows of earlier blocks come first. */
  readonly row: number;
}

/** What a kernel found. */
export interface KernelAnswer {
  /** Rows that pass the filter and can be priced. */
  readonly rankedCount: number;
  /** Rows that pass the filter and lack a price. */
  readonly excludedCount: number;
  /** EUR; `null` when nothing is ranked. */
  readonly costRangeEur: Range | null;
  /** Zeros when commissions were not asked for. */
  readonly commissionRangeEur: Range | null;
  /** The first `limit` by A-18. */
  readonly best: readonly Place[];
  /** Offers among which every winner at any weight is (`envelope.ts`); `null` when not asked for. */
  readonly contenders: RankedColumns | null;
}

/**
 * The part of a ranking whose work grows with the number of offers. Every implementation answers bit by bit alike:
 * the operations of `priceOffer`, `commissionOf` and `weightedScore`, in their order, over rows of numbers. A kernel
 * keeps its working memory between calls, and answers before it returns.
 */
export interface RankingKernel {
  readonly rank: (task: KernelTask) => KernelAnswer;
}
