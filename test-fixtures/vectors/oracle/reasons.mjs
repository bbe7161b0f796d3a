import { ENERGY_PERIODS, POWER_PERIODS } from './applied-prices.mjs';
import { compare, subtract, toWireNumber, ZERO } from './rational.mjs';
import { AMOUNT_DECIMALS } from './rounding.mjs';

/**
 * What a ranking says of its reasons.
 *
 * @typedef {import('./rational.mjs').Rational} Rational
 * @typedef {import('./score.mjs').Cost} Cost
 * @typedef {import('./score.mjs').Scored} Scored
 * @typedef {(offer: Scored, body: any) => Cost} CostAt  The cost of an offer for another body.
 */

/** A body in which one period alone is consumed, or contracted. @type {(body: any, field: 'energia' | 'potencia', name: string) => any} */
function onlyIn(body, field, name) {
  const only = (/** @type {any} */ amounts) => ({ [name]: amounts?.[name] ?? 0 });
  const perfil = body.perfil?.map((/** @type {any} */ part) => ({ ...part, energia: only(part.energia) }));
  return { ...body, [field]: only(body[field]), ...(field === 'energia' && perfil && { perfil }) };
}

/** The cost by concept: each period as the cost of a customer who uses nothing else. @type {(offer: Scored, body: any, costAt: CostAt) => Record<string, Rational>} */
function conceptsOf(offer, { fee_energia: _energy, fee_potencia: _power, ...body }, costAt) {
  const { energia, potencia, total: _total, ...others } = costAt(offer, body);
  if (body.supply_type === 'GAS') return { energia, ...others };
  const apart = { ssaa: ZERO, ...others };
  const periods = (/** @type {'energia' | 'potencia'} */ field, /** @type {readonly string[]} */ names) =>
    names.map((name, index) => [`${field}_p${index + 1}`, costAt(offer, onlyIn(body, field, name))[field]]);
  return {
    ...Object.fromEntries(periods('energia', ENERGY_PERIODS)),
    ...Object.fromEntries(periods('potencia', POWER_PERIODS)),
    ...apart,
  };
}

/** @type {(value: Rational) => Rational} */
const size = (value) => (compare(value, ZERO) < 0 ? subtract(ZERO, value) : value);

/**
 * Why an offer costs more than another one, the largest difference first.
 *
 * @param {Scored} offer
 * @param {Scored} other
 * @param {{ body: any, costAt: CostAt }} options
 */
export function whyOf(offer, other, { body, costAt }) {
  const [own, its] = [conceptsOf(offer, body, costAt), conceptsOf(other, body, costAt)];
  const differences = Object.entries(own).map(([concepto, eur]) => ({
    concepto,
    eur: subtract(eur, its[concepto] ?? ZERO),
  }));
  return differences
    .filter(({ eur }) => toWireNumber(eur, AMOUNT_DECIMALS) !== 0)
    .sort((a, b) => compare(size(b.eur), size(a.eur)))
    .map(({ concepto, eur }) => ({ concepto, diferencia: toWireNumber(eur, AMOUNT_DECIMALS) }));
}
