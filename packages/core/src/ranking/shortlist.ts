import { MICRO } from '../numbers.ts';
import type { Demand } from './customer.ts';
import { type KernelBlock, type KernelTask, QUANTITIES, TERM, TERMS_PER_ROW } from './kernel.ts';

/** Some rows of a task with their figures, as columns that are as long as or longer than `count`. */
export interface Shortlist {
  /** Rows over all blocks. */
  readonly rows: Int32Array;
  readonly ids: Float64Array;
  /** Whole millionths of a euro. */
  readonly costMicros: Float64Array;
  readonly commissionMicros: Float64Array;
  /** Room for what `conclude` works out. */
  readonly scores: Float64Array;
  readonly order: Int32Array;
  count: number;
}

/** An empty shortlist with room for so many rows. */
export function shortlistFor(capacity: number): Shortlist {
  return {
    rows: new Int32Array(capacity),
    ids: new Float64Array(capacity),
    costMicros: new Float64Array(capacity),
    commissionMicros: new Float64Array(capacity),
    scores: new Float64Array(capacity),
    order: new Int32Array(capacity),
    count: 0,
  };
}

/** Rows of one block, and where the figures of each go. */
export interface Span {
  readonly demand: Demand;
  /** Which of the listed rows are of this block, the last one not included. */
  readonly from: number;
  readonly to: number;
  /** The row at which the block begins. */
  readonly firstRow: number;
}

type Figures = Pick<Shortlist, 'rows' | 'costMicros' | 'commissionMicros'>;

const quantities = new Float64Array(QUANTITIES);

/** What the customer uses, in the order of the prices. Where nothing is used the price is multiplied by 0. */
export function quantitiesOf({ customer }: Demand): Float64Array {
  if (customer.supplyType === 'GAS') {
    quantities.fill(0);
    quantities[TERM.energy] = customer.consumptionKwh;
    return quantities;
  }
  const { consumptionKwh, powerKw } = customer;
  for (let i = 0; i < TERM.power; i++) {
    quantities[TERM.energy + i] = consumptionKwh[i] ?? 0;
    quantities[TERM.power + i] = powerKw[i] ?? 0;
  }
  return quantities;
}

/**
 * Whole millionths of what each listed row costs: the operations of `priceOffer`, in the same order, so both give the
 * same bits. `credit` is `Math.max(0, Math.min(worth, energyEur))` in comparisons, which are faster.
 */
export function costsOf({ terms }: KernelBlock, { rows, costMicros }: Figures, span: Span): void {
  const { customer, period, energyFeeEur, powerFeeEur } = span.demand;
  const { days, months } = period;
  const exportedKwh = customer.supplyType === 'LUZ' ? customer.exportedKwh : 0;
  const used = quantitiesOf(span.demand);
  const { from, to, firstRow } = span;
  const { fixedPerMonth, servicesPerMonth, surplusPerKwh } = TERM;
  const perRow = 1 * TERMS_PER_ROW;
  const micro = 1 * MICRO;
  // Taken out one by one: a list would be read again in every turn of the loop.
  const e1 = used[0] ?? 0;
  const e2 = used[1] ?? 0;
  const e3 = used[2] ?? 0;
  const e4 = used[3] ?? 0;
  const e5 = used[4] ?? 0;
  const e6 = used[5] ?? 0;
  const p1 = used[6] ?? 0;
  const p2 = used[7] ?? 0;
  const p3 = used[8] ?? 0;
  const p4 = used[9] ?? 0;
  const p5 = used[10] ?? 0;
  const p6 = used[11] ?? 0;
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
    const worth = exportedKwh * (terms[at + surplusPerKwh] ?? 0);
    const most = worth < energyEur ? worth : energyEur;
    const credit = most >= 0 ? most : 0;
    const totalEur =
      energyEur +
      energyFeeEur +
      (dailyEur * days + powerFeeEur) +
      (terms[at + fixedPerMonth] ?? 0) * months +
      (0 - credit) +
      (terms[at + servicesPerMonth] ?? 0) * months;
    costMicros[i] = Math.floor(totalEur * micro + 0.5);
  }
}

/** Whole millionths of what each pays per contract-year, fees included: the operations of `commissionOf`. */
export function commissionsOf({ consumption, power }: KernelBlock, figures: Figures, span: Span): void {
  const { rows, commissionMicros } = figures;
  const { demand, from, to, firstRow } = span;
  if (!consumption || !power) {
    commissionMicros.fill(0, from, to);
    return;
  }
  const { annualMwh, highestPowerKw, energyFeeEurPerYear, powerFeeEurPerYear } = demand;
  const powerKw = highestPowerKw ?? 0;
  const micro = 1 * MICRO;
  for (let i = from; i < to; i++) {
    const at = 2 * ((rows[i] ?? 0) - firstRow);
    const energyEur = (consumption[at] ?? 0) + (consumption[at + 1] ?? 0) * annualMwh + energyFeeEurPerYear;
    const powerEur = (power[at] ?? 0) + (power[at + 1] ?? 0) * powerKw + powerFeeEurPerYear;
    commissionMicros[i] = Math.floor((energyEur + powerEur) * micro + 0.5);
  }
}

/** Gives each listed row its figures and its id; rows ascend. */
export function fillShortlist(task: KernelTask, list: Shortlist): void {
  const { demand, withCommissions } = task;
  const { rows, count } = list;
  let from = 0;
  let firstRow = 0;
  for (const block of task.blocks) {
    const end = firstRow + block.mask.length;
    let to = from;
    while (to < count && (rows[to] ?? 0) < end) to++;
    if (to > from) {
      const span = { demand, from, to, firstRow };
      costsOf(block, list, span);
      if (withCommissions) commissionsOf(block, list, span);
      else list.commissionMicros.fill(0, from, to);
      idsOf(block, list, span);
    }
    if (to === count) return;
    from = to;
    firstRow = end;
  }
}

function idsOf({ terms }: KernelBlock, { rows, ids }: Shortlist, { from, to, firstRow }: Span): void {
  for (let i = from; i < to; i++) ids[i] = terms[((rows[i] ?? 0) - firstRow) * TERMS_PER_ROW + TERM.id] ?? 0;
}
