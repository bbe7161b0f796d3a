import { conflictOf, extrasOf, savingOf, warningsOf, weightOfTolerance } from './advice.mjs';
import { appliedPrices, ENERGY_PERIODS, missingPriceFor } from './applied-prices.mjs';
import { consumptionCommission, powerCommission } from './commission.mjs';
import { COST_PARTS, costOf, kwhOf, partsOf } from './cost.mjs';
import { byHoursOf } from './hours.mjs';
import { outsideOf } from './limits.mjs';
import { billsOf } from './ranking-bills.mjs';
import {
  add,
  divide,
  exact,
  larger,
  multiply,
  ONE,
  roundHalfUp,
  smaller,
  sum,
  toWireNumber,
  ZERO,
} from './rational.mjs';
import { retrospectiveOf, risesTo, thresholdsOf, whyOf, windowsOf } from './reasons.mjs';
import { AMOUNT_DECIMALS, noteCloseScores, roundAmount, roundScore, WIRE_SCORE_DECIMALS } from './rounding.mjs';
import { boundsOf, isOnFrontier, notaAt, orderAt, scored } from './score.mjs';
import { winnersByWeight } from './winners.mjs';

/**
 * @typedef {import('./rational.mjs').Rational} Rational
 * @typedef {import('./rounding.mjs').Trace} Trace
 * @typedef {Readonly<Record<string, any>>} WireOffer
 * @typedef {{ days: number, months: Rational, annualMwh: Rational, periodMwh: Rational, powerKw: Rational | null, body: any }} Customer
 * @typedef {import('./score.mjs').Cost} Cost
 * @typedef {import('./score.mjs').Pay} Pay
 * @typedef {import('./score.mjs').Priced} Priced
 * @typedef {import('./score.mjs').Scored} Scored
 */

const DAYS_PER_YEAR = exact(365);
const MONTHS_PER_YEAR = exact(12);

/** @type {(body: any) => { days: number, months: Rational }} */
function periodOf(body) {
  if (body.dias !== undefined) {
    const derived = roundHalfUp(divide(multiply(exact(body.dias), MONTHS_PER_YEAR), DAYS_PER_YEAR), 2);
    return { days: body.dias, months: body.meses === undefined ? derived : exact(body.meses) };
  }
  if (body.meses === undefined) return { days: 365, months: MONTHS_PER_YEAR };
  const days = roundHalfUp(divide(multiply(exact(body.meses), DAYS_PER_YEAR), MONTHS_PER_YEAR), 0);
  return { days: Number(days.n), months: exact(body.meses) };
}

/** A body with the days of its profile, and a consumption wherever a part has one. @type {(body: any) => any} */
export function wholeOf(body) {
  if (body.perfil === undefined) return body;
  const total = (/** @type {(part: any) => number | undefined} */ pick) =>
    partsOf(body).reduce((/** @type {number} */ all, part) => all + (pick(part) ?? 0), 0);
  const energia = Object.fromEntries(ENERGY_PERIODS.map((name) => [name, total((part) => part.energia?.[name])]));
  return { ...body, dias: total((part) => part.dias), energia, consumo_gas: total((part) => part.consumo_gas) };
}

/** @type {(body: any, trace: Trace) => Customer} */
export function customerOf(body, trace) {
  const { days, months } = periodOf(body);
  const kwh = sum(partsOf(body).map((part) => kwhOf(body, part)));
  const periodMwh = divide(kwh, exact(1000));
  const annual = divide(multiply(periodMwh, DAYS_PER_YEAR), exact(days));
  const highest = Object.values(body.potencia ?? {})
    .map(exact)
    .reduce(larger, ZERO);
  return {
    days,
    months,
    periodMwh,
    annualMwh: roundAmount(trace, annual, 'annual MWh'),
    powerKw: highest.n === 0n ? null : roundAmount(trace, highest, 'kW'),
    body,
  };
}

/** @type {(offer: WireOffer, customer: Customer, trace: Trace) => Pay} */
function payOf(offer, customer, trace) {
  const { body, annualMwh, powerKw } = customer;
  const isGas = body.supply_type === 'GAS';
  const energyFee = multiply(exact(body.fee_energia ?? 0), annualMwh);
  const powerFee = multiply(exact(body.fee_potencia ?? 0), annualMwh);
  const energia = add(consumptionCommission(offer, annualMwh).value, energyFee);
  const potencia = isGas ? ZERO : add(powerCommission(offer, powerKw).value, powerFee);
  return { energia, potencia, total: roundAmount(trace, add(energia, potencia), `commission of offer ${offer.id}`) };
}

/** @type {(amounts: Readonly<Record<string, Rational>>) => Record<string, number>} */
const toWireAmounts = (amounts) =>
  Object.fromEntries(Object.entries(amounts).map(([key, value]) => [key, toWireNumber(value, AMOUNT_DECIMALS)]));

/** @type {(applied: any, customer: Customer) => object | null} */
function toWireIndexed({ origin, prices, rows }, { body: { perfil } }) {
  if (origin === null) return null;
  const known = Object.entries(prices).flatMap(([field, price]) =>
    price === null ? [] : [[field, toWireNumber(price, AMOUNT_DECIMALS)]],
  );
  const precios = Object.fromEntries(known);
  if (perfil === undefined) return { ...origin, precios };
  const months = rows.map((/** @type {WireOffer} */ row) => Number(row.reference_month.slice(5, 7)));
  return { ...origin, ponderado: partsOf({ perfil }).some(({ mes }) => months.includes(mes)), precios };
}

const NOT_DISCOUNTED = { coste_sin_descuento: null, coste_segundo_anio: null };

/** @typedef {{ codigo: string, limite?: object }} Reason */

/** @type {(universe: readonly WireOffer[], customer: Customer, trace: Trace) => { priced: Priced[], excluded: ({ offer: WireOffer } & Reason)[] }} */
export function priceAll(universe, customer, trace) {
  /** @type {Priced[]} */
  const priced = [];
  /** @type {({ offer: WireOffer } & Reason)[]} */
  const excluded = [];
  for (const offer of universe) {
    const outside = outsideOf(offer, { ...customer, day: customer.body.fecha_firma });
    if (outside !== null) {
      excluded.push({ offer, ...outside });
      continue;
    }
    const applied = appliedPrices(offer, customer.body.mes);
    const codigo = 'codigo' in applied ? applied.codigo : missingPriceFor(applied.prices, customer.body);
    if ('codigo' in applied || codigo !== null) {
      excluded.push({ offer, codigo: codigo ?? '' });
      continue;
    }
    const cost = costOf(offer, applied, customer, trace);
    const costFor = (/** @type {number} */ descuento_meses) =>
      toWireNumber(costOf({ ...offer, descuento_meses }, applied, customer, trace).total, AMOUNT_DECIMALS);
    const lasts = offer.descuento_meses ?? null;
    priced.push({
      later:
        lasts === null
          ? null
          : { coste_sin_descuento: costFor(0), coste_segundo_anio: costFor(Math.max(0, lasts - 12)) },
      offer,
      indexada: toWireIndexed(applied, customer),
      byHours: byHoursOf(offer, customer.body.perfil ?? []),
      rows: applied.rows,
      cost,
      pay: payOf(offer, customer, trace),
    });
  }
  return { priced, excluded };
}

/**
 * The cost of the present contract, with its parts where prices were sent.
 *
 * @param {Customer} customer
 * @param {Trace} trace
 * @returns {{ total: Rational, wire: object, cost: Cost | null } | null}
 */
function paidToday({ body, ...customer }, trace) {
  const { contrato_actual: contract } = body;
  if (contract === undefined || contract.factura_total !== undefined) return null;
  if (contract.coste_total !== undefined) {
    const total = roundAmount(trace, exact(contract.coste_total), 'coste_total');
    const parts = Object.fromEntries(COST_PARTS.map((name) => [name, null]));
    return { total, wire: { ...parts, ...toWireAmounts({ total }) }, cost: null };
  }
  const { services_cost, precio_excedentes, bono_social: _bonus, ...sent } = contract;
  const offer = { id: 'today', services_cost, placas_solares: true, precio_excedentes };
  const prices = Object.fromEntries(Object.entries(sent).map(([field, price]) => [field, exact(price)]));
  const { fee_energia: _energy, fee_potencia: _power, ...withoutFees } = body;
  const cost = costOf(offer, { prices, rows: [] }, { ...customer, body: withoutFees }, trace);
  return { total: cost.total, wire: toWireAmounts(cost), cost };
}

/** @type {(entry: Scored, context: { all: readonly Scored[], w: Rational, seesPay: boolean, winner: Scored | undefined }) => object} */
function toWireResult(entry, { all, w, seesPay, winner }) {
  const toNota = (/** @type {Rational} */ value) => toWireNumber(value, WIRE_SCORE_DECIMALS);
  return {
    offer: { id: entry.offer.id, is_catalog: entry.offer.catalog === true },
    indexada: entry.indexada,
    cost: toWireAmounts(entry.cost),
    ...(entry.byHours.energia + entry.byHours.excedentes > 0 && { por_horas: entry.byHours }),
    ...(all.some(({ later }) => later !== null) && (entry.later ?? NOT_DISCOUNTED)),
    commission: seesPay ? toWireAmounts(entry.pay) : null,
    nota: toNota(notaAt(entry, w)),
    nota_precio: toNota(entry.notaPrecio),
    nota_comision: seesPay ? toNota(entry.notaComision) : null,
    is_optimal: entry === winner,
    en_frontera: seesPay ? isOnFrontier(entry, all) : null,
  };
}

/** @type {(all: readonly Scored[], seesPay: boolean) => object} */
function toWireScale(all, seesPay) {
  if (all.length === 0) return {};
  const { costMin, costMax, payMin, payMax } = boundsOf(all);
  const { comision_min, comision_max, ...costs } = toWireAmounts({
    coste_min: costMin,
    coste_max: costMax,
    comision_min: payMin,
    comision_max: payMax,
  });
  return {
    escala: { ...costs, comision_min: seesPay ? comision_min : null, comision_max: seesPay ? comision_max : null },
  };
}

/** @type {(body: any, context: { all: readonly Scored[], seesPay: boolean, days: number }) => Rational} */
function weightOf({ w, tolerancia }, { all, seesPay, days }) {
  if (!seesPay) return ONE;
  return tolerancia === undefined ? exact(w ?? 0.5) : weightOfTolerance(exact(tolerancia), all, days);
}

/**
 * How far each price of the first offer may rise: the whole ranking again at each price that is tried.
 *
 * @param {Scored} winner
 * @param {{ all: readonly Scored[], customer: Customer, w: Rational, seesPay: boolean }} options
 */
function marginOf({ offer }, { all, customer, w, seesPay }) {
  const { body } = customer;
  const isGas = body.supply_type === 'GAS';
  const applied = appliedPrices(offer, body.mes);
  if ('codigo' in applied) throw new Error('an offer that has a cost has prices');
  const isFirstWith = (/** @type {any} */ prices) => {
    const cost = costOf(offer, { prices, rows: [] }, customer, { risks: [] });
    const again = scored(
      all.map((other) => (other.offer.id === offer.id ? { ...other, cost } : other)),
      { risks: [] },
    );
    return again.sort(orderAt(w, seesPay))[0]?.offer.id === offer.id;
  };
  const byPrice = (/** @type {string} */ concepto, /** @type {string} */ field) => {
    const price = applied.prices[field];
    if (price === null || price === undefined) return [];
    return [{ concepto, sube_hasta: risesTo(price, (tried) => isFirstWith({ ...applied.prices, [field]: tried })) }];
  };
  const periods = (/** @type {'energia' | 'potencia'} */ name, /** @type {string} */ letter) =>
    [1, 2, 3, 4, 5, 6].flatMap((i) =>
      ((isGas ? 0 : body[name]?.[`${letter}${i}`]) ?? 0) > 0 ? byPrice(`${name}_p${i}`, `${letter}${i}`) : [],
    );
  const services = offer.services_cost;
  return [
    ...(isGas ? byPrice('energia', 'gas_energy') : periods('energia', 'e')),
    ...periods('potencia', 'p'),
    ...(isGas ? byPrice('fijo', 'gas_fixed') : []),
    ...(services === null || services === undefined
      ? []
      : [
          {
            concepto: 'servicios',
            sube_hasta: risesTo(exact(services), (tried) => isFirstWith({ ...applied.prices, services: tried })),
          },
        ]),
  ];
}

/**
 * The efficiency ranking of the offers that passed the filters, as the answer shows it.
 *
 * @param {readonly WireOffer[]} universe
 * @param {any} body
 * @param {{ seesPay: boolean, trace: Trace, ofList: readonly object[], unknown: readonly WireOffer[] }} options `ofList`: warnings about the whole list; `unknown`: offers left out because of an unknown term
 * @returns {object}
 */
export function rankedAnswer(universe, body, { seesPay, trace, ofList, unknown }) {
  const customer = customerOf(wholeOf(body), trace);
  const { priced, excluded } = priceAll(universe, customer, trace);
  const all = scored(priced, trace);
  const w = weightOf(body, { all, seesPay, days: customer.days });
  const order = [...all].sort(orderAt(w, seesPay));
  for (const entry of all) roundScore(trace, notaAt(entry, w), `nota of offer ${entry.offer.id}`);
  noteCloseScores(
    trace,
    all.map((entry) => notaAt(entry, w)),
    `w=${body.w}`,
  );
  const bestAt = (/** @type {Rational} */ weight) => [...all].sort(orderAt(weight, seesPay))[0];
  const places = { cheapest: bestAt(ONE), efficient: order[0], bestPaid: bestAt(ZERO) };
  const today = paidToday(customer, trace);
  const against = all.find(({ offer }) => offer.id === body.frente_a) ?? places.cheapest;
  /** @type {import('./reasons.mjs').CostAt} */
  const costAt = ({ offer }, other) => {
    const applied = appliedPrices(offer, body.mes);
    if ('codigo' in applied) throw new Error('an offer that has a cost has prices');
    return costOf(offer, applied, { ...customer, body: other }, { risks: [] });
  };
  const cheapestFixed = all
    .filter(({ offer }) => offer.is_indexed !== true)
    .map(({ cost }) => cost.total)
    .reduce((/** @type {Rational | null} */ low, cost) => (low === null ? cost : smaller(low, cost)), null);
  const pastOf = (/** @type {Scored} */ { offer }) => {
    const costs = windowsOf(offer.indexed_prices ?? []).flatMap((window) => {
      const applied = appliedPrices({ ...offer, indexed_prices: window }, undefined);
      if ('codigo' in applied || missingPriceFor(applied.prices, customer.body) !== null) return [];
      return [costOf(offer, applied, customer, { risks: [] }).total];
    });
    return retrospectiveOf(costs, cheapestFixed);
  };
  const explains = body.explicar === true || body.frente_a !== undefined;
  const bills = billsOf(all, customer, { seesPay, trace, today: today?.cost ?? null });
  const isBillKnown = body.contrato_actual?.factura_total !== undefined;
  const warnings = warningsOf(all, { ...customer, paid: today?.total ?? null, unknown }).filter(
    ({ codigo }) => seesPay || codigo !== 'fee_power_sin_efecto',
  );
  const { fecha_firma } = body;
  return {
    ...{ w: toWireNumber(w, 9), dias: customer.days, meses: toWireNumber(customer.months, 2) },
    ...(fecha_firma !== undefined && { fecha_firma }),
    total: all.length,
    excluded_count: excluded.length,
    excluded: excluded.slice(0, 200).map(({ offer, ...reason }) => ({
      offer_id: offer.id,
      offer_name: offer.offer_name,
      company_name: offer.companyName,
      is_catalog: offer.catalog === true,
      ...reason,
    })),
    mas_barata_id: places.cheapest?.offer.id ?? null,
    mas_comision_id: seesPay ? (places.bestPaid?.offer.id ?? null) : null,
    mas_eficiente_id: order[0]?.offer.id ?? null,
    ...toWireScale(all, seesPay),
    umbrales: seesPay ? winnersByWeight(all, trace) : null,
    ...bills?.answer,
    avisos: [...warnings, ...ofList, ...(bills?.codes ?? []).map((codigo) => ({ codigo, total: 0, offer_ids: [] }))],
    actual:
      today || isBillKnown ? { cost: today?.wire ?? null, ...(bills && { factura_estimada: bills.present }) } : null,
    conflicto: seesPay ? conflictOf(places, { priced: all, w, days: customer.days }) : null,
    ...(explains && { frente_a: against?.offer.id ?? null }),
    ...(body.umbrales_consumo === true && { umbrales_consumo: thresholdsOf(all) }),
    ...(body.margen === true && { margen: order[0] ? marginOf(order[0], { all, customer, w, seesPay }) : [] }),
    results: order.slice(0, body.limit ?? 50).map((entry) => ({
      ...toWireResult(entry, { all, w, seesPay, winner: order[0] }),
      ...extrasOf(entry, { cheapest: places.cheapest, annualMwh: customer.annualMwh, seesPay }),
      ...bills?.result(entry),
      ahorro: savingOf(today?.total ?? null, entry.cost.total, {
        days: customer.days,
        trace,
        bill: bills?.saving(entry),
      }),
      ...(body.retrospectiva === true && entry.offer.is_indexed === true && { retrospectiva: pastOf(entry) }),
      ...(explains && against && { porque: whyOf(entry, against, { body: customer.body, costAt }) }),
    })),
  };
}
