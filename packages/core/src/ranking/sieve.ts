import type { Demand } from './customer.ts';
import type { KernelBlock, PriceRows } from './kernel.ts';

/** A customer as a sieve takes him: what he uses, and what each offer pays there. */
export interface SieveCustomer extends Pick<KernelBlock, 'consumption' | 'power'> {
  readonly demand: Demand;
}

/** What the best of a customer are to be found by. */
export interface SieveWeights {
  /** Points of the score that a euro of cost takes off, and that a euro of commission adds; finite and >= 0. */
  readonly pointsPerCostEur: number;
  readonly pointsPerPaidEur: number;
  /** How far the score that decides may be from a straight line with these slopes. */
  readonly nearness: number;
  readonly limit: number;
}

/**
 * Rows that may matter to one of the customers, ascending: too many is allowed, too few is not. Customers are told by
 * their place. Each list is good until the next call.
 */
export interface Sifted {
  /** Rows that have every price that is needed. Nothing below may be asked when there is none. */
  readonly pricedCount: number;
  /** Has every row whose cost is the lowest; the other three likewise. */
  readonly cheapest: (customer: number) => Int32Array;
  readonly dearest: (customer: number) => Int32Array;
  /** Has a row whose commission is the lowest. Only for customers whose lines were given. */
  readonly leastPaid: (customer: number) => Int32Array;
  readonly bestPaid: (customer: number) => Int32Array;
  /** Has the first `limit` by A-18. */
  readonly best: (customer: number, weights: SieveWeights) => Int32Array;
}

/**
 * Leaves out, quickly, offers that cannot matter to a customer. It may be rough, because those that are left get exact
 * figures from `settle.ts`; it may not be wrong, and says so where it cannot tell.
 */
export interface Sieve {
  /** Customers that it prices at once. */
  readonly width: number;
  /**
   * Prices offers for customers who need the same prices.
   *
   * @param offers - Never changed: the same object holds the same numbers.
   * @param customers - 1 to `width`.
   * @returns `null` where everybody may matter: no room, or figures beyond all bounds. Else good until the next call.
   */
  readonly price: (offers: PriceRows, customers: readonly SieveCustomer[], neededPrices: number) => Sifted | null;
}
