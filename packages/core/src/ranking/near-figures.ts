import { MICRO } from '../numbers.ts';
import type { Demand } from './customer.ts';
import { type KernelBlock, type KernelTask, TERM, TERMS_PER_ROW } from './kernel.ts';
import { factorsOf, LANE, lanesOf, spanOf, UNITS_OF_DOUBT, unitOf } from './lanes.ts';
import { quantitiesOf } from './shortlist.ts';

/** Figures beyond this are not told apart well enough by doubles with more digits than these, EUR. */
const LARGEST = 1e9;
/** The definition rounds to a millionth, which moves a figure by half of one. */
const LEAST_DOUBT = 2;
/** Far more than what the doubles of the definition and those here are rounded by, in size. */
const ROUNDINGS = 2 ** -40;
/** A commission line: EUR per year, and EUR per unit. */
const LINE_COLUMNS = 2;

/** How one customer is priced two offers at a time; see decision 21 for how far off that may be. */
export interface NearDemand {
  readonly perCost: number;
  readonly perPaid: number;
  /** Near figures and those of the definition differ by at most this, millionths of a euro. */
  readonly costDoubt: number;
  readonly paidDoubt: number;
}

const used = new Float64Array(TERMS_PER_ROW);
const atConsumption = new Float64Array(LINE_COLUMNS);
const atPower = new Float64Array(LINE_COLUMNS);

/** What every column is multiplied with: `used`, and the lines at the customer's consumption and power. */
function writeQuantities(demand: Demand): void {
  const { days, months } = demand.period;
  const quantities = quantitiesOf(demand);
  for (let term: number = TERM.energy; term < TERM.power; term++) used[term] = quantities[term] ?? 0;
  for (let term: number = TERM.power; term < TERM.fixedPerMonth; term++) used[term] = (quantities[term] ?? 0) * days;
  used[TERM.fixedPerMonth] = months;
  used[TERM.servicesPerMonth] = months;
  used[TERM.surplusPerKwh] = demand.customer.supplyType === 'LUZ' ? demand.customer.exportedKwh : 0;
  used[TERM.id] = 0;
  atConsumption[0] = 1;
  atConsumption[1] = demand.annualMwh;
  atPower[0] = 1;
  atPower[1] = demand.highestPowerKw ?? 0;
}

/** `null` when there are figures too large to be told apart. Holds until the next demand. */
export function nearDemandOf({ blocks, demand }: KernelTask): NearDemand | null {
  writeQuantities(demand);
  let cost = 0;
  let paid = 0;
  for (const { terms, consumption, power } of blocks) {
    cost = Math.max(cost, spanOf(lanesOf(terms, TERMS_PER_ROW), used));
    if (!consumption || !power) continue;
    const pays = spanOf(lanesOf(consumption, LINE_COLUMNS), atConsumption);
    paid = Math.max(paid, pays + spanOf(lanesOf(power, LINE_COLUMNS), atPower));
  }
  const fees = Math.abs(demand.energyFeeEur) + Math.abs(demand.powerFeeEur);
  const feesPerYear = Math.abs(demand.energyFeeEurPerYear) + Math.abs(demand.powerFeeEurPerYear);
  // Not a number is not below either.
  if (!(cost + fees < LARGEST && paid + feesPerYear < LARGEST)) return null;
  const [perCost, perPaid] = [unitOf(cost) * MICRO, unitOf(paid) * MICRO];
  return {
    perCost,
    perPaid,
    costDoubt: UNITS_OF_DOUBT * perCost + ROUNDINGS * (cost + fees) * MICRO + LEAST_DOUBT,
    paidDoubt: UNITS_OF_DOUBT * perPaid + ROUNDINGS * (paid + feesPerYear) * MICRO + LEAST_DOUBT,
  };
}

const factors = new Float64Array(TERMS_PER_ROW);
const consumptionFactors = new Float64Array(LINE_COLUMNS);
const powerFactors = new Float64Array(LINE_COLUMNS);

/** Where the figures of a block go, millionths of a euro. */
interface Target {
  readonly figures: Float64Array;
  readonly firstRow: number;
  readonly unit: number;
}

/** What every row of a block costs nearly, whether it takes part or not. */
export function nearCosts({ terms, mask }: KernelBlock, demand: Demand, target: Target): void {
  const { figures, firstRow, unit } = target;
  const { pairs, lowest } = lanesOf(terms, TERMS_PER_ROW);
  const fees = demand.energyFeeEur + demand.powerFeeEur;
  const perUnit = unit;
  const lane = 1 * LANE;
  const perLane = 1 / LANE;
  const base = factorsOf(lanesOf(terms, TERMS_PER_ROW), used, unit / MICRO, factors);
  const exportedKwh = used[TERM.surplusPerKwh] ?? 0;
  // The lowest surplus counts where surplus does, and so do the lowest prices of energy: energy is compared with it.
  const worthFrom = exportedKwh * (lowest[TERM.surplusPerKwh] ?? 0) * MICRO;
  let energyFrom = 0;
  for (let term: number = TERM.energy; term < TERM.power; term++) energyFrom += (used[term] ?? 0) * (lowest[term] ?? 0);
  energyFrom *= MICRO;
  const restFrom = (base + fees) * MICRO - worthFrom - energyFrom;
  // Taken out one by one: a list would be read again in every turn of the loop.
  const e1 = factors[0] ?? 0;
  const e2 = factors[1] ?? 0;
  const e3 = factors[2] ?? 0;
  const e4 = factors[3] ?? 0;
  const e5 = factors[4] ?? 0;
  const e6 = factors[5] ?? 0;
  const p1 = factors[6] ?? 0;
  const p2 = factors[7] ?? 0;
  const p3 = factors[8] ?? 0;
  const p4 = factors[9] ?? 0;
  const p5 = factors[10] ?? 0;
  const p6 = factors[11] ?? 0;
  const fixed = factors[TERM.fixedPerMonth] ?? 0;
  const services = factors[TERM.servicesPerMonth] ?? 0;
  const surplus = factors[TERM.surplusPerKwh] ?? 0;
  const rows = mask.length;
  let at = 0;
  for (let row = 0; row < rows; row += 2) {
    const energy =
      e1 * (pairs[at] ?? 0) +
      e2 * (pairs[at + 1] ?? 0) +
      (e3 * (pairs[at + 2] ?? 0) + e4 * (pairs[at + 3] ?? 0)) +
      (e5 * (pairs[at + 4] ?? 0) + e6 * (pairs[at + 5] ?? 0));
    const rest =
      p1 * (pairs[at + 6] ?? 0) +
      p2 * (pairs[at + 7] ?? 0) +
      (p3 * (pairs[at + 8] ?? 0) + p4 * (pairs[at + 9] ?? 0)) +
      (p5 * (pairs[at + 10] ?? 0) + p6 * (pairs[at + 11] ?? 0)) +
      (fixed * (pairs[at + 12] ?? 0) + services * (pairs[at + 13] ?? 0));
    const worth = surplus * (pairs[at + 14] ?? 0);
    at += 16;
    const highEnergy = Math.floor(energy * perLane);
    const highRest = Math.floor(rest * perLane);
    const highWorth = Math.floor(worth * perLane);
    const lowEnergyMicros = energyFrom + perUnit * (energy - highEnergy * lane);
    const highEnergyMicros = energyFrom + perUnit * highEnergy;
    const lowCreditMicros = worthFrom + perUnit * (worth - highWorth * lane);
    const highCreditMicros = worthFrom + perUnit * highWorth;
    const lowMostMicros = lowCreditMicros < lowEnergyMicros ? lowCreditMicros : lowEnergyMicros;
    const highMostMicros = highCreditMicros < highEnergyMicros ? highCreditMicros : highEnergyMicros;
    const lowNetMicros = lowEnergyMicros - (lowMostMicros >= 0 ? lowMostMicros : 0);
    const highNetMicros = highEnergyMicros - (highMostMicros >= 0 ? highMostMicros : 0);
    const low = restFrom + perUnit * (rest - highRest * lane) + lowNetMicros;
    const high = restFrom + perUnit * highRest + highNetMicros;
    figures[firstRow + row] = low;
    figures[firstRow + row + 1] = high;
  }
}

/** What every row of a block pays nearly. */
export function nearCommissions({ consumption, power, mask }: KernelBlock, demand: Demand, target: Target): void {
  if (!consumption || !power) return;
  const { figures, firstRow, unit } = target;
  const [lines, powerLines] = [lanesOf(consumption, LINE_COLUMNS), lanesOf(power, LINE_COLUMNS)];
  const base =
    factorsOf(lines, atConsumption, unit / MICRO, consumptionFactors) +
    factorsOf(powerLines, atPower, unit / MICRO, powerFactors);
  const from = (base + demand.energyFeeEurPerYear + demand.powerFeeEurPerYear) * MICRO;
  const { pairs } = lines;
  const { pairs: powerPairs } = powerLines;
  const perUnit = unit;
  const lane = 1 * LANE;
  const perLane = 1 / LANE;
  const once = consumptionFactors[0] ?? 0;
  const perMwh = consumptionFactors[1] ?? 0;
  const onceToo = powerFactors[0] ?? 0;
  const perKw = powerFactors[1] ?? 0;
  const rows = mask.length;
  for (let row = 0; row < rows; row += 2) {
    const both =
      once * (pairs[row] ?? 0) +
      perMwh * (pairs[row + 1] ?? 0) +
      (onceToo * (powerPairs[row] ?? 0) + perKw * (powerPairs[row + 1] ?? 0));
    const above = Math.floor(both * perLane);
    const low = from + perUnit * (both - above * lane);
    const high = from + perUnit * above;
    figures[firstRow + row] = low;
    figures[firstRow + row + 1] = high;
  }
}
