import { add, compare, divide, exact, larger, multiply, ONE, roundHalfUp, smaller, subtract } from './rational.mjs';
import { roundScore, SCORE_DECIMALS } from './rounding.mjs';

/**
 * @typedef {import('./rational.mjs').Rational} Rational
 * @typedef {import('./rounding.mjs').Trace} Trace
 * @typedef {Readonly<Record<string, any>>} WireOffer
 * @typedef {Record<typeof import('./cost.mjs').COST_PARTS[number], Rational> & { ssaa?: Rational, total: Rational }} Cost
 * @typedef {{ energia: Rational, potencia: Rational, total: Rational }} Pay
 * @typedef {{ offer: WireOffer, indexada: object | null, byHours: { energia: number, excedentes: number }, rows: readonly WireOffer[], cost: Cost, later: object | null, pay: Pay }} Priced
 * @typedef {Priced & { notaPrecio: Rational, notaComision: Rational }} Scored
 */

const TEN = exact(10);

/** @type {(value: Rational, from: Rational, to: Rational) => Rational} */
const scale = (value, from, to) =>
  compare(from, to) === 0 ? TEN : divide(multiply(TEN, subtract(value, from)), subtract(to, from));

/** @type {(priced: readonly Priced[]) => { costMin: Rational, costMax: Rational, payMin: Rational, payMax: Rational }} */
export function boundsOf(priced) {
  const costs = priced.map(({ cost }) => cost.total);
  const pays = priced.map(({ pay }) => pay.total);
  return {
    costMin: costs.reduce(smaller),
    costMax: costs.reduce(larger),
    payMin: pays.reduce(smaller),
    payMax: pays.reduce(larger),
  };
}

/** @type {(priced: readonly Priced[], trace: Trace) => Scored[]} */
export function scored(priced, trace) {
  if (priced.length === 0) return [];
  const { costMin, costMax, payMin, payMax } = boundsOf(priced);
  return priced.map((entry) => ({
    ...entry,
    notaPrecio: roundScore(trace, scale(entry.cost.total, costMax, costMin), `nota_precio of offer ${entry.offer.id}`),
    notaComision: roundScore(trace, scale(entry.pay.total, payMin, payMax), `nota_comision of offer ${entry.offer.id}`),
  }));
}

/** @type {(entry: Scored, w: Rational) => Rational} */
export const notaAt = (entry, w) =>
  roundHalfUp(add(multiply(w, entry.notaPrecio), multiply(subtract(ONE, w), entry.notaComision)), SCORE_DECIMALS);

/** Order at a weight. Who may not see commissions has w = 1 and no tie broken by them. @type {(w: Rational, seesPay: boolean) => (a: Scored, b: Scored) => number} */
export const orderAt = (w, seesPay) => (a, b) =>
  compare(notaAt(b, w), notaAt(a, w)) ||
  compare(a.cost.total, b.cost.total) ||
  (seesPay ? compare(b.pay.total, a.pay.total) : 0) ||
  a.offer.id - b.offer.id;

/** @type {(entry: Scored, all: readonly Scored[]) => boolean} */
export function isOnFrontier(entry, all) {
  return !all.some((other) => {
    const cheaper = compare(other.cost.total, entry.cost.total);
    const better = compare(other.pay.total, entry.pay.total);
    return cheaper <= 0 && better >= 0 && (cheaper < 0 || better > 0);
  });
}
