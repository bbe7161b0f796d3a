import { compare, exact, multiply } from './rational.mjs';

/**
 * Why an offer is not for a customer: its days first, then each limit in the order of the fields. A bound is within.
 *
 * @param {Readonly<Record<string, any>>} offer
 * @param {{ annualMwh: import('./rational.mjs').Rational, powerKw: import('./rational.mjs').Rational | null, day?: string | undefined }} customer
 * @returns {{ codigo: string, limite?: { campo: string, valor: number } } | null}
 */
export function outsideOf(offer, { annualMwh, powerKw, day }) {
  const { vigente_desde: from, vigente_hasta: to } = offer;
  // As text, days are in the order of the calendar.
  if (day !== undefined && ((from && day < from) || (to && day > to))) return { codigo: 'fuera_de_vigencia' };
  const kw = offer.supply_type === 'LUZ' ? powerKw : null;
  const kwh = multiply(annualMwh, exact(1000));
  for (const [campo, quantity, side] of /** @type {const} */ ([
    ['potencia_min_kw', kw, -1],
    ['potencia_max_kw', kw, 1],
    ['consumo_min_kwh', kwh, -1],
    ['consumo_max_kwh', kwh, 1],
  ])) {
    const valor = offer[campo] ?? null;
    if (quantity === null || valor === null || Math.sign(compare(quantity, exact(valor))) !== side) continue;
    return { codigo: 'fuera_de_limites', limite: { campo, valor } };
  }
  return null;
}
