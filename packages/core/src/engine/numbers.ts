/**
 * `value` rounded half up (towards plus infinity) to a number of decimals: `floor(value * 10^k + 0.5) / 10^k`.
 *
 * The rules round in twelve places only: the months derived from days, annual MWh and kW, annual kWh, total cost and
 * commission, a whole cost that is sent, the bounds of warnings, a line of a bill, figures of an invoice, what a result
 * saves or costs more, the days of an excess of power, prices of indices, and the three scores. Every implementation of
 * the ranking uses this formula at the same places, so two of them can be compared bit by bit.
 *
 * @see docs/assumptions.md, A-03
 */
export function roundHalfUp(value: number, decimals: 2 | 4 | 6 | 9): number {
  // In place of a power, which takes longer than the rounding.
  const scale = decimals === 6 ? 1e6 : decimals === 9 ? 1e9 : decimals === 4 ? 1e4 : 1e2;
  return Math.floor(value * scale + 0.5) / scale;
}

/** `false` for text, which would compare as a number but add as text. */
export function isWithin(quantity: number, max: number): boolean {
  return Number.isFinite(quantity) && quantity >= 0 && quantity <= max;
}

/** A whole number from 1. */
export function isCount(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most;
}

/** A number in units of its last decimal, exactly from its decimal digits: 1.5 with 3 decimals is 1500. */
export function decimalDigits(value: number, decimals: number): bigint {
  return BigInt(value.toFixed(decimals).replace('.', ''));
}
