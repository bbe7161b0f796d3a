import { MICRO } from '../numbers.ts';
import { bestByLine, type Figures, type Kept } from './best.ts';
import { conclude, type Passes } from './conclude.ts';
import type { Demand } from './customer.ts';
import { reachingEdge } from './envelope.ts';
import { type KernelBlock, type KernelTask, QUANTITIES, type RankingKernel, TERM, TERMS_PER_ROW } from './kernel.ts';

/** Working memory, kept from one ranking to the next. Each column is as long as there are rows. */
interface Scratch extends Figures, Kept {
  /** The row over all blocks of each candidate so far. */
  readonly rows: Int32Array;
  /** What surplus is worth to it, EUR. */
  readonly creditEur: Float64Array;
  readonly quantities: Float64Array;
}

function scratchFor(rows: number): Scratch {
  return {
    rows: new Int32Array(rows),
    costMicros: new Float64Array(rows),
    commissionMicros: new Float64Array(rows),
    creditEur: new Float64Array(rows),
    kept: new Int32Array(rows),
    lines: new Float64Array(rows),
    quantities: new Float64Array(QUANTITIES),
  };
}

/** The kernel in plain TypeScript: works everywhere, and is what others are measured against. */
export function createPlainKernel(): RankingKernel {
  let scratch = scratchFor(0);
  return {
    rank(task) {
      const rows = task.blocks.reduce((sum, { mask }) => sum + mask.length, 0);
      if (scratch.rows.length < rows) scratch = scratchFor(rows);
      const { candidates, excluded } = priceAll(task, scratch);
      const passes = candidates > 0 ? passesOver(scratch, candidates) : null;
      return { rankedCount: candidates, excludedCount: excluded, ...conclude(task, passes) };
    },
  };
}

/** How many rows of the blocks so far are candidates, and how many lack a price. */
interface Found {
  readonly candidates: number;
  readonly excluded: number;
}

function priceAll(task: KernelTask, scratch: Scratch): Found {
  let found: Found = { candidates: 0, excluded: 0 };
  let firstRow = 0;
  quantitiesOf(task.demand, scratch.quantities);
  for (const block of task.blocks) {
    const before = found.candidates;
    found = selectRows(block, scratch, { needed: task.neededPrices, firstRow, found });
    const span = { from: before, to: found.candidates, firstRow };
    costsOf(block, scratch, { demand: task.demand, ...span });
    if (task.withCommissions) commissionsOf(block, scratch, { demand: task.demand, ...span });
    else scratch.commissionMicros.fill(0, span.from, span.to);
    firstRow += block.mask.length;
  }
  return found;
}

/** What the customer uses, in the order of the prices. Where nothing is used the price is multiplied by 0. */
function quantitiesOf({ customer }: Demand, quantities: Float64Array): void {
  quantities.fill(0);
  if (customer.supplyType === 'GAS') {
    quantities[TERM.energy] = customer.consumptionKwh;
    return;
  }
  quantities.set(customer.consumptionKwh, TERM.energy);
  quantities.set(customer.powerKw, TERM.power);
}

interface Selection {
  readonly needed: number;
  readonly firstRow: number;
  readonly found: Found;
}

/** Finds the candidates among the rows that pass the filter. */
function selectRows(block: KernelBlock, scratch: Scratch, { needed, firstRow, found }: Selection): Found {
  const { mask, care, want } = block;
  const { rows } = scratch;
  let candidates = found.candidates;
  let excluded = found.excluded;
  const length = mask.length;
  for (let row = 0; row < length; row++) {
    const bits = mask[row] ?? 0;
    if ((bits & care) !== want) continue;
    if ((bits & needed) === needed) rows[candidates++] = firstRow + row;
    else excluded++;
  }
  return { candidates, excluded };
}

/** Candidates of one block, and the row at which the block begins. */
interface Span {
  readonly demand: Demand;
  readonly from: number;
  readonly to: number;
  readonly firstRow: number;
}

/**
 * Whole millionths of what each candidate costs: the operations of `priceOffer`, in the same order, so both give the
 * same bits.
 */
function costsOf(block: KernelBlock, scratch: Scratch, span: Span): void {
  creditsOf(block, scratch, span);
  const { terms } = block;
  const { period, energyFeeEur, powerFeeEur } = span.demand;
  const { days, months } = period;
  const { rows, costMicros, creditEur, quantities } = scratch;
  const { from, to, firstRow } = span;
  const { fixedPerMonth, servicesPerMonth } = TERM;
  const perRow = TERMS_PER_ROW;
  const micro = MICRO;
  // Taken out one by one: a destructured list would be read again in every turn of the loop.
  const e1 = quantities[0] ?? 0;
  const e2 = quantities[1] ?? 0;
  const e3 = quantities[2] ?? 0;
  const e4 = quantities[3] ?? 0;
  const e5 = quantities[4] ?? 0;
  const e6 = quantities[5] ?? 0;
  const p1 = quantities[6] ?? 0;
  const p2 = quantities[7] ?? 0;
  const p3 = quantities[8] ?? 0;
  const p4 = quantities[9] ?? 0;
  const p5 = quantities[10] ?? 0;
  const p6 = quantities[11] ?? 0;
  for (let i = from; i < to; i++) {
    const at = ((rows[i] ?? 0) - firstRow) * perRow;
    const energyEur =
      e1 * (terms[at] ?? 0) +
      e2 * (terms[at + 1] ?? 0) +
      e3 * (terms[at + 2] ?? 0) +
      e4 * (terms[at + 3] ?? 0) +
      e5 * (terms[at + 4] ?? 0) +
      e6 * (terms[at + 5] ?? 0);
    const dailyEur =
      p1 * (terms[at + 6] ?? 0) +
      p2 * (terms[at + 7] ?? 0) +
      p3 * (terms[at + 8] ?? 0) +
      p4 * (terms[at + 9] ?? 0) +
      p5 * (terms[at + 10] ?? 0) +
      p6 * (terms[at + 11] ?? 0);
    const totalEur =
      energyEur +
      energyFeeEur +
      (dailyEur * days + powerFeeEur) +
      (terms[at + fixedPerMonth] ?? 0) * months +
      (0 - (creditEur[i] ?? 0)) +
      (terms[at + servicesPerMonth] ?? 0) * months;
    costMicros[i] = Math.floor(totalEur * micro + 0.5);
  }
}

/** What each candidate credits for surplus, EUR: few customers export, so it has a loop of its own. */
function creditsOf({ terms }: KernelBlock, scratch: Scratch, { demand, from, to, firstRow }: Span): void {
  const { rows, creditEur, quantities } = scratch;
  const exportedKwh = demand.customer.supplyType === 'LUZ' ? demand.customer.exportedKwh : 0;
  creditEur.fill(0, from, to);
  if (exportedKwh === 0) return;
  for (let i = from; i < to; i++) {
    const at = ((rows[i] ?? 0) - firstRow) * TERMS_PER_ROW;
    let energyEur = 0;
    for (let term: number = TERM.energy; term < TERM.power; term++) {
      energyEur += (quantities[term] ?? 0) * (terms[at + term] ?? 0);
    }
    creditEur[i] = Math.max(0, Math.min(exportedKwh * (terms[at + TERM.surplusPerKwh] ?? 0), energyEur));
  }
}

/** Whole millionths of what each candidate pays per contract-year, fees included: the operations of `commissionOf`. */
function commissionsOf(block: KernelBlock, scratch: Scratch, { demand, from, to, firstRow }: Span): void {
  const { annualMwh, highestPowerKw, energyFeeEurPerYear, powerFeeEurPerYear } = demand;
  const powerKw = highestPowerKw ?? 0;
  const { rows, commissionMicros } = scratch;
  const { consumption, power } = block;
  if (!consumption || !power) return;
  const micro = MICRO;
  for (let i = from; i < to; i++) {
    const at = 2 * ((rows[i] ?? 0) - firstRow);
    const energyEur = (consumption[at] ?? 0) + (consumption[at + 1] ?? 0) * annualMwh + energyFeeEurPerYear;
    const powerEur = (power[at] ?? 0) + (power[at + 1] ?? 0) * powerKw + powerFeeEurPerYear;
    commissionMicros[i] = Math.floor((energyEur + powerEur) * micro + 0.5);
  }
}

/** The lowest and the highest of both figures, and the candidates that are cheapest and best paid. */
function extremesOf({ costMicros, commissionMicros }: Scratch, count: number) {
  let minCost = Number.POSITIVE_INFINITY;
  let maxCost = Number.NEGATIVE_INFINITY;
  let minCommission = Number.POSITIVE_INFINITY;
  let maxCommission = Number.NEGATIVE_INFINITY;
  let cheapest = 0;
  let bestPaid = 0;
  for (let i = 0; i < count; i++) {
    const cost = costMicros[i] ?? 0;
    const commission = commissionMicros[i] ?? 0;
    if (cost < minCost) {
      minCost = cost;
      cheapest = i;
    }
    if (cost > maxCost) maxCost = cost;
    if (commission > maxCommission) {
      maxCommission = commission;
      bestPaid = i;
    }
    if (commission < minCommission) minCommission = commission;
  }
  return { minCost, maxCost, minCommission, maxCommission, cheapest, bestPaid };
}

/** The figures of all candidates, and what is told of them. */
function passesOver(scratch: Scratch, count: number): Passes {
  return {
    ...scratch,
    ...extremesOf(scratch, count),
    rowOf: (candidate) => scratch.rows[candidate] ?? 0,
    best: (asked) => scratch.kept.subarray(0, bestByLine(scratch, count, asked)),
    reaching: (lines, edge) => scratch.kept.subarray(0, reachingEdge(scratch, count, { ...lines, edge })),
  };
}
