import fc, { type Arbitrary } from 'fast-check';
import type { PerPeriod } from '../src/engine/periods.ts';
import { checkName, cleanName } from '../src/engine/text.ts';

/** Values that arbitraries share: mostly typical ones, sometimes extreme ones within the bounds. */

/** A value of any alternative shrinks to the least of the first one, so counterexamples look alike. */
export const SHRINKING_ACROSS = { withCrossShrink: true } as const;

/** A number from `min` to `max`, both included and both likely; `typical` is where people's values are. */
export function quantity(min: number, max: number, typical: { readonly max: number; readonly decimals: number }) {
  const scale = 10 ** typical.decimals;
  return fc
    .oneof(
      SHRINKING_ACROSS,
      { weight: 6, arbitrary: fc.integer({ min: 0, max: Math.round(typical.max * scale) }).map((n) => n / scale) },
      { weight: 1, arbitrary: fc.constantFrom(min, max, 0, 5e-324, 1e-7, 0.1 + 0.2) },
      // Adding 0 turns -0 into 0: no price is negative zero, and stores may lose its sign.
      { weight: 1, arbitrary: fc.double({ min, max, noNaN: true }).map((n) => n + 0) },
    )
    .filter((n) => n >= min && n <= max);
}

/** Up to where `defineOffer` takes a price for one in cents. */
export const ENERGY_PRICE = quantity(0, 2, { max: 0.3, decimals: 6 });
export const POWER_PRICE = quantity(0, 1, { max: 0.1, decimals: 6 });
export const MARKET_PRICE = fc.oneof(
  SHRINKING_ACROSS,
  { weight: 4, arbitrary: ENERGY_PRICE },
  { weight: 1, arbitrary: quantity(-2, 2, { max: 0.2, decimals: 5 }).map((price) => 0 - price) },
);
export const MONTHLY_EUR = quantity(0, 100_000, { max: 20, decimals: 2 });
export const COMMISSION = quantity(0, 1_000_000, { max: 200, decimals: 2 });

export function nullable<T>(values: Arbitrary<T>): Arbitrary<T | null> {
  return fc.option(values, { nil: null, freq: 5 });
}

/** Six values; prices are usually there from P1 on, and sometimes have holes. */
export function sixOf<T>(values: Arbitrary<T>): Arbitrary<PerPeriod<T>> {
  return fc.tuple(values, values, values, values, values, values);
}

const LETTERS = [...'abcdeABCDE  áÁàÉéñÑçÇßİıΣς%_\\\'"*?[](){}<>=+-@,;.·€1234567890ﬁ漢𝒳😀'];

/** A name that people will read, with letters that fold, compose and escape badly. */
export function arbitraryName(maxLength = 24): Arbitrary<string> {
  const odd = fc.array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength }).map((letters) => letters.join(''));
  const plain = fc.constantFrom('Iberdrola', 'ENERGÍA Sur', 'energía sur', 'Repsol', 'Cañón', 'Tarifa 100%', 'a_b');
  return fc
    .oneof(SHRINKING_ACROSS, plain, odd)
    .map(cleanName)
    .filter((name) => checkName('name', name).length === 0 && [...name].length <= Math.max(maxLength, 16));
}

export const TIMESTAMP = fc
  .integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) })
  .map((milliseconds) => new Date(milliseconds).toISOString());

export const URL_TEXT = fc.constantFrom('https://example.com/logo.png', 'https://cdn.example.es/a/b?c=%20&d=1#e');

/** A few whole numbers. A false law about sums of them shrinks in few steps, because no number is far from 0. */
export const FEW = fc.nat({ max: 9 });

export const ID = fc.integer({ min: 1, max: 1_000_000 });

export function stamps(id: Arbitrary<number>) {
  return fc
    .record({ id, first: TIMESTAMP, second: TIMESTAMP })
    .map(({ id, first, second }) =>
      first <= second ? { id, createdAt: first, updatedAt: second } : { id, createdAt: second, updatedAt: first },
    );
}

/**
 * Any character, as the unit of `fc.string`. The unit `binary` of fast-check is the same, but builds a map of a million
 * characters in each process.
 */
export const ANY_CHARACTER: fc.Arbitrary<string> = fc.integer({ min: 0, max: 0x10_ffff - 0x800 }).map(
  (number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800),
  (text) => {
    const code = String(text).codePointAt(0) ?? 0;
    if (String.fromCodePoint(code) !== text || (code >= 0xd800 && code < 0xe000)) throw new TypeError('one character');
    return code < 0xd800 ? code : code - 0x800;
  },
);
