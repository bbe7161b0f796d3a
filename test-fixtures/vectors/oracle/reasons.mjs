import { ENERGY_PERIODS, POWER_PERIODS } from './applied-prices.mjs';
import { add, compare, divide, exact, larger, multiply, ONE, subtract, sum, toWireNumber, ZERO } from './rational.mjs';
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

const LEAST = divide(ONE, exact(4));
const MOST = exact(4);

/**
 * The cheapest offer by factor of the energy: every place where two costs cross, and the lowest between two of them.
 *
 * @param {readonly Scored[]} all
 * @returns {{ factor_desde: number, factor_hasta: number, offer_id: number }[]}
 */
export function thresholdsOf(all) {
  const lines = all.map(({ offer, cost }) => {
    const slope = sum([cost.energia, cost.excedentes, cost.ssaa ?? ZERO]);
    return { id: offer.id, slope, base: sum([cost.potencia, cost.fijo, cost.servicios]) };
  });
  if (lines.length === 0) return [];
  const crossings = lines.flatMap((a) =>
    lines.flatMap((b) =>
      compare(a.slope, b.slope) > 0 ? [divide(subtract(b.base, a.base), subtract(a.slope, b.slope))] : [],
    ),
  );
  const bounds = [LEAST, MOST, ...crossings.filter((k) => compare(k, LEAST) > 0 && compare(k, MOST) < 0)].sort(compare);
  /** @type {{ from: Rational, to: Rational, id: number }[]} */
  const segments = [];
  for (const [index, to] of bounds.entries()) {
    const from = bounds[index - 1];
    if (from === undefined || compare(from, to) === 0) continue;
    const at = divide(add(from, to), exact(2));
    const costAt = (/** @type {(typeof lines)[number]} */ line) => add(line.base, multiply(at, line.slope));
    const [best] = [...lines].sort((a, b) => compare(costAt(a), costAt(b)) || a.id - b.id);
    const last = segments.at(-1);
    if (last && last.id === best?.id) last.to = to;
    else segments.push({ from, to, id: best?.id ?? 0 });
  }
  return segments.map(({ from, to, id }) => ({
    factor_desde: toWireNumber(from, 9),
    factor_hasta: toWireNumber(to, 9),
    offer_id: id,
  }));
}

/** Every 12 rows of consecutive months. @type {(rows: readonly any[]) => readonly any[][]} */
export function windowsOf(rows) {
  const number = (/** @type {any} */ row) =>
    Number(row.reference_month.slice(0, 4)) * 12 + Number(row.reference_month.slice(5, 7));
  const ordered = [...rows].sort((a, b) => number(a) - number(b));
  return ordered
    .map((row) => ordered.filter((other) => number(other) >= number(row) && number(other) < number(row) + 12))
    .filter((window) => window.length === 12);
}

/** @type {(costs: readonly Rational[], fixed: Rational | null) => object} */
export function retrospectiveOf(costs, fixed) {
  const none = { minimo: null, mediana: null, maximo: null, ultimo: null };
  const nothing = { veces_mas_barata: null, arrepentimiento_max: null, ventaja_max: null };
  const ordered = [...costs].sort(compare);
  const [first, last, latest] = [ordered[0], ordered.at(-1), costs.at(-1)];
  if (first === undefined || last === undefined || latest === undefined) return { ventanas: 0, ...none, ...nothing };
  const middle = ordered.slice(Math.ceil(ordered.length / 2) - 1, Math.floor(ordered.length / 2) + 1);
  const toWire = (/** @type {Rational} */ eur) => toWireNumber(eur, AMOUNT_DECIMALS);
  return {
    ventanas: costs.length,
    minimo: toWire(first),
    mediana: toWire(divide(sum(middle), exact(middle.length))),
    maximo: toWire(last),
    ultimo: toWire(latest),
    ...(fixed === null
      ? nothing
      : {
          veces_mas_barata: costs.filter((eur) => compare(eur, fixed) < 0).length,
          arrepentimiento_max: toWire(larger(ZERO, subtract(last, fixed))),
          ventaja_max: toWire(larger(ZERO, subtract(fixed, first))),
        }),
  };
}

const HALVINGS = 45;

/**
 * The highest price at which the first offer is the first, found by halving; `null`: it is at any price.
 *
 * @param {Rational} price
 * @param {(price: Rational) => boolean} isFirstAt
 */
export function risesTo(price, isFirstAt) {
  let [low, high] = [price, add(price, exact(1_000_000))];
  if (isFirstAt(high)) return null;
  for (let step = 0; step < HALVINGS; step++) {
    const middle = divide(add(low, high), exact(2));
    if (isFirstAt(middle)) low = middle;
    else high = middle;
  }
  return toWireNumber(low, AMOUNT_DECIMALS);
}
