import { MICRO } from '../numbers.ts';
import { HIGHEST_SCORE, type Range } from './score.ts';

/**
 * A score as a straight line over whole millionths of a euro, near enough to tell who cannot be among the best
 * without a division: `base + perMicro * distance` from the end that scores 0.
 */
export interface Scale {
  readonly base: number;
  readonly perMicro: number;
  /** The line and the score of the definition differ by at most this; see `nearnessOf`. */
  readonly slack: number;
  /** Two figures that are the same in euros differ by at most this: below 1 but for billions of euros. */
  readonly blur: number;
}

/**
 * The scale of the figures from `min` to `max`, whole millionths of a euro.
 *
 * Slack: with u = 2^-53, M the larger size of the two ends and R = max - min, the definition divides both figures by
 * a million first, which moves each by at most uM. So its quotient (figure - end) / range is that of the whole
 * numbers but for 4uM/R (or more than the whole scale, when M/R is beyond 2^51), times 10 and its own four roundings;
 * the line has four roundings as well, each u of at most 10. Together below 2^-46 (1 + M/R), and rounding to nine
 * decimals adds half a billionth.
 *
 * @see docs/decisions/0011-kernels-that-agree-bit-by-bit.md
 */
export function scaleOf(min: number, max: number): Scale {
  const size = Math.max(Math.abs(min), Math.abs(max));
  const blur = 2 ** -51 * size;
  if (!(max / MICRO > min / MICRO)) return { base: HIGHEST_SCORE, perMicro: 0, slack: 0, blur };
  const range = max - min;
  return { base: 0, perMicro: HIGHEST_SCORE / range, slack: 0.51e-9 + 2 ** -46 * (1 + size / range), blur };
}

/** How far a weighted sum of two lines may be from the score that decides. */
export function nearnessOf(price: Scale, commission: Scale): number {
  return price.slack + commission.slack + 1e-9;
}

/** Euros of whole millionths. */
export function rangeInEuros(min: number, max: number): Range {
  return { min: min / MICRO, max: max / MICRO };
}
