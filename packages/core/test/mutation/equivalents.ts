import type { MutatedFile } from './mutants.ts';

/** A change that gives the same answers, with the reason. */
export interface Equivalent {
  readonly file: MutatedFile;
  /** The line as it is written, without outer space. */
  readonly line: string;
  /** As `<original> -> <replacement>`. */
  readonly changes: readonly string[];
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
    changes: ['!entry -> false', 'continue; -> ;', '! -> '],
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
];
