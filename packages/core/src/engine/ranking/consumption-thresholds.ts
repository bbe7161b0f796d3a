import type { CostBreakdown } from '../cost/cost.ts';
import { COST_PARTS, type CostPartName } from '../cost/cost-parts.ts';
import { frontierOf, winnersByWeight } from '../ranking/frontier.ts';
import type { ConsumptionThreshold } from './reasons-asked.ts';

/** An offer with its cost. */
export interface Costed {
  readonly id: number;
  readonly cost: CostBreakdown;
}

/** From a quarter to four times. A power of two, so that a factor is exactly four weights. */
const MIN_FACTOR = 0.25;
const MAX_FACTOR = 4;

/** The parts that grow with the energy, besides balancing services. A fee grows by the same in every offer. */
const GROWING: readonly CostPartName[] = ['energyEur', 'surplusEur'];
const CONSTANT = COST_PARTS.map(({ name }) => name).filter((name) => !GROWING.includes(name));

/**
 * Which offer is the cheapest at which consumption: every cost is a straight line over the factor, so the winners by
 * factor are found as those by weight. Equal lines are those of the lowest id: nothing depends on a commission.
 *
 * @see docs/assumptions.md, A-116
 */
export function consumptionThresholds(offers: readonly Costed[]): readonly ConsumptionThreshold[] {
  const lines = offers.map(({ id, cost }) => {
    const growing = cost.energyEur + cost.surplusEur + (cost.ssaaEur ?? 0);
    let constant = 0;
    for (const name of CONSTANT) constant += cost[name];
    // What is least in both is on the lower envelope: a low fixed part stands for a high commission.
    return { id, costEur: growing, commissionEur: 0 - constant };
  });
  const contenders = frontierOf(lines).map((line) => ({
    ...line,
    priceScore: line.commissionEur - MAX_FACTOR * line.costEur,
    commissionScore: line.commissionEur,
  }));
  return winnersByWeight(contenders).flatMap(({ fromWeight, toWeight, offerId }) => {
    const toFactor = MAX_FACTOR * toWeight;
    const fromFactor = Math.max(MIN_FACTOR, MAX_FACTOR * fromWeight);
    return toFactor > MIN_FACTOR ? [{ fromFactor, toFactor, offerId }] : [];
  });
}
