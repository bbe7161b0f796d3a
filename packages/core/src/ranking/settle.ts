import { MICRO } from '../numbers.ts';
import { PERIOD_COUNT } from '../periods.ts';
import type { Demand } from './customer.ts';
import { type KernelAnswer, type Place, type PriceRows, QUANTITIES, TERM, TERMS_PER_ROW } from './kernel.ts';
import { nearnessOf, rangeInEuros, scaleOf } from './scales.ts';
import { commissionScore, compareStandings, compareTied, priceScore, type Range, weightedScore } from './score.ts';
import type { SelectedLines } from './selection.ts';
import type { Sifted } from './sieve.ts';

/** What a portfolio asks for one of its customers. */
export interface PortfolioTask {
  readonly demand: Demand;
  readonly lines: SelectedLines;
  readonly neededPrices: number;
  readonly withCommissions: boolean;
  /** 0 to 1; 1 when commissions were not asked for. */
  readonly weight: number;
  /** At least 1. */
  readonly limit: number;
}

/** What a portfolio finds for one of its customers. */
export interface PortfolioFinding extends Omit<KernelAnswer, 'contenders'> {
  /** The first at weight 1; `null` when nothing is ranked. */
  readonly cheapestId: number | null;
}

/** With more that may be among the best than this share of the rows, ranking all of them is no more work. */
const LARGEST_SHARE = 1 / 8;
/** Nobody counts so few. */
const FEW = 64;

/**
 * Ranks the rows that a sieve left to a customer, by exact figures.
 *
 * @param customer - His place in the sieve.
 * @returns `null` where the sieve left so many that one may as well rank all.
 * @see docs/decisions/0016-a-sieve-for-portfolios.md
 */
export function settle(
  sifted: Sifted,
  customer: number,
  { rows, task }: { readonly rows: PriceRows; readonly task: PortfolioTask },
): PortfolioFinding | null {
  const rowCount = rows.mask.length;
  const { pricedCount } = sifted;
  const counts = { rankedCount: pricedCount, excludedCount: rowCount - pricedCount };
  if (pricedCount === 0) {
    return { ...counts, costRangeEur: null, commissionRangeEur: null, best: [], cheapestId: null };
  }
  const { withCommissions, weight, limit } = task;
  const exact = exactFigures(rows, task);
  const maxCost = highestOf(sifted.dearest(customer), exact.costMicros);
  const cheapest = sifted.cheapest(customer);
  const minCost = lowestOf(cheapest, exact.costMicros);
  const cheapestId = firstCheapest(cheapest, minCost, exact);
  const minPaid = withCommissions ? lowestOf(sifted.leastPaid(customer), exact.paidMicros) : 0;
  const maxPaid = withCommissions ? highestOf(sifted.bestPaid(customer), exact.paidMicros) : 0;
  const price = scaleOf(minCost, maxCost);
  const commission = scaleOf(minPaid, maxPaid);
  const left = sifted.best(customer, {
    pointsPerCostEur: weight * price.perMicro * MICRO,
    pointsPerPaidEur: (1 - weight) * commission.perMicro * MICRO,
    nearness: nearnessOf(price, commission),
    limit,
  });
  if (left.length > Math.max(FEW, limit + rowCount * LARGEST_SHARE)) return null;
  const ranges = { cost: rangeInEuros(minCost, maxCost), commission: rangeInEuros(minPaid, maxPaid) };
  const best = firstOf(left, exact, { weight, limit, ...ranges });
  return { ...counts, costRangeEur: ranges.cost, commissionRangeEur: ranges.commission, best, cheapestId };
}

/** Figures of rows by the operations of `priceOffer` and `commissionOf`, in their order. */
interface ExactFigures {
  readonly costMicros: (row: number) => number;
  readonly paidMicros: (row: number) => number;
  readonly idOf: (row: number) => number;
}

const quantities = new Float64Array(QUANTITIES);

function exactFigures({ terms }: PriceRows, { demand, lines, withCommissions }: PortfolioTask): ExactFigures {
  const { customer, period, energyFeeEur, powerFeeEur, annualMwh, highestPowerKw } = demand;
  const { days, months } = period;
  const { energyFeeEurPerYear, powerFeeEurPerYear } = demand;
  const { consumption, power } = lines;
  const powerKw = highestPowerKw ?? 0;
  const electric = customer.supplyType === 'LUZ' ? customer : null;
  const exportedKwh = electric?.exportedKwh ?? 0;
  quantities.fill(0);
  if (customer.supplyType === 'GAS') quantities[TERM.energy] = customer.consumptionKwh;
  for (let i = 0; i < PERIOD_COUNT; i++) {
    if (!electric) break;
    quantities[TERM.energy + i] = electric.consumptionKwh[i] ?? 0;
    quantities[TERM.power + i] = electric.powerKw[i] ?? 0;
  }
  return {
    costMicros(row) {
      const at = row * TERMS_PER_ROW;
      let energyEur = 0;
      for (let term: number = TERM.energy; term < TERM.power; term++) {
        energyEur += (quantities[term] ?? 0) * (terms[at + term] ?? 0);
      }
      let dailyEur = 0;
      for (let term: number = TERM.power; term < TERM.fixedPerMonth; term++) {
        dailyEur += (quantities[term] ?? 0) * (terms[at + term] ?? 0);
      }
      const creditEur = Math.max(0, Math.min(exportedKwh * (terms[at + TERM.surplusPerKwh] ?? 0), energyEur));
      const totalEur =
        energyEur +
        energyFeeEur +
        (dailyEur * days + powerFeeEur) +
        (terms[at + TERM.fixedPerMonth] ?? 0) * months +
        (0 - creditEur) +
        (terms[at + TERM.servicesPerMonth] ?? 0) * months;
      return Math.floor(totalEur * MICRO + 0.5);
    },
    paidMicros(row) {
      if (!withCommissions || !consumption || !power) return 0;
      const at = 2 * row;
      const energyEur = (consumption[at] ?? 0) + (consumption[at + 1] ?? 0) * annualMwh + energyFeeEurPerYear;
      const powerEur = (power[at] ?? 0) + (power[at + 1] ?? 0) * powerKw + powerFeeEurPerYear;
      return Math.floor((energyEur + powerEur) * MICRO + 0.5);
    },
    idOf: (row) => terms[row * TERMS_PER_ROW + TERM.id] ?? 0,
  };
}

function lowestOf(rows: Int32Array, figureOf: (row: number) => number): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rows.length; i++) lowest = Math.min(lowest, figureOf(rows[i] ?? 0));
  return lowest;
}

function highestOf(rows: Int32Array, figureOf: (row: number) => number): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < rows.length; i++) highest = Math.max(highest, figureOf(rows[i] ?? 0));
  return highest;
}

/** Who comes first at weight 1, where only who costs least can: the rest of the order is that of ties. */
function firstCheapest(rows: Int32Array, minCost: number, { costMicros, paidMicros, idOf }: ExactFigures): number {
  const costEur = minCost / MICRO;
  let first = { costEur, commissionEur: Number.NEGATIVE_INFINITY, id: Number.POSITIVE_INFINITY };
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0;
    if (costMicros(row) / MICRO > costEur) continue;
    const other = { costEur, commissionEur: paidMicros(row) / MICRO, id: idOf(row) };
    if (compareTied(other, first) < 0) first = other;
  }
  return first.id;
}

interface Scoring {
  readonly weight: number;
  readonly limit: number;
  readonly cost: Range;
  readonly commission: Range;
}

/** The first of some rows by A-18. Few are left, and most of those are told: each is put where it belongs. */
function firstOf(
  rows: Int32Array,
  { costMicros, paidMicros, idOf }: ExactFigures,
  { weight, limit, cost, commission }: Scoring,
): readonly Place[] {
  const first: Place[] = [];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0;
    const costEur = costMicros(row) / MICRO;
    const commissionEur = paidMicros(row) / MICRO;
    const scores = { price: priceScore(costEur, cost), commission: commissionScore(commissionEur, commission) };
    const place = { score: weightedScore(weight, scores), costEur, commissionEur, id: idOf(row), row };
    let at = first.length;
    for (; at > 0; at--) {
      const before = first[at - 1];
      if (!before || compareStandings(before, place) < 0) break;
      if (at < limit) first[at] = before;
    }
    if (at < limit) first[at] = place;
  }
  return first;
}
