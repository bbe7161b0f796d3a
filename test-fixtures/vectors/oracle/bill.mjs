import { COST_PARTS } from './cost.mjs';
import {
  add,
  compare,
  divide,
  exact,
  floor,
  fraction,
  larger,
  multiply,
  ONE,
  roundHalfUp,
  subtract,
  sum,
  toWireNumber,
  ZERO,
} from './rational.mjs';

/**
 * The bill of a cost with exact fractions, and the rates by day a second time, from the text of the laws.
 *
 * @typedef {import('./rational.mjs').Rational} Rational
 * @typedef {{ readonly value: number } | { readonly values: readonly number[] }} Rate
 * @typedef {Readonly<{
 *   supply_type: 'LUZ' | 'GAS',
 *   tariff_type: string,
 *   territory: 'peninsula' | 'baleares' | 'canarias' | 'ceuta_melilla',
 *   client_type?: 'dni' | 'cif' | 'cdad',
 *   potencia?: readonly number[],
 *   kwh: number,
 *   dias: number,
 *   cost: Readonly<Record<string, number>>,
 *   impuestos: Readonly<Record<string, any>> & { readonly fecha: string },
 * }>} BillGiven
 */

/** Each line: first day, value or values between bars. `-`: nothing is known from that day on. `?`: its law is not certain. */
const TABLES = {
  impuesto_electrico:
    '2021-01-01 5.11269632, 2021-09-16 0.5, 2024-01-01 2.5, 2024-04-01 3.8, 2024-07-01 5.11269632, 2026-03-22 0.5, 2026-06-01 5.11269632?, 2026-11-01 0.5|5.11269632, 2027-01-01 -',
  iva_reducido:
    '2021-01-01 21, 2021-06-26 10?, 2022-07-01 5, 2024-01-01 10, 2024-03-01 21?, 2024-07-01 10?, 2025-01-01 21?, 2026-03-22 10, 2026-04-30 10?, 2026-06-01 21?, 2026-11-01 10|21, 2027-01-01 -',
  iva_gas:
    '2021-01-01 21, 2022-10-01 5, 2024-01-01 10, 2024-04-01 21, 2026-03-22 10, 2026-06-01 21, 2026-08-01 10|21, 2026-09-01 21, 2026-11-01 10|21, 2027-01-01 -',
  // EUR/GJ
  hidrocarburos:
    '2021-01-01 0.65, 2026-03-22 0.30, 2026-06-01 0.30?, 2026-07-01 0.39, 2026-08-01 0.30|0.48, 2026-09-01 0.39|0.56, 2026-10-01 0.65, 2026-11-01 0.30|0.65, 2026-12-01 0.65|0.42|0.30, 2027-01-01 -',
  financiacion_bono: '2021-01-01 -, 2025-01-01 4.650987, 2026-01-01 6.979247, 2026-06-26 9.011295, 2027-01-01 -',
};

const HALF = fraction(1n, 2n);
const HUNDRED = exact(100);
const YEAR_DAYS = exact(365);
const GJ_PER_KWH = exact('0.0036');

/** Whole cents; a half goes away from zero. @type {(value: Rational) => Rational} */
function cents(value) {
  const size = value.n < 0n ? subtract(ZERO, value) : value;
  const rounded = fraction(floor(add(multiply(size, HUNDRED), HALF)), 100n);
  return value.n < 0n ? subtract(ZERO, rounded) : rounded;
}

/** The values that a rate may have on a day; none: not known. @type {(name: keyof typeof TABLES, day: string) => readonly string[]} */
function valuesOn(name, day) {
  const lines = TABLES[name].split(', ').map((line) => line.split(' '));
  const [, text = '-'] = lines.filter(([from = '']) => from <= day).at(-1) ?? [];
  return text === '-' ? [] : text.split('|');
}

/** The rates of territories that no day changes. */
const ISLANDS_AND_CITIES = {
  canarias: { dwelling: '0', general: '3', gas: '3?', services: '7' },
  ceuta_melilla: { dwelling: '1?', general: '1?', gas: '1?', services: '4?' },
};

/**
 * What the rates of a day leave open, by concept and kind, with their values.
 *
 * @typedef {{ concepto: string, aplica: string, valores: number[] }} Open
 */

/** @type {(given: BillGiven) => { rates: Record<string, Rational>, open: Open[], isUncertain: boolean, isBonusUnknown: boolean }} */
function ratesOf({ supply_type, territory, client_type, potencia = [], impuestos }) {
  const {
    fecha,
    tipos = {},
    vivienda = client_type === 'dni',
    vulnerable_severo = false,
    uso_gas = 'general',
  } = impuestos;
  /** @type {Open[]} */
  const open = [];
  let isUncertain = false;
  /** @type {(text: string) => Rational} */
  const rateIn = (text) => {
    if (text.endsWith('?')) isUncertain = true;
    return exact(text.replace('?', ''));
  };
  /** @type {(sent: number | undefined, name: keyof typeof TABLES, concepto: string, aplica: string) => Rational} */
  const rate = (sent, name, concepto, aplica) => {
    if (sent !== undefined) return exact(sent);
    const values = valuesOn(name, fecha).map((text) => rateIn(text));
    const inUnit = name === 'hidrocarburos' ? values.map((value) => multiply(value, GJ_PER_KWH)) : values;
    if (inUnit.length === 1) return inUnit[0] ?? ZERO;
    open.push({ concepto, aplica, valores: inUnit.map((value) => toWireNumber(value, 8)).sort((a, b) => a - b) });
    return ZERO;
  };
  const isElectric = supply_type === 'LUZ';
  const kw = Math.max(0, ...potencia);
  const isMainland = territory === 'peninsula' || territory === 'baleares';
  const fixed = isMainland ? null : ISLANDS_AND_CITIES[territory];
  const isBelowTen = fecha >= '2026-03-22' && fecha <= '2026-04-29' ? kw < 10 : kw <= 10;
  const indirect = () => {
    if (fixed && tipos.indirecto !== undefined) return exact(tipos.indirecto);
    if (fixed && isElectric) return rateIn(vivienda && kw <= 10 ? fixed.dwelling : fixed.general);
    if (fixed) return rateIn(fixed.gas);
    if (!isElectric) return rate(tipos.indirecto, 'iva_gas', 'iva', 'general');
    if (!isBelowTen && !vulnerable_severo) return exact(tipos.indirecto ?? 21);
    return rate(tipos.indirecto, 'iva_reducido', 'iva', 'reducido');
  };
  const general = indirect();
  const services = () => {
    if (tipos.indirecto_servicios !== undefined) return exact(tipos.indirecto_servicios);
    return fixed ? rateIn(fixed.services) : exact(21);
  };
  const isKnownBonus = tipos.bono_social !== undefined || fecha >= '2025-01-01';
  const paysBonus = isElectric && (impuestos.financiacion_bono ?? isKnownBonus);
  const hasGasTax = !isElectric && (isMainland || tipos.hidrocarburos !== undefined);
  const gasTax = () =>
    uso_gas === 'profesional' && tipos.hidrocarburos === undefined
      ? multiply(exact('0.15'), GJ_PER_KWH)
      : rate(tipos.hidrocarburos, 'hidrocarburos', 'hidrocarburos', uso_gas);
  const rates = {
    general,
    services: services(),
    electricityTax: isElectric ? rate(tipos.iee, 'impuesto_electrico', 'impuesto_electrico', 'general') : ZERO,
    bonus: paysBonus ? rate(tipos.bono_social, 'financiacion_bono', 'financiacion_bono', 'general') : ZERO,
    gasTax: hasGasTax ? gasTax() : ZERO,
  };
  const isBonusUnknown = isElectric && impuestos.financiacion_bono === undefined && !isKnownBonus;
  return { rates, open, isUncertain, isBonusUnknown };
}

/** What a reader of the bills has to know. @type {(given: BillGiven) => string[]} */
export function billNotices(given) {
  const { isUncertain, isBonusUnknown } = ratesOf(given);
  return [
    ...(given.impuestos.alquiler === undefined ? ['alquiler_sin_indicar'] : []),
    ...(isBonusUnknown ? ['bono_sin_dato'] : []),
    ...(isUncertain ? ['tipo_por_confirmar'] : []),
  ];
}

/**
 * The lines of a bill as an answer shows them, or what is open.
 *
 * @param {BillGiven} given
 * @returns {{ factura_estimada: Record<string, number> } | { abiertos: Open[] }}
 */
export function billOf(given) {
  const { supply_type, tariff_type, territory, kwh, dias, cost, impuestos } = given;
  const { rates, open } = ratesOf(given);
  if (open.length > 0) return { abiertos: open };
  const isElectric = supply_type === 'LUZ';
  const { alquiler = 0, otros = {}, bono_en_iee = true } = impuestos;
  const perMonth = exact({ monofasico: 0.81, trifasico: 1.36 }[String(alquiler)] ?? alquiler);
  const share = divide(exact(dias), YEAR_DAYS);
  const parts = COST_PARTS.filter((name) => name !== 'servicios');
  const lineOf = (/** @type {string} */ name) => cents(roundHalfUp(exact(cost[name] ?? 0), 6));
  const bono = cents(multiply(rates.bonus ?? ZERO, share));
  const renta = cents(multiply(multiply(perMonth, exact(12)), share));
  const [conIee, sinIee] = [otros.con_iee ?? 0, otros.sin_iee ?? 0].map((eur) => cents(exact(eur)));
  const hidrocarburos = cents(multiply(exact(kwh), rates.gasTax ?? ZERO));
  const supply = sum([...parts.map(lineOf), conIee ?? ZERO]);
  const base = isElectric ? add(supply, bono_en_iee ? bono : ZERO) : ZERO;
  const uso = impuestos.uso ?? (tariff_type.startsWith('6.') ? 'industrial' : 'general');
  const least = cents(multiply(divide(exact(kwh), exact(1000)), uso === 'industrial' ? HALF : ONE));
  const percent = (/** @type {Rational} */ value, /** @type {Rational} */ rate) =>
    cents(divide(multiply(value, rate), HUNDRED));
  const iee = isElectric && kwh > 0 ? larger(percent(base, rates.electricityTax ?? ZERO), least) : ZERO;
  const ordinary = sum([supply, bono, iee, hidrocarburos, sinIee ?? ZERO]);
  const [general, special] = [rates.general ?? ZERO, rates.services ?? ZERO];
  const rentalRate = territory === 'canarias' || territory === 'ceuta_melilla' ? special : general;
  const services = lineOf('servicios');
  const all = sum([ordinary, renta, services]);
  const tax = () => {
    if (compare(general, special) === 0) return percent(all, general);
    if (compare(rentalRate, general) === 0)
      return add(percent(add(ordinary, renta), general), percent(services, special));
    return sum([percent(ordinary, general), percent(renta, special), percent(services, special)]);
  };
  const indirecto = tax();
  const wire = (/** @type {Rational | undefined} */ value) => toWireNumber(value ?? ZERO, 2);
  return {
    factura_estimada: {
      ...Object.fromEntries(parts.map((name) => [name, wire(lineOf(name))])),
      financiacion_bono_social: wire(bono),
      otros_con_iee: wire(conIee),
      base_impuesto_electrico: wire(base),
      impuesto_electrico: wire(iee),
      impuesto_hidrocarburos: wire(hidrocarburos),
      alquiler: wire(renta),
      otros_sin_iee: wire(sinIee),
      servicios: wire(services),
      impuesto_indirecto: wire(indirecto),
      total: wire(add(all, indirecto)),
    },
  };
}
