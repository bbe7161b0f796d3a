import { linesOf, type UniversePart } from './candidates.ts';
import { demandOf } from './customer.ts';
import type { RankingRequest } from './ranking.ts';
import type { Block } from './universe.ts';

/**
 * Makes the numbers that a ranking will read and that nobody has asked for yet: prices in a month, commissions in an
 * interval of consumption or power. Over 100 000 offers that takes longer than others should wait, so it yields after
 * each block for which there was something to make; where all is kept it does not yield at all. What others make
 * meanwhile may push some of it out again, and then the ranking makes it itself.
 *
 * @throws RangeError as `rankUniverses` does.
 */
export function* makeColumns(
  parts: readonly UniversePart[],
  { customer, period, fees, month, seesCommissions }: RankingRequest,
): Generator<Block> {
  const demand = demandOf(customer, period, fees);
  const { annualMwh, highestPowerKw } = demand;
  for (const { universe } of parts) {
    for (const block of universe.blocks) {
      const { commissions } = block;
      if (block.keepsPrices(month) && (!seesCommissions || commissions.areKept(annualMwh, highestPowerKw))) continue;
      block.prices(month);
      if (seesCommissions) linesOf(commissions, demand);
      yield block;
    }
  }
}
