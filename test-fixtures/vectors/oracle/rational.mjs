/**
 * Exact arithmetic on fractions of whole numbers: 0.1 is one tenth, not the nearest double.
 *
 * @typedef {{ readonly n: bigint, readonly d: bigint }} Rational  Lowest terms, d > 0.
 */

/** @type {(a: bigint, b: bigint) => bigint} */
function greatestCommonDivisor(a, b) {
  let [x, y] = [a < 0n ? -a : a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** @type {(n: bigint, d: bigint) => Rational} */
export function fraction(n, d) {
  if (d === 0n) throw new RangeError('division by zero');
  const sign = d < 0n ? -1n : 1n;
  const divisor = greatestCommonDivisor(n, d * sign) || 1n;
  return { n: (n * sign) / divisor, d: (d * sign) / divisor };
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * The value of a decimal literal, digit by digit. A number is taken at the text that JSON would carry for it.
 *
 * @param {number | string} literal
 * @returns {Rational}
 */
export function exact(literal) {
  const match = DECIMAL.exec(String(literal));
  if (match === null) throw new RangeError(`not a decimal literal: ${literal}`);
  const [, sign, whole, part = '', exponent = '0'] = match;
  const digits = BigInt(`${sign}${whole}${part}`);
  const shift = Number(exponent) - part.length;
  return shift >= 0 ? fraction(digits * 10n ** BigInt(shift), 1n) : fraction(digits, 10n ** BigInt(-shift));
}

export const ZERO = exact(0);
export const ONE = exact(1);

/** @type {(a: Rational, b: Rational) => Rational} */
export const add = (a, b) => fraction(a.n * b.d + b.n * a.d, a.d * b.d);

/** @type {(a: Rational, b: Rational) => Rational} */
export const subtract = (a, b) => fraction(a.n * b.d - b.n * a.d, a.d * b.d);

/** @type {(a: Rational, b: Rational) => Rational} */
export const multiply = (a, b) => fraction(a.n * b.n, a.d * b.d);

/** @type {(a: Rational, b: Rational) => Rational} */
export const divide = (a, b) => fraction(a.n * b.d, a.d * b.n);

/** Negative when a < b, positive when a > b. @type {(a: Rational, b: Rational) => number} */
export function compare(a, b) {
  const difference = a.n * b.d - b.n * a.d;
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/** @type {(a: Rational, b: Rational) => Rational} */
export const smaller = (a, b) => (compare(a, b) <= 0 ? a : b);

/** @type {(a: Rational, b: Rational) => Rational} */
export const larger = (a, b) => (compare(a, b) >= 0 ? a : b);

/** @type {(values: readonly Rational[]) => Rational} */
export const sum = (values) => values.reduce(add, ZERO);

/** @type {(a: Rational) => bigint} */
export function floor(a) {
  const quotient = a.n / a.d;
  return a.n < 0n && quotient * a.d !== a.n ? quotient - 1n : quotient;
}

/**
 * `floor(x * 10^k + 0.5) / 10^k`: a half goes up, also below zero.
 *
 * @param {Rational} a
 * @param {number} decimals
 * @returns {Rational}
 */
export function roundHalfUp(a, decimals) {
  const scale = 10n ** BigInt(decimals);
  return fraction(floor(add(multiply(a, fraction(scale, 1n)), fraction(1n, 2n))), scale);
}

/**
 * The number that an answer carries with that many decimals.
 *
 * @param {Rational} a
 * @param {number} decimals
 * @returns {number}
 */
export function toWireNumber(a, decimals) {
  const scaled = multiply(roundHalfUp(a, decimals), fraction(10n ** BigInt(decimals), 1n)).n;
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return Number(`${scaled < 0n ? '-' : ''}${whole}.${digits.slice(digits.length - decimals)}`);
}

/**
 * How far the value lies from the nearest point where rounding turns over, in units of the last decimal (0 to 0.5).
 *
 * @param {Rational} a
 * @param {number} decimals
 * @returns {number}
 */
export function distanceToHalf(a, decimals) {
  const scaled = multiply(a, fraction(10n ** BigInt(decimals), 1n));
  const offset = subtract(subtract(scaled, fraction(floor(scaled), 1n)), fraction(1n, 2n));
  return Math.abs(Number(offset.n) / Number(offset.d));
}
