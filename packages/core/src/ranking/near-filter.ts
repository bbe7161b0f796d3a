import { bestByLine, type Figures, type Kept, type ScoreLines } from './best.ts';
import type { End, Passes } from './conclude.ts';
import { type Edge, type HalfPlane, reachingEdge } from './envelope.ts';
import type { KernelTask } from './kernel.ts';
import { leftOutOf } from './left-out.ts';
import { type NearDemand, nearCommissions, nearCosts, nearDemandOf } from './near-figures.ts';
import { fillShortlist, type Shortlist } from './shortlist.ts';

/** Working memory: figures of all rows, one more than there are, and lists as long. */
export interface NearScratch extends Figures, Kept {
  readonly nearCost: Int32Array;
  readonly nearPaid: Int32Array;
  readonly list: Shortlist;
}

/** What was found of the rows of a task. */
export interface NearFound {
  readonly candidates: number;
  readonly excluded: number;
  /** `null` without candidates. */
  readonly passes: Passes | null;
}

/**
 * Prices every row of a task nearly, two at a time, and finds by that who can matter; only those get the figures of the
 * definition. `null` where figures are too large for that.
 *
 * @see docs/decisions/0021-two-offers-in-a-number.md
 */
export function filterNear(task: KernelTask, scratch: NearScratch): NearFound | null {
  const near = nearDemandOf(task);
  if (!near) return null;
  const { demand, neededPrices: needed, withCommissions } = task;
  const { costMicros, commissionMicros } = scratch;
  const costEnds = endsFrom(scratch.nearCost, near.costDoubt);
  const paidEnds = endsFrom(scratch.nearPaid, near.paidDoubt);
  // Where all are paid nothing nobody is near an end of it.
  if (!withCommissions) Object.assign(paidEnds, { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY });
  let rows = 0;
  let [candidates, excluded] = [0, 0];
  for (const block of task.blocks) {
    const firstRow = rows;
    rows += block.mask.length;
    nearCosts(block, demand, { figures: costMicros, firstRow, unit: near.perCost });
    if (withCommissions) nearCommissions(block, demand, { figures: commissionMicros, firstRow, unit: near.perPaid });
    else commissionMicros.fill(0, firstRow, rows);
    // Who is no candidate has no figures.
    const left = leftOutOf(block, needed);
    for (let i = 0; i < left.rows.length; i++) {
      const row = firstRow + (left.rows[i] ?? 0);
      costMicros[row] = Number.NaN;
      commissionMicros[row] = Number.NaN;
    }
    candidates += block.mask.length - left.rows.length;
    excluded += left.excluded;
  }
  noteEnds(scratch, rows, [costEnds, paidEnds]);
  const passes = candidates > 0 ? passesOver(task, scratch, { near, costEnds, paidEnds, rows }) : null;
  return { candidates, excluded, passes };
}

/**
 * Both ends of a figure as far as rows were looked at, and the rows that were near one of them then, ascending: whoever
 * is at an end is among them, because the ends only move apart.
 */
interface NearEnds {
  /** Up to the one and from the other on a figure is near an end. */
  low: number;
  high: number;
  /** How far that is from the lowest and the highest so far: three doubts. */
  readonly reach: number;
  readonly rows: Int32Array;
  count: number;
}

/** Of costs, and of commissions. */
type BothEnds = readonly [NearEnds, NearEnds];

function endsFrom(rows: Int32Array, doubt: number): NearEnds {
  return { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY, reach: 3 * doubt, rows, count: 0 };
}

/** Lists who is near an end of either figure; who is no candidate is near none. In one loop, which reads both once. */
function noteEnds({ costMicros, commissionMicros }: Figures, to: number, [costs, commissions]: BothEnds): void {
  const { rows, reach } = costs;
  const { rows: paidRows, reach: paidReach } = commissions;
  let { low, high, count } = costs;
  let { low: lowPaid, high: highPaid, count: paidCount } = commissions;
  for (let row = 0; row < to; row++) {
    const cost = costMicros[row] ?? 0;
    if (cost <= low || cost >= high) {
      rows[count++] = row;
      low = Math.min(low, cost + reach);
      high = Math.max(high, cost - reach);
    }
    const paid = commissionMicros[row] ?? 0;
    if (paid <= lowPaid || paid >= highPaid) {
      paidRows[paidCount++] = row;
      lowPaid = Math.min(lowPaid, paid + paidReach);
      highPaid = Math.max(highPaid, paid - paidReach);
    }
  }
  Object.assign(costs, { low, high, count });
  Object.assign(commissions, { low: lowPaid, high: highPaid, count: paidCount });
}

interface Priced {
  readonly near: NearDemand;
  readonly costEnds: NearEnds;
  readonly paidEnds: NearEnds;
  readonly rows: number;
}

/** The passes over near figures: whoever matters by the definition is left, with exact figures. */
function passesOver(task: KernelTask, scratch: NearScratch, { near, costEnds, paidEnds, rows }: Priced): Passes {
  const { kept, list, costMicros, commissionMicros } = scratch;
  const listed = (from: Int32Array, count: number): Shortlist => {
    for (let i = 0; i < count; i++) list.rows[i] = from[i] ?? 0;
    list.count = count;
    fillShortlist(task, list);
    return list;
  };
  const { minCost, maxCost, cheapest } = endsOf(listed(costEnds.rows, stillNear(costMicros, costEnds)));
  // Where commissions are not asked for all of them are 0.
  const paidCount = task.withCommissions ? stillNear(commissionMicros, paidEnds) : 1;
  const paidRows = task.withCommissions ? paidEnds.rows : costEnds.rows;
  const { minCommission, maxCommission, bestPaid } = endsOf(listed(paidRows, paidCount));
  return {
    ...{ minCost, maxCost, cheapest, minCommission, maxCommission, bestPaid },
    best(asked) {
      const { price, commission, weight } = asked;
      const doubt = weight * price.perMicro * near.costDoubt + (1 - weight) * commission.perMicro * near.paidDoubt;
      return listed(kept, bestByLine(scratch, rows, { ...asked, nearness: asked.nearness + doubt }));
    },
    reaching(lines, edge) {
      const count = reachingEdge(scratch, rows, { ...lines, edge: loweredEdge(edge, near) });
      return narrowed(listed(kept, count), lines, edge);
    },
  };
}

/** Leaves those that are near an end now that all rows were looked at. */
function stillNear(figures: Float64Array, { low, high, rows, count }: NearEnds): number {
  let left = 0;
  for (let i = 0; i < count; i++) {
    const row = rows[i] ?? 0;
    const figure = figures[row] ?? 0;
    if (figure <= low || figure >= high) rows[left++] = row;
  }
  return left;
}

/** An edge that is reached by near figures where the exact ones reach it. */
function loweredEdge(edge: Edge, { costDoubt, paidDoubt }: NearDemand): Edge {
  const lowered = ({ perSaved, perPaid, height }: HalfPlane): HalfPlane => {
    return { perSaved, perPaid, height: height - perSaved * costDoubt - perPaid * paidDoubt };
  };
  return {
    leastPaid: edge.leastPaid - paidDoubt,
    savedWithThat: edge.savedWithThat - costDoubt,
    leastSaved: edge.leastSaved - costDoubt,
    paidWithThat: edge.paidWithThat - paidDoubt,
    inner: [lowered(edge.inner[0]), lowered(edge.inner[1])],
  };
}

/** The ends of both figures, and the first candidates at two of them, out of a list that has them. */
export function endsOf(list: Shortlist): Omit<Passes, 'best' | 'reaching'> {
  const { count, costMicros, commissionMicros } = list;
  let [cheapest, dearest, bestPaid, worstPaid] = [0, 0, 0, 0];
  for (let i = 1; i < count; i++) {
    const cost = costMicros[i] ?? 0;
    const commission = commissionMicros[i] ?? 0;
    if (cost < (costMicros[cheapest] ?? 0)) cheapest = i;
    if (cost > (costMicros[dearest] ?? 0)) dearest = i;
    if (commission > (commissionMicros[bestPaid] ?? 0)) bestPaid = i;
    if (commission < (commissionMicros[worstPaid] ?? 0)) worstPaid = i;
  }
  return {
    minCost: costMicros[cheapest] ?? 0,
    maxCost: costMicros[dearest] ?? 0,
    minCommission: commissionMicros[worstPaid] ?? 0,
    maxCommission: commissionMicros[bestPaid] ?? 0,
    cheapest: endAt(list, cheapest),
    bestPaid: endAt(list, bestPaid),
  };
}

function endAt({ ids, costMicros, commissionMicros }: Shortlist, i: number): End {
  return { id: ids[i] ?? 0, costMicros: costMicros[i] ?? 0, commissionMicros: commissionMicros[i] ?? 0 };
}

/** Those of some candidates that reach the edge with the figures of the definition. */
export function narrowed(list: Shortlist, lines: ScoreLines, edge: Edge): Shortlist {
  const { rows, ids, costMicros, commissionMicros, order: kept } = list;
  const count = reachingEdge({ costMicros, commissionMicros, kept }, list.count, { ...lines, edge });
  for (let to = 0; to < count; to++) {
    const from = kept[to] ?? 0;
    rows[to] = rows[from] ?? 0;
    ids[to] = ids[from] ?? 0;
    costMicros[to] = costMicros[from] ?? 0;
    commissionMicros[to] = commissionMicros[from] ?? 0;
  }
  list.count = count;
  return list;
}
