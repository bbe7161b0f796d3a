import { pricesInMonth, sumProduct } from './applied-prices.mjs';
import { surplusPriceOf, withHours } from './hours.mjs';
import { add, divide, exact, larger, multiply, ONE, smaller, subtract, sum, ZERO } from './rational.mjs';
import { roundAmount } from './rounding.mjs';

/**
 * The cost of an offer.
 *
 * @typedef {import('./rational.mjs').Rational} Rational
 * @typedef {import('./rounding.mjs').Trace} Trace
 * @typedef {import('./score.mjs').Cost} Cost
 * @typedef {Readonly<Record<string, any>>} WireOffer
 * @typedef {{ days: number, months: Rational, periodMwh: Rational, body: any }} Customer
 */

/** The parts of a cost, in the order of answers. */
export const COST_PARTS = /** @type {const} */ (['energia', 'potencia', 'fijo', 'excedentes', 'servicios']);

/** The parts of the period: those of the profile, or the whole. @type {(body: any) => readonly any[]} */
export const partsOf = (body) => body.perfil ?? [body];

/** @type {(body: any, part: any) => Rational} */
export const kwhOf = (body, part) =>
  body.supply_type === 'GAS' ? exact(part.consumo_gas) : sum(Object.values(part.energia ?? {}).map(exact));

/** One less a percentage of a share. @type {(percent: number | null | undefined, share: Rational) => Rational} */
const lessPercent = (percent, share) => subtract(ONE, divide(multiply(exact(percent ?? 0), share), exact(100)));

/** How much of the days from one to another lies before a discount ends. @type {(from: number, to: number, end: Rational) => Rational} */
const shareBefore = (from, to, end) =>
  divide(larger(ZERO, subtract(smaller(end, exact(to)), exact(from))), exact(to - from));

/** The day of the period on which the discount of an offer ends. @type {(offer: WireOffer, customer: Customer) => Rational} */
function endOfDiscount({ descuento_meses }, { days, months }) {
  return smaller(exact(days), divide(multiply(exact(descuento_meses ?? 0), exact(days)), months));
}

/** `fall`: EUR/kWh by which every price of energy is lower. @type {(offer: WireOffer, applied: { prices: any, rows: readonly WireOffer[] }, customer: Customer, trace: Trace, fall?: Rational) => Cost} */
export function costOf(offer, { prices, rows }, customer, trace, fall = ZERO) {
  const { body, days, months, periodMwh } = customer;
  const isGas = body.supply_type === 'GAS';
  const earns =
    offer.placas_solares === true && offer.precio_excedentes !== null && offer.precio_excedentes !== undefined;
  const end = endOfDiscount(offer, customer);
  let day = 0;
  const parts = partsOf(body).map((part) => {
    /** @type {any} */
    const own = withHours(pricesInMonth(prices, rows, body.perfil && part.mes), offer, part);
    const full = isGas ? multiply(exact(part.consumo_gas), own.gas_energy) : sumProduct(part.energia, own);
    const nextDay = day + (body.perfil ? part.dias : days);
    const bare = multiply(
      subtract(full, multiply(fall, kwhOf(body, part))),
      lessPercent(offer.descuento_energia_pct, shareBefore(day, nextDay, end)),
    );
    day = nextDay;
    const price = surplusPriceOf(offer, part) ?? (earns ? exact(offer.precio_excedentes) : ZERO);
    const surplus = multiply(exact(part.excedentes ?? 0), price);
    return { bare, credit: larger(ZERO, smaller(surplus, bare)) };
  });
  const bareEnergy = sum(parts.map(({ bare }) => bare));
  const energia = add(bareEnergy, multiply(exact(body.fee_energia ?? 0), periodMwh));
  const potencia = isGas
    ? ZERO
    : add(
        multiply(
          multiply(sumProduct(body.potencia, prices), exact(days)),
          lessPercent(offer.descuento_potencia_pct, shareBefore(0, days, end)),
        ),
        multiply(exact(body.fee_potencia ?? 0), periodMwh),
      );
  const fijo = isGas ? multiply(prices.gas_fixed, months) : ZERO;
  const servicios = multiply(prices.services ?? exact(offer.services_cost ?? 0), months);
  const excedentes = subtract(ZERO, sum(parts.map(({ credit }) => credit)));
  const amounts = { energia, potencia, fijo, excedentes, servicios };
  const apart = offer.ssaa_included === false ? multiply(exact(body.ssaa_eur_mwh ?? 0), periodMwh) : ZERO;
  const ssaa = apart.n === 0n ? {} : { ssaa: apart };
  const total = roundAmount(trace, sum([...Object.values(amounts), apart]), `cost of offer ${offer.id}`);
  return { ...amounts, ...ssaa, total };
}
