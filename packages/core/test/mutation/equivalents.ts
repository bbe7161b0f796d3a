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
    line: 'for (let row = 0; row < costs.length; row++) {',
    changes: ['< -> <='],
    proof: 'The row past the end has no flags, so it passes no filter: every filter asks for an active offer.',
  },
  {
    file: 'ranking/candidates.ts',
    line: 'if (!entry) continue;',
    changes: ['!entry -> false', 'continue; -> ;'],
    proof: 'For the compiler: a block has an entry for each of its rows.',
  },
  {
    file: 'ranking/candidates.ts',
    line: 'if (!admitted.includes(1)) return null;',
    changes: ['!admitted.includes(1) -> false'],
    proof: 'A shortcut: without it every row is asked, and none belongs to an admitted company.',
  },
  {
    file: 'ranking/candidates.ts',
    line: 'const rows = parts.reduce((sum, { universe }) => sum + universe.blocks.reduce((n, b) => n + b.ids.length, 0), 0);',
    changes: ['0 -> 1'],
    proof: 'The columns become longer than what is counted, and only what is counted is read.',
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
    line: '(offer, annualMwh) => consumptionLine(offer, annualMwh ?? 0),',
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
    line: 'if (order < 0) best = { contender, score };',
    changes: ['< -> <='],
    proof: 'The order of two offers is never 0: their ids differ.',
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
    file: 'ranking/kernel.ts',
    line: 'for (let row = 0; row < rows; row++) {',
    changes: ['< -> <='],
    proof: 'A column of doubles ignores what is written past its end.',
  },
  {
    file: 'ranking/kernel.ts',
    line: 'for (let row = 0; row < rows; row++) sum[row] = (sum[row] ?? 0) + quantity * (column[row] ?? 0);',
    changes: ['< -> <='],
    proof: 'A column of doubles ignores what is written past its end.',
  },
  {
    file: 'ranking/kernel.ts',
    line: 'for (let row = 0; row < commissionEur.length; row++) {',
    changes: ['< -> <='],
    proof: 'A column of doubles ignores what is written past its end.',
  },
  {
    file: 'ranking/kernel.ts',
    line: 'if (quantity === 0) return;',
    changes: ['quantity === 0 -> false'],
    proof: 'A shortcut: 0 times a finite price is 0 or -0, and adding that to a sum that started at 0 changes no bit.',
  },
  {
    file: 'ranking/kernel.ts',
    line: 'const exportedKwh = electric?.exportedKwh ?? 0;',
    changes: ['0 -> 1'],
    proof: 'Only for gas, where the price of surplus is 0.',
  },
  {
    file: 'ranking/kernel.ts',
    line: "return customer.supplyType === 'GAS' ? customer.consumptionKwh : 0;",
    changes: ['0 -> 1'],
    proof: 'For the compiler: it is called for gas only.',
  },
  {
    file: 'ranking/kernel.ts',
    line: 'const powerKw = highestPowerKw ?? 0;',
    changes: ['0 -> 1'],
    proof: 'Without power every line is 0 + 0 * quantity.',
  },
  {
    file: 'ranking/rank.ts',
    line: 'cheapestId: (contenders ? winnerAt(contenders, 1)?.id : cheapestId(candidates)) ?? null,',
    changes: ['1 -> 2'],
    proof:
      'On the frontier the cheapest has the highest price score and the lowest commission score, so it also wins ' +
      'beyond weight 1, and ties go by cost.',
  },
  {
    file: 'ranking/rank.ts',
    line: 'if (value < min) min = value;',
    changes: ['< -> <='],
    proof: 'An equal value takes the place of itself.',
  },
  {
    file: 'ranking/rank.ts',
    line: 'if (value > max) max = value;',
    changes: ['> -> >='],
    proof: 'An equal value takes the place of itself.',
  },
  {
    file: 'ranking/rank.ts',
    line: 'if (!scales) return best;',
    changes: ['!scales -> false'],
    proof: 'For the compiler: without scales there is no candidate to look at.',
  },
  {
    file: 'ranking/rank.ts',
    line: 'let lowest = Number.NEGATIVE_INFINITY;',
    changes: ['Number.NEGATIVE_INFINITY -> 0'],
    proof: 'No score is below 0.',
  },
  {
    file: 'ranking/rank.ts',
    line: 'if (score < lowest) continue;',
    changes: ['score < lowest -> false', 'continue; -> ;'],
    proof: 'A shortcut: who scores less than the last of a full list is not inserted.',
  },
  {
    file: 'ranking/rank.ts',
    line: 'if (other && compareStandings(other, place) < 0) low = middle + 1;',
    changes: ['< -> <='],
    proof: 'The order of two offers is never 0: their ids differ.',
  },
  {
    file: 'ranking/rank.ts',
    line: 'if (low >= limit) return;',
    changes: ['>= -> >', 'low >= limit -> false'],
    proof: 'A shortcut: a place after the limit would be inserted last and popped.',
  },
  {
    file: 'ranking/rank.ts',
    line: 'let best = -1;',
    changes: ['1 -> 2'],
    proof: 'Any row that does not exist will do.',
  },
  {
    file: 'ranking/rank.ts',
    line: 'if (cost < bestCost || (cost === bestCost && (ids[row] ?? 0) < (ids[best] ?? 0))) best = row;',
    changes: ['< -> <='],
    occurrence: 2,
    proof: 'The comparison of ids: they differ.',
  },
  {
    file: 'ranking/rank.ts',
    line: 'assert(pricing.priced && scales !== null,',
    changes: ['&& -> ||'],
    proof: 'The program checks itself: both are always true, which other laws show.',
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
    line: 'export const POWER_BIT = 1 <<',
    changes: ['1 -> 2'],
    proof: 'Any bits will do, as long as those that one supply uses are all different, and they are.',
  },
  {
    file: 'ranking/universe.ts',
    line: 'export const FIXED_BIT = 1 <<',
    changes: ['1 -> 2', '2 -> 3'],
    proof: 'Any bits will do, as long as those that one supply uses are all different, and they are.',
  },
  {
    file: 'ranking/universe.ts',
    line: 'export const APPLIES_BIT = FIXED_BIT <<',
    changes: ['1 -> 2'],
    proof: 'Any bits will do, as long as those that one supply uses are all different, and they are.',
  },
  {
    file: 'ranking/universe.ts',
    line: 'const TERRITORY = 1 << 1;',
    changes: ['1 -> 2'],
    proof: 'Any bits will do, as long as those that one supply uses are all different, and they are.',
  },
  {
    file: 'ranking/universe.ts',
    line: 'const NOT_SOLAR = SSAA_INCLUDED <<',
    changes: ['3 -> 4'],
    proof: 'Any bits will do, as long as those that one supply uses are all different, and they are.',
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
    file: 'ranking/universe.ts',
    line: "const periods = supplyType === 'LUZ' ? PERIOD_COUNT : 0;",
    changes: ['0 -> 1'],
    proof: 'Gas gets a column of power that nothing reads.',
  },
  {
    file: 'ranking/universe.ts',
    line: 'const energy = Array.from({ length: periods || 1 }, column);',
    changes: ['1 -> 2'],
    proof: 'Gas gets a second column of energy that nothing reads.',
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
    file: 'ranking/frontier.ts',
    line: 'const order = best ? compareStandings',
    changes: ['1 -> 2'],
    proof: 'Only the sign of an order is read.',
  },
];
