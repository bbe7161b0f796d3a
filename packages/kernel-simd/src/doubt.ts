import { type Demand, type KernelTask, TERM } from '@tarifario/core';
import type { Use, Uses } from './demand.ts';
import type { Placed } from './placing.ts';
import type { Seat } from './seats.ts';

/** Half the distance from 1 to the next larger float: what one rounding to 32 bits moves a number of size 1. */
const UNIT = 2 ** -24;
/** Roundings on the longest way from a price to its cost in `assembly/index.ts` are 19, to a commission 8. */
const COST_ROUNDINGS = 24;
const COMMISSION_ROUNDINGS = 12;
/** Half a millionth, by which the definition rounds, and whatever is too small for 32 bits, EUR. */
const LEAST_EUR = 1e-6;
/** More than what rounding moves a weighted sum of two scores, whose parts are at most 10. */
const LINE_DOUBT = 1e-5;
/** Beyond this no figure is taken for one of 32 bits: far below the largest, far above any cost. */
const LARGEST = 1e15;

/**
 * How far the figures of the filter may be from those of the definition, EUR; each of them is proved in
 * `docs/decisions/0011-kernels-that-agree-bit-by-bit.md`.
 */
export interface Doubt {
  readonly costEur: number;
  readonly commissionEur: number;
}

/**
 * How far a weighted sum of two lines over the figures of the filter may be from that of the definition. A difference
 * from an end has its own roundings and those of the end, so it counts double.
 *
 * @param perCost - Score per EUR saved.
 * @param perCommission - Score per EUR paid.
 */
export function lineDoubt(doubt: Doubt, perCost: number, perCommission: number): number {
  return perCost * 2 * doubt.costEur + perCommission * 2 * doubt.commissionEur + LINE_DOUBT;
}

/** How far figures may be off, or `null` when there are numbers among them that 32 bits cannot hold. */
export function doubtOf(task: KernelTask, placed: readonly Placed[], uses: Uses): Doubt | null {
  const { demand, withCommissions } = task;
  const cost = largestCost(placed, uses) + Math.abs(demand.energyFeeEur) + Math.abs(demand.powerFeeEur);
  const paid = withCommissions ? largestCommission(placed, demand) : 0;
  // Not a number is not below either.
  if (!(cost < LARGEST && paid < LARGEST)) return null;
  return {
    costEur: COST_ROUNDINGS * UNIT * cost + LEAST_EUR,
    commissionEur: COMMISSION_ROUNDINGS * UNIT * paid + LEAST_EUR,
  };
}

/** What the sizes of all terms of a cost add up to at most; energy counts twice where surplus may take it off again. */
function largestCost(placed: readonly Placed[], { energy, rest, exportedKwh }: Uses): number {
  let largest = 0;
  for (const { terms } of placed) {
    const used = sizeOf(energy, terms.bounds);
    const surplus = exportedKwh === 0 ? 0 : used + productOf(exportedKwh, terms.bounds[TERM.surplusPerKwh] ?? 0);
    largest = Math.max(largest, used + surplus + sizeOf(rest, terms.bounds));
  }
  return largest;
}

function largestCommission(placed: readonly Placed[], demand: Demand): number {
  const fees = Math.abs(demand.energyFeeEurPerYear) + Math.abs(demand.powerFeeEurPerYear);
  let largest = 0;
  for (const { consumption, power } of placed) {
    const lines = lineSize(consumption, demand.annualMwh) + lineSize(power, demand.highestPowerKw ?? 0);
    largest = Math.max(largest, lines);
  }
  return largest + fees;
}

function lineSize(seat: Seat | null, quantity: number): number {
  return seat ? (seat.bounds[0] ?? 0) + productOf(quantity, seat.bounds[1] ?? 0) : 0;
}

/** A sum of products. */
function sizeOf(uses: readonly Use[], bounds: Float64Array): number {
  let size = 0;
  for (const { term, quantity } of uses) size += productOf(quantity, bounds[term] ?? 0);
  return size;
}

/** Infinite when a factor is too large to be held. */
function productOf(quantity: number, bound: number): number {
  return quantity < LARGEST && bound < LARGEST ? quantity * bound : Number.POSITIVE_INFINITY;
}
