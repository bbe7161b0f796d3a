import { MAX_KW, MAX_KW_OF_2_0TD } from '../bounds.ts';
import { dayNumber } from '../calendar.ts';

import { assert, refuseIfAny } from '../errors.ts';
import { say } from '../messages/message.ts';
import { decimalDigits, roundHalfUp } from '../numbers.ts';

import { highestOf, type PeriodCost, type PeriodLoads, type PeriodPrices, periodCost, toEur } from './power-cost.ts';
import { checkQuestion, isMeasuredByQuarter, mayBeWatts, type PowerQuestion, powerIssues } from './power-question.ts';
import {
  powerPeriodsOf,
  pricedConcepts,
  REGULATED_PRICES,
  type RegulatedConcept,
  type RegulatedPrice,
  regulatedPricesOn,
} from './regulated-prices.ts';

/** What a reader of an advised power has to know, in the order of the answer. The codes are wire values. */
export const POWER_NOTICES = [
  'cabe_en_2_0TD',
  'necesita_3_0TD',
  'un_cambio_al_ano',
  'derechos_insuficientes',
  'maximos_por_hora',
  'menos_de_un_ano',
  'maximos_improbables',
] as const;
export type PowerNotice = (typeof POWER_NOTICES)[number];

/** What power costs over the time of the question. Each figure is rounded by itself, to six decimals. */
export interface PowerCost {
  /** kW by period, P1 first: two or six. */
  readonly powerKw: readonly number[];
  /** EUR. */
  readonly fixedEur: number;
  /** EUR. */
  readonly excessEur: number;
  /** EUR. */
  readonly totalEur: number;
}

/** The advised power in one period. */
export interface PeriodAdvice {
  /** The number of the period, 0 for P1. */
  readonly period: number;
  /** kW contracted today. */
  readonly powerKw: number;
  /** kW that cost least. */
  readonly optimumKw: number;
  /** EUR of the power over the entries, at the optimum. */
  readonly fixedEur: number;
  /** EUR of its excesses over the entries, at the optimum. */
  readonly excessEur: number;
  /** A kW pays only if it is used on more days; `null`: excess is not paid by the day, or costs nothing. */
  readonly breakEvenDays: number | null;
  /** Days of the entries that have the period. */
  readonly days: number;
  /** How many entries have a maximum above the optimum. */
  readonly maximaAbove: number;
}

/** Excess of the power of today. */
export interface PresentExcess {
  /** The month of the year, 1 to 12; `null`: not known. */
  readonly month: number | null;
  /** The number of the period, 0 for P1. */
  readonly period: number;
  /** kW of the maximum above the contract. */
  readonly excessKw: number;
  /** EUR. */
  readonly excessEur: number;
}

/** The right contracted power. */
export interface PowerAdvice {
  readonly present: PowerCost;
  /** The cheapest; of equally cheap ones the highest in every period. */
  readonly optimum: PowerCost;
  /** The lowest without excess. */
  readonly covering: PowerCost;
  /** Of the optimum, in proportion to 365 days. */
  readonly yearlySavingEur: number;
  readonly periods: readonly PeriodAdvice[];
  readonly presentExcesses: readonly PresentExcess[];
  /** Periods without a maximum above 0 kW, 0 for P1: they keep the power of today, or have that of the period before. */
  readonly unmeasuredPeriods: readonly number[];
  /** The regulated prices that were used. */
  readonly rows: readonly RegulatedPrice[];
  readonly notices: readonly PowerNotice[];
}

const YEAR_DAYS = 365n;
const FEW_DAYS = 350;
/** Millionths of a kW in a step of power, a tenth of a kW. */
const STEP = 100_000n;
/** The least power of P6 in 3.0TD. */
const MIN_P6_OF_3_0TD_KW = MAX_KW_OF_2_0TD + 0.1;
const MIN_KW = 0.1;

//
/**
 * The contracted power at which price and excess cost least, by the prices of a day.
 *
 * @param table - The regulated prices, with those of an operator.
 * @throws RangeError for a member that is unknown or of another kind, and a day that does not exist, and DomainError `business_rule` for a question that contradicts its
 *   tariff, its months or its bounds, for meters of types 1 to 3 without quarter-hours, and for regulated prices that are
 *   not known: none is assumed.
 */
export function optimizePower(
  question: PowerQuestion,
  table: readonly RegulatedPrice[] = REGULATED_PRICES,
): PowerAdvice {
  checkQuestion(question);
  assert(dayNumber(question.day) !== null, 'prices are those of a real day, YYYY-MM-DD');
  refuseIfAny(powerIssues(question));
  const { tariff } = question;
  const days = question.entries.reduce((sum, entry) => sum + entry.days, 0);
  const { periods, rows } = periodsOf(question, days, table);
  const highest = highestOf(periods.flatMap(({ entries }) => entries.map((entry) => entry.highest)));
  const bounds = boundsOf(question, periods, highest);
  const covering = asKept(
    periods,
    bounds.map(({ most }) => most),
  );
  const optimum = asKept(periods, tariff === '2.0TD' ? covering : cheapest(periods, bounds));
  const costAt = (powers: readonly bigint[]) => costOf(periods, powers);
  const [present, best] = [costAt(periods.map(({ today }) => today)), costAt(optimum)];
  const isSmall = highest <= millionths(MAX_KW_OF_2_0TD);
  const holds: Readonly<Record<PowerNotice, boolean>> = {
    cabe_en_2_0TD: tariff === '3.0TD' && isSmall && periods.every(({ isMeasured }) => isMeasured),
    necesita_3_0TD: tariff === '2.0TD' && !isSmall,
    un_cambio_al_ano: periods.some(({ today }, index) => today !== optimum[index]),
    derechos_insuficientes: ceilStep(highest) > millionths(question.rightsKw ?? MAX_KW),
    maximos_por_hora: question.measured === 'hours',
    menos_de_un_ano: days < FEW_DAYS,
    maximos_improbables: mayBeWatts(highestSent(question), question),
  };
  return {
    present: inEur(present),
    optimum: inEur(best),
    covering: inEur(costAt(covering)),
    yearlySavingEur: toEur((present.fixed + present.excess - best.fixed - best.excess) * YEAR_DAYS, BigInt(days)),
    periods: periods.map((period, index) => adviceOf(period, optimum[index] ?? 0n)),
    presentExcesses: presentExcesses(question.entries, periods),
    unmeasuredPeriods: periods.flatMap(({ period, isMeasured }) => (isMeasured ? [] : [period])),
    rows,
    notices: POWER_NOTICES.filter((code) => holds[code]),
  };
}

const millionths = (kw: number): bigint => decimalDigits(kw, 6);
const toKw = (power: bigint): number => Number(power) / 1e6;
const ceilStep = (power: bigint): bigint => ((power + STEP - 1n) / STEP) * STEP;

interface PeriodEntry extends PeriodLoads {
  /** Which of the question. */
  readonly index: number;
  readonly highest: bigint;
}

interface Period {
  readonly period: number;
  /** Contracted, millionths of a kW. */
  readonly today: bigint;
  readonly entries: readonly PeriodEntry[];
  /** Some load is above 0. */
  readonly isMeasured: boolean;
  readonly cost: PeriodCost;
  readonly breakEvenDays: number | null;
}

function periodsOf(question: PowerQuestion, days: number, table: readonly RegulatedPrice[]) {
  const byRoot = isMeasuredByQuarter(question);
  const { pricesOf, rows } = pricesFor(question, byRoot, table);
  const margin = millionths(question.marginKw ?? 0);
  const periods = powerPeriodsOf(question.tariff).map((period): Period => {
    const entries = question.entries.flatMap((entry, index) => {
      const loads = entry.loadsKw[period]?.map((kw) => millionths(kw) + margin);
      return loads ? [{ index, days: BigInt(entry.days), loads, highest: highestOf(loads) }] : [];
    });
    const prices = pricesOf(period);
    const today = millionths(question.powerKw[period] ?? 0);
    const isByDay = !byRoot && prices.excess > 0n;
    return {
      ...{
        period,
        today,
        entries,
        isMeasured: question.entries.some(({ loadsKw }) => loadsKw[period]?.some(isAbove0)),
      },
      cost: periodCost(entries, { ...prices, days: BigInt(days), byRoot }),
      breakEvenDays: isByDay ? roundHalfUp((Number(prices.price) * days) / Number(prices.excess), 6) : null,
    };
  });
  return { periods, rows };
}

/** The prices of a question, and the regulated ones among them. @throws DomainError where one is not known. */
function pricesFor(
  { tariff, day, pricesEurPerKwDay }: PowerQuestion,
  byRoot: boolean,
  table: readonly RegulatedPrice[],
) {
  const known = regulatedPricesOn(day, tariff, table);
  const excessConcept = byRoot ? 'exceso_tipos_1_3' : 'exceso_tipos_4_5';
  const priced = pricesEurPerKwDay ? [] : pricedConcepts(tariff);
  const needed: readonly RegulatedConcept[] = tariff === '2.0TD' ? priced : [...priced, excessConcept];
  const open = needed.filter((concept) => !known.some((row) => row.concept === concept));
  refuseIfAny(
    open.map((concept) => ({
      path: 'power.day',
      message: say('the regulated price {concept} of {tariff} is not known on that day', { concept, tariff }),
    })),
  );
  const rows = known.filter(({ concept }) => needed.includes(concept));
  const sumOf = (concepts: readonly RegulatedConcept[], period: number) =>
    rows
      .filter(({ concept }) => concepts.includes(concept))
      .reduce((sum, { prices }) => sum + decimalDigits(prices[period] ?? 0, 12), 0n);
  const pricesOf = (period: number): PeriodPrices => ({
    price: pricesEurPerKwDay ? decimalDigits(pricesEurPerKwDay[period] ?? 0, 12) * YEAR_DAYS : sumOf(priced, period),
    excess: sumOf([excessConcept], period) * YEAR_DAYS,
  });
  return { pricesOf, rows };
}

const isAbove0 = (kw: number) => kw > 0;

function highestSent({ entries }: PowerQuestion): number {
  return entries.reduce(
    (highest, { loadsKw }) => loadsKw.flat().reduce<number>((most, kw) => Math.max(most, kw ?? 0), highest),
    0,
  );
}

/** Powers between which a period is advised, in whole steps; of one that was not measured that of today at least. */
interface Bounds {
  readonly least: bigint;
  /** Without excess, as far as the rights of extension allow. */
  readonly most: bigint;
}

/** @throws DomainError for rights below the least power that is allowed. */
function boundsOf(question: PowerQuestion, periods: readonly Period[], highest: bigint): readonly Bounds[] {
  const { tariff, leastKw, rightsKw = MAX_KW } = question;
  const needsP6 = tariff === '3.0TD' && highest > millionths(MAX_KW_OF_2_0TD);
  const mostAllowed = (millionths(tariff === '2.0TD' ? Math.min(MAX_KW_OF_2_0TD, rightsKw) : rightsKw) / STEP) * STEP;
  const bounds: Bounds[] = [];
  for (const { period, entries, isMeasured, today } of periods) {
    const lawKw = period === 5 && needsP6 ? MIN_P6_OF_3_0TD_KW : isMeasured ? MIN_KW : 0;
    const before = tariff === '2.0TD' ? undefined : bounds.at(-1);
    const own = ceilStep(millionths(Math.max(leastKw?.[period] ?? 0, lawKw)));
    const kept = isMeasured ? 0n : ceilStep(today < mostAllowed ? today : mostAllowed);
    const least = highestOf([own, before?.least ?? 0n, kept]);
    const needed = highestOf([least, before?.most ?? 0n, ...entries.map((entry) => ceilStep(entry.highest))]);
    bounds.push({ least, most: needed < mostAllowed ? needed : mostAllowed });
  }
  const least = highestOf(bounds.map((bound) => bound.least));
  const message = say('must be at least {min}', { min: toKw(least) });
  refuseIfAny(least > mostAllowed ? [{ path: 'power.rightsKw', message }] : []);
  return bounds;
}

/** Powers in whole steps, those of today that are kept as they are contracted: perhaps between two steps. */
function asKept(periods: readonly Period[], steps: readonly bigint[]): readonly bigint[] {
  const powers: bigint[] = [];
  for (const [index, { isMeasured, today }] of periods.entries()) {
    const step = steps[index] ?? 0n;
    const before = periods.length === 2 ? 0n : (powers.at(-1) ?? 0n);
    powers.push(!isMeasured && step === ceilStep(today) && before <= today ? today : step);
  }
  return powers;
}

interface Block {
  readonly first: number;
  readonly last: number;
  readonly power: bigint;
}

/**
 * The cheapest powers that do not fall from period to period: neighbours that would fall get one power together. Each
 * such block has its largest minimum, so that of equally cheap powers the highest are advised.
 */
function cheapest(periods: readonly Period[], bounds: readonly Bounds[]): readonly bigint[] {
  const blocks: Block[] = [];
  const blockOf = (first: number, last: number): Block => {
    const own = periods.slice(first, last + 1);
    const within = bounds.slice(first, last + 1);
    const costAt = (step: bigint) =>
      own.reduce((sum, { cost }) => sum + cost.fixed(step * STEP) + cost.excess(step * STEP), 0n);
    // The cost is convex: it falls or stays up to its largest minimum.
    let low = highestOf(within.map(({ least }) => least)) / STEP;
    let high = within.reduce((lowest, { most }) => (most < lowest ? most : lowest), within[0]?.most ?? 0n) / STEP;
    while (low < high) {
      const middle = (low + high + 1n) / 2n;
      if (costAt(middle) <= costAt(middle - 1n)) low = middle;
      else high = middle - 1n;
    }
    return { first, last, power: low * STEP };
  };
  for (const index of periods.keys()) {
    let block = blockOf(index, index);
    for (let before = blocks.at(-1); before && before.power > block.power; before = blocks.at(-1)) {
      blocks.pop();
      block = blockOf(before.first, index);
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ first, last, power }) => new Array<bigint>(last - first + 1).fill(power));
}

interface ExactCost {
  readonly powers: readonly bigint[];
  readonly fixed: bigint;
  readonly excess: bigint;
}

function costOf(periods: readonly Period[], powers: readonly bigint[]): ExactCost {
  const sumOf = (part: 'fixed' | 'excess') =>
    periods.reduce((sum, { cost }, index) => sum + cost[part](powers[index] ?? 0n), 0n);
  return { powers, fixed: sumOf('fixed'), excess: sumOf('excess') };
}

function inEur({ powers, fixed, excess }: ExactCost): PowerCost {
  return {
    powerKw: powers.map(toKw),
    fixedEur: toEur(fixed),
    excessEur: toEur(excess),
    totalEur: toEur(fixed + excess),
  };
}

function adviceOf({ period, today, entries, cost, breakEvenDays }: Period, optimum: bigint): PeriodAdvice {
  return {
    period,
    powerKw: toKw(today),
    optimumKw: toKw(optimum),
    fixedEur: toEur(cost.fixed(optimum)),
    excessEur: toEur(cost.excess(optimum)),
    breakEvenDays,
    days: Number(entries.reduce((sum, { days }) => sum + days, 0n)),
    maximaAbove: entries.filter(({ highest }) => highest > optimum).length,
  };
}

/** By entry, then by period. */
function presentExcesses(sent: PowerQuestion['entries'], periods: readonly Period[]): readonly PresentExcess[] {
  const costs = periods.map(({ cost, today }) => cost.excesses(today));
  return sent.flatMap(({ month }, index) =>
    periods.flatMap(({ period, today, entries }, at) => {
      const place = entries.findIndex((entry) => entry.index === index);
      const excess = (entries[place]?.highest ?? 0n) - today;
      const excessEur = toEur(costs[at]?.[place] ?? 0n);
      return excess > 0n ? [{ month, period, excessKw: toKw(excess), excessEur }] : [];
    }),
  );
}
