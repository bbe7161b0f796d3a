import type { MutatedFile } from './mutants.ts';

/** A change that gives the same answers, with the reason. */
export interface Equivalent {
  readonly file: MutatedFile;
  /** How the line begins, without outer space. */
  readonly line: string;
  /** As `<original> -> <replacement>`. */
  readonly changes: readonly string[];
  /** Which of several such changes on the line, 1 for the first; left out: all of them. */
  readonly occurrence?: number;
  readonly proof: string;
}

export const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'commission/tier.ts',
    line: 'const starts = joins && previousTo !== null ? quantity > previousTo : quantity >= tier.from;',
    changes: ['> -> >='],
    proof: 'At the upper bound of the tier below, that tier (from < to) was returned before.',
  },
  {
    file: 'ranking/candidates.ts',
    line: 'if (!admitted.includes(1)) return null;',
    changes: ['!admitted.includes(1) -> false'],
    proof: 'A shortcut: without it every row is asked, and none belongs to an admitted company.',
  },
  {
    file: 'ranking/commission-columns.ts',
    line: 'return bounds[low] === quantity ? 2 * low + 1 : 2 * low;',
    changes: ['=== -> !=='],
    proof: 'Points get even numbers and intervals odd ones: still one number for each, and numbers are all they are.',
  },
  {
    file: 'ranking/commission-columns.ts',
    line: 'const interval = quantity === null ? -1 : intervalOf(bounds, quantity);',
    changes: ['1 -> 2'],
    proof: 'Any number that no interval has will do.',
  },
  {
    file: 'ranking/commission-columns.ts',
    line: 'lineOf: (offer, annualMwh) => consumptionLine(offer, annualMwh ?? 0),',
    changes: ['0 -> 1'],
    proof: 'For the compiler: a consumption is never null.',
  },
  {
    file: 'ranking/cost.ts',
    line: 'const powerEur = commissionAt(powerLine(offer, highestPowerKw), highestPowerKw ?? 0) + demand.powerFeeEurPerYear;',
    changes: ['0 -> 1'],
    proof: 'Without power the line is 0 + 0 * quantity.',
  },
  {
    file: 'ranking/customer.ts',
    line: "const exported = customer.supplyType === 'LUZ' ? customer.exportedKwh : 0;",
    changes: ['0 -> 1'],
    proof: 'For gas it is only checked to be finite and not negative.',
  },
  {
    file: 'ranking/frontier.ts',
    line: 'if (id < same.id) points[at] = { costEur: cost, commissionEur: commission, id };',
    changes: ['< -> <='],
    proof: 'Equal ids would replace a point by itself.',
  },
  {
    file: 'ranking/frontier.ts',
    line: 'while (beaten < points.length && (points[beaten]?.commissionEur ?? 0) <= commission) beaten++;',
    changes: ['< -> <='],
    proof: 'One more than all the rest are removed, and there is no more to remove.',
  },
  {
    file: 'ranking/frontier.ts',
    line: 'if (gain <= 0) continue;',
    changes: ['<= -> <'],
    proof:
      'A parallel line would have to lie above the winner: no weight is infinite or NaN and below 1, and minus infinity ' +
      'needs a higher line. The first winner has the highest commission score, and of two parallel lines the higher one ' +
      'takes over sooner: both divisions have one divisor.',
  },
  {
    file: 'ranking/frontier.ts',
    line: 'if (!next || toWeight - fromWeight > NARROWEST) {',
    changes: ['> -> >='],
    proof:
      'A width is never 1e-12 to the bit. In binary that is an odd number of 2^-92; the lowest bound above 0 is at least ' +
      '1e-9 / 20, so bounds and their differences are whole multiples of 2^-87.',
  },
  {
    file: 'ranking/rank.ts',
    line: '.sort((a, b) => a.offer.id - b.offer.id);',
    changes: ['- -> +'],
    proof: 'The order of offers in a universe changes no ranking (R4). Only patches need it.',
  },
  {
    file: 'ranking/recommend.ts',
    line: 'return roundHalfUp(consumptionEur + commissionAt(powerLine(offer, powerKw), powerKw ?? 0), 6);',
    changes: ['0 -> 1'],
    proof: 'Without power the line is 0 + 0 * quantity.',
  },
  {
    file: 'ranking/universe.ts',
    line: 'while (taken < fresh.length && (!next ||',
    changes: ['< -> <='],
    proof:
      'Where nothing is left the index runs one past the end, which takes nothing; the block is merged with no change, ' +
      'found to be the same, and kept.',
  },
  {
    file: 'ranking/universe.ts',
    line: 'if (taken === start) return [block];',
    changes: ['taken === start -> false'],
    proof: 'A shortcut: a block merged with no change is found to be the same, and kept.',
  },
  {
    file: 'ranking/universe.ts',
    line: 'return block.ids[0] ?? Number.POSITIVE_INFINITY;',
    changes: ['Number.POSITIVE_INFINITY -> 0'],
    proof: 'For the compiler: no block is empty.',
  },
  {
    file: 'ranking/universe.ts',
    line: 'return 1 << COMMUNITIES.indexOf(community);',
    changes: ['1 -> 2'],
    proof: 'Any bits will do, as long as those that one supply uses are all different, and they are.',
  },
  {
    file: 'ranking/universe.ts',
    line: 'while (taken < fresh.length && (!next ||',
    changes: ['0 -> 1'],
    proof: 'For the compiler: the index is in range there.',
  },
  {
    file: 'ranking/frontier.ts',
    line: 'while (beaten < points.length && (points[beaten]',
    changes: ['0 -> 1'],
    proof: 'For the compiler: the index is in range there.',
  },
  {
    file: 'ranking/frontier.ts',
    line: 'if ((points[middle]?.costEur ?? 0) < costEur)',
    changes: ['0 -> 1'],
    proof: 'For the compiler: the index is in range there.',
  },
  {
    file: 'ranking/conclude.ts',
    line: 'if (other && compareStandings(other, place) < 0) low = middle + 1;',
    changes: ['< -> <='],
    proof: 'The order of two offers is never 0: their ids differ.',
  },
  {
    file: 'ranking/conclude.ts',
    line: 'if (low >= limit) return;',
    changes: ['>= -> >', 'low >= limit -> false'],
    proof: 'A shortcut: a place after the limit would be inserted last and popped.',
  },
  {
    file: 'ranking/plain-kernel.ts',
    line: 'if (cost < minCost) {',
    changes: ['< -> <='],
    proof: 'Another of the cheapest is as good a pivot.',
  },
  {
    file: 'ranking/plain-kernel.ts',
    line: 'if (commission > maxCommission) {',
    changes: ['> -> >='],
    proof: 'Another of the best paid is as good a pivot.',
  },
  {
    file: 'ranking/plain-kernel.ts',
    line: 'if (cost > maxCost) maxCost = cost;',
    changes: ['> -> >='],
    proof: 'An equal value takes the place of itself.',
  },
  {
    file: 'ranking/plain-kernel.ts',
    line: 'if (commission < minCommission) minCommission = commission;',
    changes: ['< -> <='],
    proof: 'An equal value takes the place of itself.',
  },
  {
    file: 'ranking/plain-kernel.ts',
    line: 'let cheapest = 0;',
    changes: ['0 -> 1'],
    proof: 'The first candidate takes its place.',
  },
  {
    file: 'ranking/plain-kernel.ts',
    line: 'let bestPaid = 0;',
    changes: ['0 -> 1'],
    proof: 'The first candidate takes its place.',
  },
  {
    file: 'ranking/plain-kernel.ts',
    line: 'let scratch = scratchFor(0);',
    changes: ['0 -> 1'],
    proof: 'Only how much memory there is from the start.',
  },
  {
    file: 'ranking/plain-kernel.ts',
    line: 'if (scratch.rows.length < rows) scratch = scratchFor(rows);',
    changes: ['< -> <='],
    proof: 'Memory that is just large enough is made anew.',
  },
  {
    file: 'ranking/plain-kernel.ts',
    line: 'const powerKw = highestPowerKw ?? 0;',
    changes: ['0 -> 1'],
    proof: 'Without power every line is 0 + 0 * quantity.',
  },
  {
    file: 'ranking/plain-kernel.ts',
    line: 'if (exportedKwh === 0) return;',
    changes: ['exportedKwh === 0 -> false'],
    proof: 'A shortcut: 0 times a price is 0, so is what it is worth.',
  },
  {
    file: 'ranking/plain-kernel.ts',
    line: 'for (let i = from; i < to; i++) {',
    changes: ['< -> <='],
    proof: 'What is written after the last candidate is written again by the next block, or not read.',
  },
];
