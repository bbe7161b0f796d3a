import { compare, distanceToHalf, exact, roundHalfUp, subtract } from './rational.mjs';

/** @typedef {import('./rational.mjs').Rational} Rational */

/** EUR amounts, MWh and kW. */
export const AMOUNT_DECIMALS = 6;
/** Scores while they are compared. */
export const SCORE_DECIMALS = 9;
/** Scores as an answer shows them. */
export const WIRE_SCORE_DECIMALS = 4;

/**
 * Rounding that also writes down where double precision could fall on the other side of a half,
 * so that a comparison with an engine on doubles can tell a defect from noise.
 *
 * @typedef {{ readonly risks: string[] }} Trace
 */

/** @type {(trace: Trace, value: Rational, place: string) => Rational} */
export function roundAmount(trace, value, place) {
  if (distanceToHalf(value, AMOUNT_DECIMALS) < 1e-3) trace.risks.push(`${place} lies on a rounding half`);
  return roundHalfUp(value, AMOUNT_DECIMALS);
}

/** @type {(trace: Trace, value: Rational, place: string) => Rational} */
export function roundScore(trace, value, place) {
  const rounded = roundHalfUp(value, SCORE_DECIMALS);
  if (distanceToHalf(rounded, WIRE_SCORE_DECIMALS) < 2e-5) trace.risks.push(`${place} lies on a wire rounding half`);
  return rounded;
}

/**
 * Scores that differ by no more than the noise of their last decimal decide an order that doubles may see otherwise.
 *
 * @param {Trace} trace
 * @param {readonly Rational[]} scores
 * @param {string} place
 */
export function noteCloseScores(trace, scores, place) {
  const ordered = [...scores].sort(compare);
  for (const [index, score] of ordered.entries()) {
    const previous = ordered[index - 1];
    if (previous === undefined) continue;
    const gap = subtract(score, previous);
    if (gap.n > 0n && compare(gap, exact('0.00000001')) < 0) trace.risks.push(`${place}: scores closer than 1e-8`);
  }
}
