import { type Demand, type PriceRows, TERM, TERMS_PER_ROW } from '@tarifario/core';

// How far figures of the sieve can be from the exact ones: docs/decisions/0016-a-sieve-for-portfolios.md has the proof.

/** What a sum may be off for each euro of its terms: single precision, with the roundings that the proof counts. */
const COST_ERROR = 2 ** -18;
const PAID_ERROR = 2 ** -20;
const LINE_ERROR = 2 ** -21;
/** The same of the exact figures, in double precision, fees included. */
const EXACT_ERROR = 2 ** -45;
/** Rounding to whole millionths, twice what it can be. */
const MICRO_ERROR_EUR = 1e-6;
/** Beyond this nothing is promised: single precision ends at 3.4e38. */
const LARGEST = 1e25;

/** Bounds of one figure of one customer, over all offers. */
export interface FigureBound {
  /** No figure of the sieve is larger, EUR. */
  readonly sizeEur: number;
  /** No figure of the sieve is further from the exact one, but for what is the same for all offers, EUR. */
  readonly errorEur: number;
}

/** The largest size of each column of prices. */
export function largestTerms({ terms, mask }: PriceRows): Float64Array {
  const largest = new Float64Array(TERM.id);
  for (let row = 0; row < mask.length; row++) {
    for (let term = 0; term < TERM.id; term++) {
      const size = Math.abs(terms[row * TERMS_PER_ROW + term] ?? 0);
      if (!(size <= (largest[term] ?? 0))) largest[term] = size;
    }
  }
  return largest;
}

/** What is to be known of commission lines. */
export interface LinesSize {
  readonly fixedEur: number;
  readonly eurPerUnit: number;
  /** Every offer has the same line. */
  readonly isSame: boolean;
}

export function largestLines(lines: Float64Array): LinesSize {
  let fixedEur = 0;
  let eurPerUnit = 0;
  let isSame = true;
  for (let at = 0; at < lines.length; at += 2) {
    fixedEur = Math.max(fixedEur, Math.abs(lines[at] ?? 0));
    eurPerUnit = Math.max(eurPerUnit, Math.abs(lines[at + 1] ?? 0));
    isSame &&= lines[at] === lines[0] && lines[at + 1] === lines[1];
  }
  return { fixedEur, eurPerUnit, isSame };
}

/** @returns `null` for figures beyond what single precision holds. */
export function costBound(quantities: Float64Array, largest: Float64Array, demand: Demand): FigureBound | null {
  let sizeEur = 0;
  for (let term = 0; term < largest.length; term++) {
    const quantity = quantities[term] ?? 0;
    if (quantity === 0) continue;
    const price = largest[term] ?? 0;
    if (!(quantity <= LARGEST && price <= LARGEST)) return null;
    sizeEur += quantity * price;
  }
  const feesEur = demand.energyFeeEur + demand.powerFeeEur;
  return boundOf(sizeEur, feesEur, COST_ERROR);
}

/** @returns `null` for figures beyond what single precision holds. */
export function paidBound(consumption: LinesSize, power: LinesSize, demand: Demand): FigureBound | null {
  const { annualMwh, energyFeeEurPerYear, powerFeeEurPerYear } = demand;
  const powerKw = demand.highestPowerKw ?? 0;
  const sizes = [annualMwh, powerKw, consumption.fixedEur, consumption.eurPerUnit, power.fixedEur, power.eurPerUnit];
  if (!sizes.every((size) => size <= LARGEST)) return null;
  const sizeEur =
    consumption.fixedEur + power.fixedEur + consumption.eurPerUnit * annualMwh + power.eurPerUnit * powerKw;
  return boundOf(sizeEur, energyFeeEurPerYear + powerFeeEurPerYear, PAID_ERROR);
}

function boundOf(sizeEur: number, feesEur: number, error: number): FigureBound | null {
  if (!(sizeEur <= LARGEST && feesEur <= LARGEST)) return null;
  return { sizeEur, errorEur: error * sizeEur + EXACT_ERROR * (sizeEur + feesEur) + MICRO_ERROR_EUR };
}

/** How far a line of the sieve can be from the straight line over exact figures, points. */
export function lineError(points: number, { sizeEur, errorEur }: FigureBound): number {
  return points * (errorEur + LINE_ERROR * sizeEur);
}

/** A bound as single precision may hold it: rounded, it is still not above the one that was meant. */
export function lowered(bound: number): number {
  return bound - 2 ** -23 * Math.abs(bound);
}

/** The other way round. */
export function raised(bound: number): number {
  return bound + 2 ** -23 * Math.abs(bound);
}
