import {
  add,
  compare,
  divide,
  exact,
  floor,
  fraction,
  larger,
  multiply,
  subtract,
  sum,
  toWireNumber,
  ZERO,
} from './rational.mjs';

/**
 * The right contracted power a second time: every power of the grid is priced with exact fractions, and the cheapest
 * powers that do not fall are found period by period from tables of all of them.
 *
 * @typedef {import('./rational.mjs').Rational} Rational
 * @typedef {Readonly<Record<string, number>>} ByPeriod
 * @typedef {{ readonly mes?: number, readonly dias: number, readonly maximos?: ByPeriod, readonly cuartos?: Readonly<Record<string, readonly number[]>> }} Entry
 *   `cuartos`: the quarter-hours in place of their maximum.
 * @typedef {Readonly<{
 *   tariff_type: '2.0TD' | '3.0TD' | '6.1TD', potencia: ByPeriod, tipo_medida?: number, fecha: string,
 *   precios?: ByPeriod, periodos: readonly Entry[], minimo?: ByPeriod, margen_kw?: number, derechos_kw?: number,
 *   excesos?: ByPeriod,
 * }>} PowerGiven  `excesos`: prices of excess of an operator, for days that are not known.
 * @typedef {{ readonly key: string, readonly price: Rational, readonly tep: Rational, readonly today: Rational,
 *   readonly isKept: boolean, readonly entries: readonly { readonly at: number, readonly days: number, readonly loads: readonly Rational[] }[] }} Period
 */

/** EUR/kW·year of tolls and of charges, EUR/kW·day and EUR/kW of excess, in 2026. */
const RATES = {
  '2.0TD': { tolls: '27.704413 0.725423', charges: '0 0', daily: '0 0', monthly: '0 0' },
  '3.0TD': {
    tolls: '14.935084 7.894323 2.502996 1.907795 0.535313 0.535313',
    charges: '5.441843 2.723298 1.978538 1.978538 1.978538 0.906974',
    daily: '0.171373 0.090584 0.028721 0.021891 0.006142 0.006142',
    monthly: '3.325715 1.757877 0.557353 0.424794 0.119179 0.119179',
  },
  '6.1TD': {
    tolls: '23.946498 12.687713 4.747747 3.339695 0.070979 0.062703',
    charges: '5.648870 2.826996 2.054134 2.054134 2.054134 0.941478',
    daily: '',
    monthly: '3.431797 1.818277 0.680379 0.478581 0.010172 0.008984',
  },
};
const DAILY_2025 = '.168944 .089294 .028322 .021656 .006126 .006126'.replaceAll('.', '0.');

/**
 * Whether an offer sells power below tolls and charges of a day, at the six decimals of a bill.
 *
 * @param {{ readonly tariff_type: string, readonly [name: string]: any }} offer
 * @param {string} day
 */
export function isBelowTolls(offer, day) {
  if (!day.startsWith('2026-') || !Object.hasOwn(RATES, offer.tariff_type)) return false;
  const { tolls, charges } = RATES[/** @type {keyof typeof RATES} */ (offer.tariff_type)];
  const other = charges.split(' ');
  return tolls.split(' ').some((toll, index) => {
    const price = offer[`p${index + 1}`] ?? null;
    const yearly = add(exact(Number(toll)), exact(Number(other[index])));
    return (
      price !== null &&
      compare(
        multiply(exact(price), whole(1e6)),
        fraction(floor(divide(multiply(yearly, whole(1e6)), whole(365))), 1n),
      ) < 0
    );
  });
}

/** @type {(n: number) => Rational} */
const whole = (n) => fraction(BigInt(n), 1n);
/** @type {(values: readonly Rational[]) => Rational} */
const highestOf = (values) => values.reduce(larger, ZERO);
const TENTH = fraction(1n, 10n);
/** @type {(kw: Rational) => number} */
const stepsUp = (kw) => -Number(floor(multiply(kw, whole(-10))));
/** @type {(step: number) => Rational} */
const atStep = (step) => multiply(whole(step), TENTH);

/** A root with thirty decimals: the whole part by halving. @type {(a: Rational) => Rational} */
function root(a) {
  const scale = 10n ** 30n;
  const target = (a.n * scale * scale) / a.d;
  let [low, high] = [0n, 1n << BigInt(target.toString(16).length * 2)];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (middle * middle <= target) low = middle;
    else high = middle;
  }
  return fraction(low, scale);
}

/** @type {(given: PowerGiven) => boolean} */
function isByQuarter({ tariff_type, tipo_medida, potencia }) {
  const highest = Math.max(...Object.values(potencia));
  return tariff_type !== '2.0TD' && (tipo_medida ?? (highest <= 15 ? 5 : highest <= 50 ? 4 : 3)) <= 3;
}

/** @type {(given: PowerGiven) => readonly Period[]} */
function periodsOf(given) {
  const { tolls, charges, daily, monthly } = RATES[given.tariff_type];
  const excess = isByQuarter(given) ? monthly : given.fecha < '2026' ? DAILY_2025 : daily;
  const margin = exact(given.margen_kw ?? 0);
  return tolls.split(' ').map((toll, index) => {
    const key = `p${index + 1}`;
    const yearly = add(exact(toll), exact(charges.split(' ')[index] ?? 0));
    const sent = given.precios?.[key];
    return {
      key,
      price: sent === undefined ? divide(yearly, whole(365)) : exact(sent),
      tep: exact(given.excesos?.[key] ?? excess.split(' ')[index] ?? 0),
      today: exact(given.potencia[key] ?? 0),
      isKept: given.periodos.every(
        ({ maximos, cuartos }) => Math.max(0, ...[cuartos?.[key] ?? maximos?.[key] ?? 0].flat()) === 0,
      ),
      entries: given.periodos.flatMap(({ dias, maximos, cuartos }, at) => {
        const maximum = maximos?.[key];
        const loads = cuartos?.[key] ?? (maximum === undefined ? null : [maximum]);
        return loads === null ? [] : [{ at, days: dias, loads: loads.map((kw) => add(exact(kw), margin)) }];
      }),
    };
  });
}

/** What an entry pays for its excess. @type {(period: Period, entry: Period['entries'][number], power: Rational, byQuarter: boolean) => Rational} */
function excessOf({ tep }, { loads, days }, power, byQuarter) {
  const above = loads.filter((load) => compare(load, power) > 0).map((load) => subtract(load, power));
  if (byQuarter) return multiply(tep, root(sum(above.map((kw) => multiply(kw, kw)))));
  return multiply(multiply(tep, highestOf(above)), whole(days));
}

/** The powers in tenths of a kW, or null where there are none. @type {(given: PowerGiven, periods: readonly Period[]) => { least: number[], most: number[], needed: number }} */
function boundsOf(given, periods) {
  const { tariff_type, minimo = {}, derechos_kw } = given;
  const all = periods.flatMap(({ entries }) => entries.flatMap(({ loads }) => loads));
  const needsP6 = tariff_type === '3.0TD' && compare(highestOf(all), whole(15)) > 0;
  const rights = derechos_kw === undefined ? Infinity : Number(floor(multiply(exact(derechos_kw), whole(10))));
  const cap = tariff_type === '2.0TD' ? Math.min(150, rights) : rights;
  /** @type {number[]} */
  const least = [];
  /** @type {number[]} */
  const most = [];
  for (const [index, { key, entries, isKept, today }] of periods.entries()) {
    const law = index === 5 && needsP6 ? 151 : isKept ? 0 : 1;
    const kept = isKept ? Math.min(cap, stepsUp(today)) : 0;
    const before = tariff_type === '2.0TD' ? -1 : index - 1;
    least.push(Math.max(law, kept, stepsUp(exact(minimo[key] ?? 0)), least[before] ?? 0));
    const covered = stepsUp(highestOf(entries.flatMap(({ loads }) => loads)));
    most.push(Math.min(cap, Math.max(covered, least[index] ?? 0, most[before] ?? 0)));
  }
  return { least, most, needed: stepsUp(highestOf(all)) };
}

/** The powers of the least cost, from the tables of the least costs up to each power. @type {(costs: readonly (readonly (Rational | null)[])[]) => number[]} */
function cheapest(costs) {
  const size = costs[0]?.length ?? 0;
  /** @type {(Rational | null)[][]} */
  const sums = [];
  for (const [period, own] of costs.entries()) {
    /** @type {Rational | null} */
    let before = period === 0 ? ZERO : null;
    sums.push(
      own.map((cost, step) => {
        const reached = sums[period - 1]?.[step] ?? null;
        if (reached !== null && (before === null || compare(reached, before) < 0)) before = reached;
        return cost === null || before === null ? null : add(cost, before);
      }),
    );
  }
  /** @type {number[]} */
  const powers = [];
  let limit = size - 1;
  for (const row of sums.toReversed()) {
    let [best, at] = [/** @type {Rational | null} */ (null), 0];
    for (const [step, value] of row.entries()) {
      if (step <= limit && value !== null && (best === null || compare(value, best) <= 0)) [best, at] = [value, step];
    }
    powers.unshift(at);
    limit = at;
  }
  return powers;
}

/** A half goes away from zero. @type {(eur: Rational) => number} */
const signed = (eur) => (compare(eur, ZERO) < 0 ? 0 - toWireNumber(subtract(ZERO, eur), 6) : toWireNumber(eur, 6));

/**
 * Tenths of a kW as powers. What nobody measured keeps the very power of today, where that is not below the one before it.
 *
 * @type {(periods: readonly Period[], steps: readonly number[]) => readonly Rational[]}
 */
function powersOf(periods, steps) {
  /** @type {Rational[]} */
  const powers = [];
  for (const [index, { isKept, today }] of periods.entries()) {
    const step = steps[index] ?? 0;
    const before = periods.length === 2 ? ZERO : (powers.at(-1) ?? ZERO);
    powers.push(isKept && step === stepsUp(today) && compare(before, today) <= 0 ? today : atStep(step));
  }
  return powers;
}

/** Whether a maximum is ten times every power of today, or one of these a hundred times every maximum. @type {(given: PowerGiven) => boolean} */
function isImprobable({ potencia, periodos }) {
  const today = Math.max(...Object.values(potencia));
  const sent = Math.max(...periodos.flatMap(({ maximos, cuartos }) => Object.values(cuartos ?? maximos ?? {}).flat()));
  /** @type {(more: number, times: number, less: number) => boolean} */
  const isFar = (more, times, less) => less > 0 && compare(exact(more), multiply(whole(times), exact(less))) >= 0;
  return isFar(sent, 10, today) || isFar(today, 100, sent);
}

/** @type {(given: PowerGiven, periods: readonly Period[], known: { optimum: readonly Rational[], needed: number, days: number }) => string[]} */
function noticesOf(given, periods, { optimum, needed, days }) {
  const rights = given.derechos_kw;
  return [
    given.tariff_type === '3.0TD' && needed <= 150 && periods.every(({ isKept }) => !isKept) && 'cabe_en_2_0TD',
    given.tariff_type === '2.0TD' && needed > 150 && 'necesita_3_0TD',
    periods.some(({ today }, index) => compare(today, optimum[index] ?? ZERO) !== 0) && 'un_cambio_al_ano',
    rights !== undefined && compare(atStep(needed), exact(rights)) > 0 && 'derechos_insuficientes',
    days < 350 && 'menos_de_un_ano',
    isImprobable(given) && 'maximos_improbables',
  ].filter((code) => code !== false);
}

/** @type {(given: PowerGiven) => object} */
export function adviceOf(given) {
  const periods = periodsOf(given);
  const byQuarter = isByQuarter(given);
  const days = given.periodos.reduce((total, { dias }) => total + dias, 0);
  const { least, most, needed } = boundsOf(given, periods);
  /** @type {(period: Period, power: Rational) => Rational} */
  const fixed = ({ price }, power) => multiply(multiply(price, power), whole(days));
  /** @type {(period: Period, power: Rational) => Rational} */
  const excess = (period, power) => sum(period.entries.map((entry) => excessOf(period, entry, power, byQuarter)));
  const steps =
    given.tariff_type === '2.0TD'
      ? most
      : cheapest(
          periods.map((period, index) =>
            Array.from({ length: Math.max(...most) + 1 }, (_, step) =>
              step < (least[index] ?? 0) || step > (most[index] ?? 0)
                ? null
                : add(fixed(period, atStep(step)), excess(period, atStep(step))),
            ),
          ),
        );
  const optimum = powersOf(periods, steps);
  const notMeasured = periods.filter(({ isKept }) => isKept).map(({ key }) => key);
  /** @type {(powers: readonly Rational[]) => { potencia: object, fixed: Rational, excess: Rational }} */
  const costOf = (powers) => ({
    potencia: Object.fromEntries(periods.map(({ key }, index) => [key, toWireNumber(powers[index] ?? ZERO, 6)])),
    fixed: sum(periods.map((period, index) => fixed(period, powers[index] ?? ZERO))),
    excess: sum(periods.map((period, index) => excess(period, powers[index] ?? ZERO))),
  });
  /** @type {(cost: ReturnType<typeof costOf>) => object} */
  const inEur = ({ potencia, ...cost }) => ({
    potencia,
    fijo: toWireNumber(cost.fixed, 6),
    excesos: toWireNumber(cost.excess, 6),
    total: toWireNumber(add(cost.fixed, cost.excess), 6),
  });
  const actual = costOf(periods.map(({ today }) => today));
  const best = costOf(optimum);
  const saving = subtract(add(actual.fixed, actual.excess), add(best.fixed, best.excess));
  const isByDay = given.tariff_type !== '2.0TD' && !byQuarter;
  return {
    actual: inEur(actual),
    optima: inEur(best),
    cubriente: inEur(costOf(powersOf(periods, most))),
    ahorro_anual: signed(divide(multiply(saving, whole(365)), whole(days))),
    detalle: periods.map((period, index) => {
      const power = optimum[index] ?? ZERO;
      const { key, price, tep, today, entries } = period;
      return {
        periodo: key,
        potencia: toWireNumber(today, 6),
        optima: toWireNumber(power, 6),
        fijo: toWireNumber(fixed(period, power), 6),
        excesos: toWireNumber(excess(period, power), 6),
        dias_rentables:
          isByDay && compare(tep, ZERO) > 0 ? toWireNumber(divide(multiply(price, whole(days)), tep), 6) : null,
        dias_del_periodo: entries.reduce((total, entry) => total + entry.days, 0),
        maximos_por_encima: entries.filter(({ loads }) => compare(highestOf(loads), power) > 0).length,
      };
    }),
    excesos_hoy: given.periodos.flatMap(({ mes = null }, at) =>
      periods.flatMap((period) =>
        period.entries
          .filter((entry) => entry.at === at && compare(highestOf(entry.loads), period.today) > 0)
          .map((entry) => ({
            mes,
            periodo: period.key,
            kw: toWireNumber(subtract(highestOf(entry.loads), period.today), 6),
            eur: toWireNumber(excessOf(period, entry, period.today, byQuarter), 6),
          })),
      ),
    ),
    ...(notMeasured.length > 0 && { periodos_sin_maximos: notMeasured }),
    avisos: noticesOf(given, periods, { optimum, needed, days }),
  };
}
