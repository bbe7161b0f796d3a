import { appliedPrices } from './applied-prices.mjs';
import { costOf } from './cost.mjs';
import { customerOf, priceAll, wholeOf } from './ranking.mjs';
import { add, compare, divide, exact, multiply, ONE, subtract, sum, toWireNumber, ZERO } from './rational.mjs';
import { AMOUNT_DECIMALS } from './rounding.mjs';
import { boundsOf } from './score.mjs';

/**
 * What an offer has to come down to be the first for customers.
 *
 * @typedef {import('./rational.mjs').Rational} Rational
 * @typedef {import('./rounding.mjs').Trace} Trace
 * @typedef {import('./score.mjs').Priced} Priced
 * @typedef {{ readonly ref: string, readonly universe: readonly Readonly<Record<string, any>>[], readonly body: any }} Negotiated  A customer with the offers that pass the filter.
 */

/** A fall that no price reaches, EUR/MWh, and how often it is halved: to less than a millionth. */
const MOST_FALL = exact(100_000);
const HALVINGS = 40;

/** Whether no other offer has a better score, or the same one and a lower cost, without any rounding. @type {(own: Priced, others: readonly Priced[], w: Rational) => boolean} */
function isFirst(own, others, w) {
  const { costMin, costMax, payMin, payMax } = boundsOf([own, ...others]);
  const share = (/** @type {Rational} */ part, /** @type {Rational} */ whole) =>
    whole.n === 0n ? ONE : divide(part, whole);
  const score = (/** @type {Priced} */ { cost, pay }) =>
    add(
      multiply(w, share(subtract(costMax, cost.total), subtract(costMax, costMin))),
      multiply(subtract(ONE, w), share(subtract(pay.total, payMin), subtract(payMax, payMin))),
    );
  return others.every((other) => {
    const lead = compare(score(own), score(other));
    return lead > 0 || (lead === 0 && compare(own.cost.total, other.cost.total) <= 0);
  });
}

/** The gap of an offer for one customer, EUR/MWh, and the customer's MWh a year. @type {(offerId: number, customer: Negotiated, trace: Trace) => { gap: Rational | null, mwh: Rational }} */
function gapOf(offerId, { universe, body }, trace) {
  const customer = customerOf(wholeOf(body), trace);
  const mwh = customer.annualMwh;
  const { priced } = priceAll(universe, customer, trace);
  const own = priced.find(({ offer }) => offer.id === offerId);
  const applied = own && appliedPrices(own.offer, body.mes);
  if (own === undefined || applied === undefined || 'codigo' in applied) return { gap: null, mwh };
  const others = priced.filter((other) => other !== own);
  const w = exact(body.w ?? 1);
  // Rounded, a fall of less than a millionth would do.
  const isFirstAfter = (/** @type {Rational} */ fall) => {
    const { total: _rounded, ...parts } = costOf(
      own.offer,
      applied,
      customer,
      { risks: [] },
      divide(fall, exact(1000)),
    );
    return isFirst({ ...own, cost: { ...parts, total: sum(Object.values(parts)) } }, others, w);
  };
  if (isFirstAfter(ZERO)) return { gap: ZERO, mwh };
  if (!isFirstAfter(MOST_FALL)) return { gap: null, mwh };
  let [low, high] = [ZERO, MOST_FALL];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = divide(add(low, high), exact(2));
    if (isFirstAfter(middle)) high = middle;
    else low = middle;
  }
  return { gap: high, mwh };
}

/**
 * @param {number} offerId
 * @param {readonly Negotiated[]} customers
 * @param {{ trace: Trace, refused: readonly object[] }} options
 */
export function negotiatedAnswer(offerId, customers, { trace, refused }) {
  const gaps = customers.map((customer) => {
    const { gap, mwh } = gapOf(offerId, customer, trace);
    const hueco_eur_mwh = gap === null ? null : toWireNumber(gap, AMOUNT_DECIMALS);
    return { mwh, result: { ref: customer.ref, mwh_anuales: toWireNumber(mwh, AMOUNT_DECIMALS), hueco_eur_mwh } };
  });
  const size = (/** @type {(typeof gaps)[number]} */ { result }) => result.hueco_eur_mwh ?? Number.POSITIVE_INFINITY;
  const sorted = [...gaps].sort((a, b) => (size(a) === size(b) ? 0 : size(a) - size(b)));
  const falls = [...new Set(sorted.map(size))].filter(Number.isFinite);
  return {
    offer_id: offerId,
    total: customers.length + refused.length,
    tramos: falls.map((baja_eur_mwh) => {
      const won = sorted.filter((one) => size(one) <= baja_eur_mwh);
      const mwh = toWireNumber(sum(won.map((one) => one.mwh)), AMOUNT_DECIMALS);
      return { baja_eur_mwh, clientes: won.length, mwh };
    }),
    results: [...sorted.map(({ result }) => result), ...refused],
  };
}
