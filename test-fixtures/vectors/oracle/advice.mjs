import { partsOf } from './cost.mjs';
import { isOfOtherYear, lacksHours } from './hours.mjs';
import { isBelowTolls } from './power.mjs';
import { compare, distanceToHalf, divide, exact, multiply, ONE, subtract, toWireNumber, ZERO } from './rational.mjs';
import { AMOUNT_DECIMALS } from './rounding.mjs';
import { boundsOf } from './score.mjs';

/**
 * What a ranking says besides the order.
 *
 * @typedef {import('./rational.mjs').Rational} Rational
 * @typedef {import('./rounding.mjs').Trace} Trace
 * @typedef {import('./score.mjs').Priced} Priced
 * @typedef {Readonly<Record<string, any>>} WireOffer
 * @typedef {{ codigo: string, total: number, offer_ids: number[] }} Warning
 */

const MOST_NAMED = 50;
const TERRITORIES = ['territory_peninsula', 'territory_canarias', 'territory_baleares', 'territory_ceuta_melilla'];
const CUSTOMERS = ['acepta_dni', 'acepta_cif', 'acepta_cdad_propietarios'];

/** @type {(codigo: string, offers: readonly WireOffer[]) => Warning[]} */
export function about(codigo, offers) {
  const ids = offers.map(({ id }) => id).sort((a, b) => a - b);
  return ids.length === 0 ? [] : [{ codigo, total: ids.length, offer_ids: ids.slice(0, MOST_NAMED) }];
}

/** @type {(codigo: string, holds: boolean) => Warning[]} */
const ofRequest = (codigo, holds) => (holds ? [{ codigo, total: 0, offer_ids: [] }] : []);

/** The name that comes most often; of equal ones the first in an order. @type {(names: readonly string[], order: (a: string, b: string) => number) => string | undefined} */
function commonest(names, order) {
  const times = (/** @type {string} */ name) => names.filter((other) => other === name).length;
  return [...new Set(names)].sort((a, b) => times(b) - times(a) || order(a, b))[0];
}

/** @type {(a: string, b: string) => number} */
const byText = (a, b) => (a === b ? 0 : a < b ? -1 : 1);

const BANDS_MWH = [5, 15, 50, 300, 1500, 5000, 15_000, 50_000, 150_000, 500_000].map(exact);
const FIFTEEN = exact(15);

const isBand = (/** @type {string} */ tariff) => /^RL\.\d+$/.test(tariff) && Number(tariff.slice(3)) <= 11;
const isThree = (/** @type {string} */ tariff) => tariff === '3.0TD' || tariff === '3.0TDVE';
const isSix = (/** @type {string} */ tariff) => isThree(tariff) || tariff.startsWith('6.');

/**
 * The warnings about access tariffs.
 *
 * @param {readonly WireOffer[]} offers
 * @param {{ annualMwh: Rational, powerKw: Rational | null, usesThree: boolean, days: number, supply_type: string }} customer
 * @returns {Warning[]}
 */
export function tariffWarnings(offers, { annualMwh, powerKw, usesThree, days, supply_type }) {
  const most = commonest(
    offers.map((offer) => offer.tariff_type),
    byText,
  );
  const bands = BANDS_MWH.filter((bound) => compare(annualMwh, bound) > 0).length + 1;
  const bound = BANDS_MWH.findIndex(
    (most) =>
      compare(annualMwh, multiply(most, exact(0.95))) >= 0 && compare(annualMwh, multiply(most, exact(1.05))) <= 0,
  );
  const possible = bound < 0 ? [`RL.${bands}`] : [`RL.${bound + 1}`, `RL.${bound + 2}`];
  const isGas = supply_type === 'GAS';
  const isImpossible = (/** @type {WireOffer} */ { tariff_type }) => {
    if (isBand(tariff_type)) return days >= 350 && !possible.includes(tariff_type);
    if (isSix(tariff_type) && usesThree) return true;
    if (powerKw === null || powerKw.n === 0n) return false;
    const isLarge = compare(powerKw, FIFTEEN) > 0;
    return tariff_type === '2.0TD' ? isLarge : isThree(tariff_type) && !isLarge;
  };
  return [
    ...about('peaje_imposible', offers.filter(isImpossible)),
    ...about(
      'peajes_mezclados',
      offers.filter((offer) => offer.tariff_type !== most),
    ),
    ...ofRequest('peaje_en_el_limite', isGas && days >= 350 && bound >= 0),
  ];
}

/**
 * Of a consumption that the power could not take in a year, or takes in less than 20 hours; and of a year at 2.0TD with 3 kW or
 * more whose kWh are those of a month: below 400; and of none beside a surplus.
 *
 * @type {(offers: readonly WireOffer[], use: { annualMwh: Rational, powerKw: Rational | null, days: number, exports?: boolean }) => Warning[]}
 */
export function useWarnings(offers, { annualMwh, powerKw, days, exports = false }) {
  const hours = (/** @type {number} */ count) => multiply(powerKw ?? ZERO, divide(exact(count), exact(1000)));
  const isImprobable =
    powerKw !== null &&
    powerKw.n > 0n &&
    annualMwh.n > 0n &&
    (compare(annualMwh, hours(20)) < 0 ||
      compare(annualMwh, hours(8760)) > 0 ||
      (days >= 350 &&
        offers.some(({ tariff_type }) => tariff_type === '2.0TD') &&
        compare(powerKw, exact(3)) >= 0 &&
        compare(annualMwh, exact(0.4)) < 0));
  return ofRequest('consumo_improbable', isImprobable || (exports && annualMwh.n === 0n));
}

/** @type {(month: string) => number} */
const ordinal = (month) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7));

/** @type {(priced: readonly Priced[]) => Warning[][]} */
function historyWarnings(priced) {
  const means = priced.flatMap(({ offer, indexada }) => {
    const { modo, desde, hasta, meses_historico } = /** @type {any} */ (indexada ?? {});
    return modo === 'media' ? [{ offer, desde, hasta, count: meses_historico, ends: `${hasta} ${desde}` }] : [];
  });
  const newest = Math.max(...means.map(({ hasta }) => ordinal(hasta)));
  const latestFirst = (/** @type {string} */ a, /** @type {string} */ b) =>
    byText(b.slice(0, 10), a.slice(0, 10)) || byText(a, b);
  const most = commonest(
    means.map(({ ends }) => ends),
    latestFirst,
  );
  const those = (/** @type {string} */ codigo, /** @type {(mean: typeof means[number]) => boolean} */ holds) =>
    about(
      codigo,
      means.filter(holds).map(({ offer }) => offer),
    );
  return [
    those('historico_corto', ({ count }) => count < 12),
    those('historico_antiguo', ({ hasta }) => newest - ordinal(hasta) > 3),
    those('ventanas_distintas', ({ ends }) => ends !== most),
  ];
}

/** EUR/MWh of balancing services from which on no offer that bills them apart is the cheapest. @type {(priced: readonly Priced[], customer: { periodMwh: Rational, body: any }) => number | null} */
function thresholdOf(priced, { periodMwh, body }) {
  if (periodMwh.n === 0n) return null;
  const added = multiply(exact(body.ssaa_eur_mwh ?? 0), periodMwh);
  const costs = priced.map(({ offer, cost }) => {
    const isApart = offer.ssaa_included === false;
    return { isApart, total: isApart ? subtract(cost.total, added) : cost.total };
  });
  const lowest = (/** @type {boolean} */ isApart) =>
    costs
      .filter((one) => one.isApart === isApart)
      .map(({ total }) => total)
      .sort(compare)[0];
  const [own, other] = [lowest(true), lowest(false)];
  if (own === undefined || other === undefined) return null;
  const least = divide(subtract(other, own), periodMwh);
  return compare(least, exact(body.ssaa_eur_mwh ?? 0)) < 0 ? null : toEur(least);
}

/** @type {(priced: readonly Priced[], customer: { periodMwh: Rational, body: any }) => Warning[]} */
function priceWarnings(priced, customer) {
  const { body } = customer;
  const offers = priced.map(({ offer }) => offer);
  const includes = offers.some((offer) => offer.ssaa_included === true);
  return [
    ...about(
      'potencia_bajo_regulado',
      offers.filter((offer) => body.impuestos !== undefined && isBelowTolls(offer, body.impuestos.fecha)),
    ),
    ...about(
      'penalizacion_sobre_el_limite',
      offers.filter((offer) => offer.tariff_type === '2.0TD' && offer.acepta_dni && (offer.penalizacion_pct ?? 0) > 5),
    ),
    ...about(
      'descuento_temporal',
      offers.filter(({ descuento_meses }) => (descuento_meses ?? null) !== null),
    ),
    ...about(
      'ssaa_mezclados',
      offers.filter((offer) => includes && offer.ssaa_included !== true),
    ).map((warning) => ({ ...warning, umbral_eur_mwh: thresholdOf(priced, customer) })),
  ];
}

/**
 * Why ranked offers may not be comparable.
 *
 * @param {readonly Priced[]} priced
 * @param {{ days: number, months: Rational, annualMwh: Rational, periodMwh: Rational, powerKw: Rational | null, body: any, paid: Rational | null, unknown: readonly WireOffer[] }} customer
 * @returns {Warning[]}
 */
export function warningsOf(priced, { days, months, annualMwh, periodMwh, powerKw, body, paid, unknown }) {
  const offers = priced.map(({ offer }) => offer);
  const used = (/** @type {Record<string, number> | undefined} */ amounts) =>
    Object.entries(amounts ?? {})
      .filter(([, amount]) => amount > 0)
      .sort(([a], [b]) => byText(a, b));
  const [energy, power] = [used(body.energia), used(body.potencia)];
  const usesMore = [...energy, ...power].some(([period]) => !['e1', 'e2', 'e3', 'p1', 'p2'].includes(period));
  const decreases = power.some(([, kw], index) => kw < (power[index - 1]?.[1] ?? 0));
  const someSix = isSix(body.tariff_type ?? '') || (usesMore && offers.some((offer) => isSix(offer.tariff_type)));
  const apart = subtract(months, divide(multiply(exact(days), exact(12)), exact(365)));
  const isCappedLate = (body.perfil ?? [{ ...body, dias: days }]).some(
    (/** @type {any} */ part) => part.dias > 31 && (part.excedentes ?? 0) > 0 && used(part.energia).length > 0,
  );
  const hasPeriods = offers.some(({ tariff_type }) => tariff_type === '2.0TD' || isSix(tariff_type));
  const [cheapest] = priced.map(({ cost }) => cost.total).sort(compare);
  const isElectric = body.supply_type === 'LUZ';
  const exports = (body.perfil ?? [body]).some((/** @type {any} */ part) => (part.excedentes ?? 0) > 0);
  const isComparable = paid !== null && cheapest !== undefined;
  const isFar =
    isComparable &&
    cheapest.n > 0n &&
    (compare(paid, multiply(cheapest, exact(0.6))) < 0 || compare(paid, multiply(cheapest, exact(2.5))) > 0);
  const differ = (/** @type {readonly string[]} */ flags) =>
    new Set(offers.map((offer) => flags.map((flag) => offer[flag] === true).join())).size > 1;
  return [
    ...ofRequest('sin_potencia', isElectric && offers.length > 0 && power.length === 0),
    ...tariffWarnings(offers, {
      ...{ annualMwh, powerKw, usesThree: energy.length > 0 && !usesMore },
      ...{ days, supply_type: body.supply_type },
    }),
    ...about(
      'gas_capacidad',
      offers.filter(({ tariff_type }) => isBand(tariff_type) && Number(tariff_type.slice(3)) >= 5),
    ),
    ...ofRequest('consumo_en_un_periodo', hasPeriods && energy.length === 1),
    ...ofRequest('potencia_en_un_periodo', hasPeriods && power.length === 1),
    ...useWarnings(offers, { annualMwh, powerKw, days, exports }),
    ...ofRequest('potencia_decreciente', decreases && someSix),
    ...priceWarnings(priced, { periodMwh, body }),
    ...historyWarnings(priced).flat(),
    ...ofRequest('periodo_incoherente', compare(multiply(apart, apart), exact(0.25)) > 0),
    ...ofRequest('excedentes_tope_anual', isCappedLate && priced.some(({ cost }) => cost.excedentes.n < 0n)),
    ...ofRequest('bono_social', body.contrato_actual?.bono_social === true),
    ...about(
      'indexada_sin_curva',
      offers.filter((offer) => lacksHours(offer, partsOf(body))),
    ),
    ...about(
      'forma_de_otro_ano',
      priced.filter(({ offer, rows }) => isOfOtherYear(offer, rows ?? [], partsOf(body))).map(({ offer }) => offer),
    ),
    ...about(
      'solo_con_placas',
      offers.filter((offer) => isElectric && !exports && body.placas_solares !== true && offer.placas_solares === true),
    ),
    ...ofRequest('placas_sin_excedentes', offers.length > 0 && body.placas_solares === true && !exports),
    ...ofRequest('sin_filtro_territorio', body.territory === undefined && differ(TERRITORIES)),
    ...ofRequest('sin_filtro_cliente', body.client_type === undefined && differ(CUSTOMERS)),
    ...about('terminos_desconocidos', unknown),
    ...about(
      'fee_power_sin_efecto',
      offers.filter((offer) => (offer.fee_power ?? 0) > 0),
    ),
    ...ofRequest('actual_improbable', isFar),
    ...ofRequest('menos_de_un_ano', isComparable && days < 350),
  ];
}

/** @type {(eur: Rational) => number} */
const toEur = (eur) => toWireNumber(eur, AMOUNT_DECIMALS);

/** How far apart annual costs and commissions lie. @type {(priced: readonly Priced[], days: number) => { cost: Rational, pay: Rational }} */
function widthsOf(priced, days) {
  if (priced.length === 0) return { cost: ZERO, pay: ZERO };
  const { costMin, costMax, payMin, payMax } = boundsOf(priced);
  return { cost: annual(subtract(costMax, costMin), days), pay: subtract(payMax, payMin) };
}

/** @type {(eur: Rational, days: number) => Rational} */
const annual = (eur, days) => divide(multiply(eur, exact(365)), exact(days));

/** The weight that a tolerance is. @type {(tolerance: Rational, priced: readonly Priced[], days: number) => Rational} */
export function weightOfTolerance(tolerance, priced, days) {
  const { cost, pay } = widthsOf(priced, days);
  if (pay.n === 0n) return ONE;
  const given = multiply(tolerance, pay);
  if (cost.n === 0n) return given.n === 0n ? ONE : ZERO;
  return divide(cost, subtract(cost, subtract(ZERO, given)));
}

/** @type {(places: { cheapest?: Priced, efficient?: Priced, bestPaid?: Priced }, context: { priced: readonly Priced[], w: Rational, days: number }) => object | null} */
export function conflictOf({ cheapest, efficient, bestPaid }, { priced, w, days }) {
  if (!cheapest || !efficient || !bestPaid) return null;
  const { cost, pay } = widthsOf(priced, days);
  const rate = w.n === 0n || pay.n === 0n ? null : divide(multiply(subtract(ONE, w), cost), multiply(w, pay));
  const beyond = (/** @type {Priced} */ entry) => ({
    offer_id: entry.offer.id,
    coste_extra_anual: toEur(annual(subtract(entry.cost.total, cheapest.cost.total), days)),
    comision_extra: toEur(subtract(entry.pay.total, cheapest.pay.total)),
  });
  return {
    euros_cliente_por_euro_comision: rate && toEur(rate),
    mas_eficiente: beyond(efficient),
    mas_comision: beyond(bestPaid),
  };
}

/** What one result costs and pays beyond the cheapest. @type {(entry: Priced, context: { cheapest: Priced | undefined, annualMwh: Rational, seesPay: boolean }) => object} */
export function extrasOf(entry, { cheapest, annualMwh, seesPay }) {
  if (!seesPay || !cheapest) return { coste_extra: null, comision_extra: null, comision_eur_mwh: null };
  return {
    coste_extra: toEur(subtract(entry.cost.total, cheapest.cost.total)),
    comision_extra: toEur(subtract(entry.pay.total, cheapest.pay.total)),
    comision_eur_mwh: annualMwh.n === 0n ? null : toEur(divide(entry.pay.total, annualMwh)),
  };
}

/** A share in percent; `null` of nothing. @type {(eur: Rational, paid: Rational, trace: Trace) => number | null} */
function percentOf(eur, paid, trace) {
  const share = paid.n > 0n ? divide(multiply(exact(100), eur), paid) : null;
  if (share && distanceToHalf(share, 2) < 1e-6) trace.risks.push('a saving lies on a rounding half');
  return share && toWireNumber(share, 2);
}

/**
 * `bill`: what is saved with taxes; `null`: not known; left out: no bill is asked for.
 *
 * @type {(paid: Rational | null, costs: Rational, context: { days: number, trace: Trace, bill?: { eur: Rational, paid: Rational } | null | undefined }) => object | null}
 */
export function savingOf(paid, costs, { days, trace, bill }) {
  if (paid === null && !bill) return null;
  const eur = paid && subtract(paid, costs);
  return {
    eur: eur && toEur(eur),
    eur_anual: eur && toEur(annual(eur, days)),
    porcentaje: eur && paid && percentOf(eur, paid, trace),
    ...(bill !== undefined && {
      factura: bill && toEur(bill.eur),
      factura_porcentaje: bill && percentOf(bill.eur, bill.paid, trace),
    }),
  };
}
