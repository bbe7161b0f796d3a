import { billNotices, billOf } from './bill.mjs';
import { COST_PARTS } from './cost.mjs';
import { add, compare, exact, multiply, subtract, toWireNumber, ZERO } from './rational.mjs';
import { AMOUNT_DECIMALS, roundAmount } from './rounding.mjs';

/**
 * What a ranking says of bills with taxes.
 *
 * @typedef {import('./rational.mjs').Rational} Rational
 * @typedef {import('./rounding.mjs').Trace} Trace
 * @typedef {import('./score.mjs').Cost} Cost
 * @typedef {import('./score.mjs').Priced} Priced
 * @typedef {{ days: number, periodMwh: Rational, body: any }} Customer
 * @typedef {Record<string, number> & { readonly total: number }} Bill
 */

/** A question to the program of bills. @type {(customer: Customer, cost: Cost | null, tariff_type: string, trace: Trace) => import('./bill.mjs').BillGiven} */
function givenFor({ body, days, periodMwh }, cost, tariff_type, trace) {
  const { supply_type, territory, client_type, potencia = {}, impuestos } = body;
  const part = (/** @type {Rational | undefined} */ value) =>
    value ? toWireNumber(roundAmount(trace, value, 'a part of a bill'), AMOUNT_DECIMALS) : 0;
  return {
    ...{ supply_type, tariff_type, territory, client_type, impuestos },
    potencia: Object.values(potencia),
    kwh: toWireNumber(multiply(periodMwh, exact(1000)), 9),
    dias: days,
    cost: {
      ...Object.fromEntries(COST_PARTS.map((name) => [name, part(cost?.[name])])),
      energia: part(cost ? add(cost.energia, cost.ssaa ?? ZERO) : undefined),
    },
  };
}

/** @type {(customer: Customer, cost: Cost, tariff_type: string, trace: Trace) => Bill} */
function billFor(customer, cost, tariff_type, trace) {
  const answer = billOf(givenFor(customer, cost, tariff_type, trace));
  if ('abiertos' in answer) throw new Error('refused before');
  return /** @type {Bill} */ (answer.factura_estimada);
}

/**
 * The members of an answer about bills; none where no bill is asked for.
 *
 * @param {readonly Priced[]} priced
 * @param {Customer} customer
 * @param {{ seesPay: boolean, trace: Trace, today: Cost | null }} options `today`: the cost of the present contract by its prices
 */
export function billsOf(priced, customer, { seesPay, trace, today }) {
  const { impuestos, contrato_actual = {}, tariff_type = '' } = customer.body;
  if (impuestos === undefined) return null;
  const bills = new Map(priced.map((entry) => [entry, billFor(customer, entry.cost, entry.offer.tariff_type, trace)]));
  const billOfEntry = (/** @type {Priced} */ entry) => /** @type {Bill} */ (bills.get(entry));
  const [lowest] = [...priced].sort(
    (a, b) =>
      billOfEntry(a).total - billOfEntry(b).total || compare(a.cost.total, b.cost.total) || a.offer.id - b.offer.id,
  );
  const present = today && billFor(customer, today, tariff_type, trace);
  /** @type {number | null} */
  const paid = contrato_actual.factura_total ?? present?.total ?? null;
  const isOrderOther = lowest && priced.some(({ cost }) => compare(cost.total, lowest.cost.total) < 0);
  const eur = (/** @type {number} */ a, /** @type {number} */ b) => subtract(exact(a), exact(b));
  return {
    answer: { mas_barata_factura_id: lowest?.offer.id ?? null, impuestos: { fecha: impuestos.fecha } },
    codes: [
      ...billNotices(givenFor(customer, null, tariff_type, trace)),
      ...(isOrderOther ? ['orden_distinto_con_impuestos'] : []),
    ],
    present,
    /** @type {(entry: Priced) => object} */
    result: (entry) => {
      const extra = lowest ? toWireNumber(eur(billOfEntry(entry).total, billOfEntry(lowest).total), 2) : 0;
      return { factura_estimada: billOfEntry(entry), coste_extra_factura: seesPay ? extra : null };
    },
    /** @type {(entry: Priced) => { eur: Rational, paid: Rational } | null} */
    saving: (entry) => (paid === null ? null : { eur: eur(paid, billOfEntry(entry).total), paid: exact(paid) }),
  };
}
