import { compare, exact, multiply, ONE, subtract, ZERO } from './rational.mjs';

/**
 * @typedef {import('./rational.mjs').Rational} Rational
 * @typedef {Readonly<Record<string, any>>} WireOffer
 * @typedef {Readonly<Record<string, any>>} WireTier
 * @typedef {{ value: Rational, type: string | null, tier: WireTier | null }} Commission
 */

/**
 * The tier that a quantity falls in, or `null`. Both bounds are included, a shared one belongs to the lower tier,
 * and a gap of at most one unit belongs to the tier above it.
 *
 * @param {readonly WireTier[]} tiers
 * @param {'consumption' | 'power'} kind
 * @param {Rational} quantity
 * @returns {WireTier | null}
 */
function tierFor(tiers, kind, quantity) {
  const bounded = tiers
    .map((tier) => {
      const to = tier[`${kind}_to`];
      return { tier, from: exact(tier[`${kind}_from`]), to: to === null || to === undefined ? null : exact(to) };
    })
    .sort((a, b) => compare(a.from, b.from));
  for (const [index, { tier, from, to }] of bounded.entries()) {
    const previousTo = bounded[index - 1]?.to ?? null;
    const closesGap = previousTo !== null && compare(subtract(from, previousTo), ONE) <= 0;
    const startsBelow = compare(quantity, from) >= 0 || (closesGap && compare(quantity, previousTo) > 0);
    if (startsBelow && (to === null || compare(quantity, to) <= 0)) return tier;
  }
  return null;
}

/** @type {(rate: number, type: string, quantity: Rational) => Rational} */
const amountOf = (rate, type, quantity) => (type === 'fixed' ? exact(rate) : multiply(exact(rate), quantity));

/**
 * Commission on consumption, per contract-year: the matched tier, else what the offer itself says.
 *
 * @param {WireOffer} offer
 * @param {Rational} annualMwh
 * @returns {Commission}
 */
export function consumptionCommission(offer, annualMwh) {
  const tier = tierFor(offer.commission_tiers ?? [], 'consumption', annualMwh);
  const rate = tier?.commission ?? offer.commission ?? 0;
  const type = tier?.commission_type ?? offer.commission_type ?? 'fixed';
  return { value: amountOf(rate, type, annualMwh), type, tier };
}

/**
 * Commission on power: the matched tier or nothing. `null` power means that nothing is contracted, which matches no tier.
 *
 * @param {WireOffer} offer
 * @param {Rational | null} powerKw
 * @returns {Commission}
 */
export function powerCommission(offer, powerKw) {
  const tier = powerKw === null ? null : tierFor(offer.commission_power_tiers ?? [], 'power', powerKw);
  if (powerKw === null || tier === null) return { value: ZERO, type: null, tier: null };
  return { value: amountOf(tier.commission, tier.commission_type, powerKw), type: tier.commission_type, tier };
}
