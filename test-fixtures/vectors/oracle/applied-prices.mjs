import { add, divide, exact, multiply, sum, ZERO } from './rational.mjs';

/**
 * @typedef {import('./rational.mjs').Rational} Rational
 * @typedef {Readonly<Record<string, any>>} WireOffer
 * @typedef {Readonly<Record<string, Rational | null>>} Prices
 * @typedef {{ modo: 'media', meses_historico: number, desde: string, hasta: string } | { modo: 'mes', mes: string }} Origin
 */

export const ENERGY_PERIODS = ['e1', 'e2', 'e3', 'e4', 'e5', 'e6'];
export const POWER_PERIODS = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'];

/** Fields that a monthly row may leave to the offer itself; energy never. */
const FALLING_BACK = [...POWER_PERIODS, 'gas_fixed'];

/** @type {(value: number | null | undefined) => Rational | null} */
const priceOf = (value) => (value === null || value === undefined ? null : exact(value));

/** Months since year 0, so that a window of 12 is a subtraction. @type {(month: string) => number} */
const monthNumber = (month) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7));

/** @type {(month: string) => string} */
const firstDay = (month) => `${month.slice(0, 7)}-01`;

/** @type {(values: readonly (Rational | null)[]) => Rational | null} */
function meanOfKnown(values) {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : divide(sum(known), exact(known.length));
}

/**
 * The rows that decide: the requested month, or the twelve calendar months that end at the latest row.
 *
 * @param {readonly WireOffer[]} rows
 * @param {string | undefined} mes
 */
function decidingRows(rows, mes) {
  const ordered = [...rows].sort((a, b) => monthNumber(a.reference_month) - monthNumber(b.reference_month));
  if (mes !== undefined) return ordered.filter((row) => monthNumber(row.reference_month) === monthNumber(mes));
  const latest = Math.max(...ordered.map((row) => monthNumber(row.reference_month)));
  return ordered.filter((row) => monthNumber(row.reference_month) > latest - 12);
}

/**
 * The prices that an offer is computed with and where they come from, or the code for having none; of a mean with the
 * rows it is made of.
 *
 * @param {WireOffer} offer
 * @param {string | undefined} mes
 * @returns {{ prices: Prices, origin: Origin | null, rows: readonly WireOffer[] } | { codigo: string }}
 */
export function appliedPrices(offer, mes) {
  const fields = offer.supply_type === 'GAS' ? ['gas_energy', 'gas_fixed'] : [...ENERGY_PERIODS, ...POWER_PERIODS];
  if (offer.is_indexed !== true) {
    return {
      prices: Object.fromEntries(fields.map((field) => [field, priceOf(offer[field])])),
      origin: null,
      rows: [],
    };
  }
  /** @type {readonly WireOffer[]} */
  const rows = offer.indexed_prices ?? [];
  if (rows.length === 0) return { codigo: 'sin_historico' };
  const deciding = decidingRows(rows, mes);
  const [first, last] = [deciding[0], deciding.at(-1)];
  if (first === undefined || last === undefined) return { codigo: 'sin_mes' };
  const prices = fields.map((field) => {
    const mean = meanOfKnown(deciding.map((row) => priceOf(row[field])));
    return [field, mean ?? (FALLING_BACK.includes(field) ? priceOf(offer[field]) : null)];
  });
  /** @type {Origin} */
  const origin =
    mes === undefined
      ? {
          modo: 'media',
          meses_historico: deciding.length,
          desde: firstDay(first.reference_month),
          hasta: firstDay(last.reference_month),
        }
      : { modo: 'mes', mes: firstDay(mes) };
  return { prices: Object.fromEntries(prices), origin, rows: mes === undefined ? deciding : [] };
}

/**
 * The prices in a part of the period: those of the last of some rows of its calendar month, where they have one.
 *
 * @param {Prices} prices
 * @param {readonly WireOffer[]} rows
 * @param {number | undefined} mes
 * @returns {Prices}
 */
export function pricesInMonth(prices, rows, mes) {
  const row = rows.filter((each) => Number(each.reference_month.slice(5, 7)) === mes).at(-1);
  const energy = [...ENERGY_PERIODS, 'gas_energy'].filter((field) => field in prices);
  const own = energy.map((field) => [field, priceOf(row?.[field]) ?? prices[field] ?? null]);
  return { ...prices, ...Object.fromEntries(own) };
}

/**
 * The first reason why these prices cannot serve this customer, or `null`.
 *
 * @param {Prices} prices
 * @param {{ supply_type: string, energia?: Record<string, number>, potencia?: Record<string, number> }} customer
 * @returns {string | null}
 */
export function missingPriceFor(prices, customer) {
  if (customer.supply_type === 'GAS') {
    return prices.gas_energy === null || prices.gas_fixed === null ? 'sin_precio_gas' : null;
  }
  const lacks = (/** @type {Record<string, number>} */ amounts, /** @type {string} */ period) =>
    (amounts[period] ?? 0) > 0 && prices[period] === null;
  if (ENERGY_PERIODS.some((period) => lacks(customer.energia ?? {}, period))) return 'sin_precio_energia';
  return POWER_PERIODS.some((period) => lacks(customer.potencia ?? {}, period)) ? 'sin_precio_potencia' : null;
}

/** Sum of amount times price over the periods used. @type {(amounts: Record<string, number> | undefined, prices: Prices) => Rational} */
export function sumProduct(amounts, prices) {
  return Object.entries(amounts ?? {}).reduce((total, [period, amount]) => {
    const price = prices[period];
    if (amount === 0 || price === null || price === undefined) return total;
    return add(total, multiply(exact(amount), price));
  }, ZERO);
}
