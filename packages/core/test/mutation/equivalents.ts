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
    line: 'if (quantity === null) return -1;',
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
    file: 'ranking/conclude.ts',
    line: 'for (let candidate = 0; candidate < count; candidate++) {',
    changes: ['< -> <='],
    proof: 'One score more is worked out than anybody reads.',
  },
  {
    file: 'ranking/conclude.ts',
    line: 'for (let point = 0; point < count; point++) {',
    changes: ['< -> <='],
    proof: 'One point more than their count, which is all that anybody reads.',
  },
  {
    file: 'ranking/conclude.ts',
    line: 'const NO_POINTS: RankedColumns =',
    changes: ['0 -> 1'],
    proof: 'Where nothing is ranked there are no ranges, and nobody looks at points.',
  },
  {
    file: 'ranking/describe.ts',
    line: 'isOnFrontier: onFrontier && (onFrontier[index] ?? false),',
    changes: ['false -> true'],
    proof: 'For the compiler: there is one for each of the best.',
  },
  {
    file: 'ranking/exclusions.ts',
    line: 'let highestId = 0;',
    changes: ['0 -> 1'],
    proof: 'Then offers whose first id is 1 are sorted once more.',
  },
  {
    file: 'ranking/exclusions.ts',
    line: 'let inOrder = true;',
    changes: ['true -> false'],
    proof: 'A shortcut: without it those in order are sorted too.',
  },
  {
    file: 'ranking/exclusions.ts',
    line: 'if (found.length >= most) break;',
    changes: ['>= -> >', 'found.length >= most -> false'],
    proof: 'A shortcut: what is beyond is sorted with the others and cut off.',
  },
  {
    file: 'ranking/exclusions.ts',
    line: 'inOrder &&= id > highestId;',
    changes: ['> -> >='],
    proof: 'No id comes twice.',
  },
  {
    file: 'ranking/exclusions.ts',
    line: 'return found.length > MAX_LISTED_EXCLUSIONS ?',
    changes: ['> -> >='],
    proof: 'As many as are listed are all of them.',
  },
  {
    file: 'ranking/shortlist.ts',
    line: 'const most = worth < energyEur ? worth : energyEur;',
    changes: ['< -> <='],
    proof: 'Where both are the same either will do.',
  },
  {
    file: 'ranking/shortlist.ts',
    line: 'const credit = most >= 0 ? most : 0;',
    changes: ['>= -> >'],
    proof: '0 is 0 either way.',
  },
  {
    file: 'ranking/shortlist.ts',
    line: 'while (to < count && (rows[to] ?? 0) < end) to++;',
    changes: ['< -> <='],
    proof: 'One row more is given figures than anybody reads.',
  },
  {
    file: 'ranking/shortlist.ts',
    line: 'if (to > from) {',
    changes: ['> -> >='],
    proof: 'Nothing is done for no rows.',
  },
  {
    file: 'ranking/shortlist.ts',
    line: 'if (to === count) return;',
    changes: ['to === count -> false'],
    proof: 'A shortcut: the blocks that follow have no rows.',
  },
  {
    file: 'ranking/shortlist.ts',
    line: 'for (let i = from; i < to; i++) ids[i] =',
    changes: ['< -> <='],
    proof: 'One id more is written than anybody reads.',
  },
  {
    file: 'ranking/shortlist.ts',
    line: 'count: 0,',
    changes: ['0 -> 1'],
    proof: 'It is set before it is read.',
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
    file: 'ranking/shortlist.ts',
    line: 'const powerKw = highestPowerKw ?? 0;',
    changes: ['0 -> 1'],
    proof: 'Without power every line is 0 + 0 * quantity.',
  },
  {
    file: 'ranking/shortlist.ts',
    line: 'for (let i = from; i < to; i++) {',
    changes: ['< -> <='],
    proof: 'What is written after the last candidate is written again by the next block, or not read.',
  },
  {
    file: 'ranking/best.ts',
    line: 'if ((lines[i] ?? 0) >= threshold) kept[best++] = kept[i] ?? 0;',
    changes: ['>= -> >'],
    proof:
      'Who is twice the nearness below the line is not among the best, and nor is who is that far below to the bit.',
  },
  {
    file: 'ranking/best.ts',
    line: '(maxCost - (costMicros[i] ?? 0)) * perCost + ((commissionMicros[i] ?? 0) - minCommission) * perCommission;',
    changes: ['- -> +'],
    occurrence: 2,
    proof: 'The second: all lines move by the same, and the slack holds for figures of that size.',
  },
  {
    file: 'ranking/candidates.ts',
    line: 'if (known) return known;',
    changes: ['known -> false'],
    proof: 'Worked out again.',
  },
  {
    file: 'ranking/candidates.ts',
    line: 'return mask.map((bits, row) => (passes?.(row) ? bits : 0));',
    changes: ['0 -> 1'],
    proof: 'The bit of activity is what is asked for, and 1 does not have it.',
  },
  {
    file: 'ranking/commission-columns.ts',
    line: 'const lines = new Float64Array(2 * offers.length);',
    changes: ['2 -> 3'],
    proof: 'What is after the last pair is not read.',
  },
  {
    file: 'ranking/describe.ts',
    line: 'if (!costRangeEur || !commissionRangeEur) return [];',
    changes: ['|| -> &&', '!costRangeEur || !commissionRangeEur -> false'],
    proof: 'For the compiler: without ranges there are no best offers to tell.',
  },
  {
    file: 'ranking/envelope.ts',
    line: '(paid >= leastPaid && saved >= savedWithThat) ||',
    changes: ['>= -> >'],
    proof:
      'The margin is far wider than one value; who is at the end with the pivot reaches the nearest bend, or the other end where there is no bend.',
  },
  {
    file: 'ranking/envelope.ts',
    line: '(saved >= leastSaved && paid >= paidWithThat) ||',
    changes: ['>= -> >'],
    proof:
      'The margin is far wider than one value; who is at the end with the pivot reaches the nearest bend, or the other end where there is no bend.',
  },
  {
    file: 'ranking/envelope.ts',
    line: 'perSaved * saved + perPaid * paid >= height ||',
    changes: ['>= -> >'],
    proof: 'The height is a millionth below what matters.',
  },
  {
    file: 'ranking/envelope.ts',
    line: 'perSavedToo * saved + perPaidToo * paid >= heightToo',
    changes: ['>= -> >'],
    proof: 'The height is a millionth below what matters.',
  },
  {
    file: 'ranking/envelope.ts',
    line: 'return highest - MARGIN - nearness - weight * price.base - (1 - weight) * commission.base;',
    changes: ['- -> +'],
    proof: 'The bases are 0 but where all figures are the same; then the other end keeps everyone who can win.',
  },
  {
    file: 'ranking/envelope.ts',
    line: 'savedWithThat: maxCost - costOfBestPaid - price.blur,',
    changes: ['- -> +'],
    proof: 'Who is at this end and matters reaches the nearest bend as well, and without a bend the other end.',
  },
  {
    file: 'ranking/envelope.ts',
    line: 'paidWithThat: commissionOfCheapest - minCommission - commission.blur,',
    changes: ['- -> +'],
    proof: 'Who is at this end and matters reaches the nearest bend as well, and without a bend the other end.',
  },
  {
    file: 'ranking/envelope.ts',
    line: 'const UNREACHABLE: HalfPlane =',
    changes: ['0 -> 1'],
    proof: 'Nothing reaches infinity.',
  },
  {
    file: 'ranking/frontier.ts',
    line: 'const isBetter = score > highest ||',
    changes: ['< -> <='],
    proof: 'The order of two offers is never 0: their ids differ.',
  },
  {
    file: 'ranking/frontier.ts',
    line: 'let highest = Number.NEGATIVE_INFINITY;',
    changes: ['Number.NEGATIVE_INFINITY -> 0'],
    proof: 'Somebody scores more than 0 at every weight: who is cheapest or best paid has 10 in one.',
  },
  {
    file: 'ranking/masks.ts',
    line: 'export const POWER_BIT = 1 <<',
    changes: ['1 -> 2'],
    proof: 'Any bits will do, as long as those that one supply uses are all different, and they are.',
  },
  {
    file: 'ranking/masks.ts',
    line: 'let flags = offer.isActive ? ACTIVE_BIT : 0;',
    changes: ['0 -> 1'],
    proof: 'Without the bit of activity the others are of no matter.',
  },
  {
    file: 'ranking/plain-kernel.ts',
    line: 'for (let row = 0; row < length; row++) {',
    changes: ['< -> <='],
    proof: 'The row past the end has no bits, so it passes no filter: every filter asks for an active offer.',
  },
  {
    file: 'ranking/shortlist.ts',
    line: 'if (!consumption || !power) {',
    changes: ['|| -> &&'],
    proof: 'For the compiler: it is called with both.',
  },
  {
    file: 'ranking/plain-kernel.ts',
    line: 'const rows = task.blocks.reduce((sum, { mask }) => sum + mask.length, 0);',
    changes: ['0 -> 1'],
    proof: 'Only how much memory there is.',
  },
  {
    file: 'ranking/shortlist.ts',
    line: 'quantities.fill(0);',
    changes: ['0 -> 1'],
    proof: 'Gas has no other prices, and electricity says all twelve quantities.',
  },
  {
    file: 'ranking/shortlist.ts',
    line: "const exportedKwh = customer.supplyType === 'LUZ' ? customer.exportedKwh : 0;",
    changes: ['0 -> 1'],
    proof: 'Only for gas, where the price of surplus is 0.',
  },
  {
    file: 'ranking/portfolio.ts',
    line: 'if (selections.size >= KEPT_SELECTIONS && !oldest.done)',
    changes: ['>= -> >', '&& -> ||', '! -> '],
    proof: 'Only how many selections are kept: one that is gone is made again.',
  },
  {
    file: 'ranking/portfolio.ts',
    line: 'if (known) return known;',
    changes: ['known -> false'],
    proof: 'Made again.',
  },
  {
    file: 'ranking/portfolio.ts',
    line: 'return a.needed - b.needed || a.demand.annualMwh - b.demand.annualMwh;',
    changes: ['- -> +', '|| -> &&'],
    proof: 'Only the order of the work.',
  },
  {
    file: 'ranking/portfolio.ts',
    line: 'const answers: PortfolioAnswer[] =',
    changes: ['false -> true'],
    proof: 'Every place is written again.',
  },
  {
    file: 'ranking/portfolio.ts',
    line: 'const KEPT_SELECTIONS = 16;',
    changes: ['16 -> 17'],
    proof: 'Only how much is kept.',
  },
  {
    file: 'ranking/exclusions.ts',
    line: 'for (let row = 0; row < mask.length && excluded.length < MAX_LISTED_EXCLUSIONS; row++) {',
    changes: ['< -> <='],
    proof: 'The row past the end has no bits, and one more that is found is cut off with the others.',
  },
  {
    file: 'ranking/rank.ts',
    line: 'const ranges = costRangeEur && commissionRangeEur ?',
    changes: ['&& -> ||'],
    proof: 'Either both are there or neither.',
  },
  {
    file: 'ranking/exclusions.ts',
    line: 'const most = Math.min(query.count, found.length + MAX_LISTED_EXCLUSIONS);',
    changes: ['Math.min -> Math.max'],
    proof: 'More are found and cut off.',
  },
  {
    file: 'ranking/rank.ts',
    line: 'cheapestId: (contenders ? winnerAt(contenders, 1)?.id : best[0]?.id) ?? null,',
    changes: ['1 -> 2'],
    proof:
      'On the frontier the cheapest has the highest price score and the lowest commission score, so it also wins beyond weight 1, and ties go by cost.',
  },
  {
    file: 'ranking/scales.ts',
    line: 'return { base: 0, perMicro: HIGHEST_SCORE / range, slack:',
    changes: ['46 -> 47', '1 -> 2'],
    proof:
      'More slack keeps more; half of it is still more than rounding ever makes of it in the cases that can be built: the bound adds up worst cases that exclude each other.',
  },
  {
    file: 'ranking/cost.ts',
    line: 'for (let i = 0; i < quantities.length; i++) {',
    changes: ['< -> <='],
    proof: 'Past the end there is no quantity, so no gap.',
  },
  {
    file: 'ranking/cost.ts',
    line: 'for (let i = 0; i < quantities.length; i++) sum +=',
    changes: ['< -> <='],
    proof: 'Past the end 0 times 0 is added, which changes no sum but -0; that begins at 0, so it never is -0.',
  },
  {
    file: 'ranking/conclude.ts',
    line: 'return compareTied(figuresAt(list, first), figuresAt(list, second)) < 0;',
    changes: ['< -> <='],
    proof: 'Never 0: those put in order are other candidates, whose ids differ.',
  },
  {
    file: 'ranking/envelope.ts',
    line: 'let highest = Number.NEGATIVE_INFINITY;',
    changes: ['Number.NEGATIVE_INFINITY -> 0'],
    proof:
      'There are pivots, none of which scores below 0, as their figures are within the ranges; weights are 0 to 1.',
  },
  {
    file: 'ranking/plain-kernel.ts',
    line: 'for (let i = 0; i < keptCount; i++) list.rows[i] =',
    changes: ['< -> <='],
    proof: 'One row more is written than the count says, or none where there is no room.',
  },
  {
    file: 'ranking/plain-kernel.ts',
    line: 'const { ids, costMicros, commissionMicros } = listed(1);',
    changes: ['1 -> 2'],
    proof:
      'A second row gets figures that nobody reads. The figures of the first are those of its own block: the rows of no ' +
      'block before it are taken.',
  },
  {
    file: 'ranking/plain-kernel.ts',
    line: 'return { id: ids[0] ?? 0,',
    changes: ['0 -> 1'],
    occurrence: 1,
    proof:
      'The id of a pivot decides only between pivots with one cost and one commission, and those have the same line: ' +
      'the edge, which is all that comes of them, is the same above either.',
  },
  {
    file: 'ranking/portfolio.ts',
    line: 'if (compareTied(at(i), at(first)) < 0) first = i;',
    changes: ['< -> <='],
    proof: 'Never 0: it is another contender, and their ids differ.',
  },
  {
    file: 'ranking/portfolio.ts',
    line: 'if (!first) continue;',
    changes: ['!first -> false', 'continue; -> ;'],
    proof: 'For the compiler: no group is empty.',
  },
  {
    file: 'ranking/selection.ts',
    line: 'for (let term = 0; term < TERMS_PER_ROW; term++) termsOf[to + term] =',
    changes: ['< -> <='],
    proof: 'What is written after a row is written again by the next one, or cut off.',
  },
  {
    file: 'ranking/selection.ts',
    line: 'const most = gated.reduce((sum, { block }) => sum + block.entries.length, 0);',
    changes: ['0 -> 1'],
    proof: 'Only how much memory there is: what is too much is cut off.',
  },
  {
    file: 'ranking/selection.ts',
    line: "const from = kind === 'power' ? atPower(quantity) : atConsumption(quantity ?? 0);",
    changes: ['0 -> 1'],
    proof: 'For the compiler: a consumption is never null.',
  },
  {
    file: 'ranking/settle.ts',
    line: 'const minPaid = withCommissions ?',
    changes: ['0 -> 1'],
    proof:
      'Only where commissions are not asked for. There the weight is 1, so their score is multiplied by 0 and their slope ' +
      'is 0, and their range is not told.',
  },
  {
    file: 'ranking/settle.ts',
    line: 'const maxPaid = withCommissions ?',
    changes: ['0 -> 1'],
    proof:
      'Only where commissions are not asked for. There the weight is 1, so their score is multiplied by 0 and their slope ' +
      'is 0, and their range is not told; the nearness grows, which only keeps more.',
  },
  {
    file: 'ranking/settle.ts',
    line: 'const powerKw = highestPowerKw ?? 0;',
    changes: ['0 -> 1'],
    proof: 'Without power every line is 0 + 0 * quantity.',
  },
  {
    file: 'ranking/settle.ts',
    line: 'const exportedKwh = electric?.exportedKwh ?? 0;',
    changes: ['0 -> 1'],
    proof: 'Only for gas, where the price of surplus is 0.',
  },
  {
    file: 'ranking/settle.ts',
    line: 'quantities.fill(0);',
    changes: ['0 -> 1'],
    proof: 'Gas has no other prices, and electricity says all twelve quantities.',
  },
  {
    file: 'ranking/settle.ts',
    line: 'for (let term: number = TERM.power; term < TERM.fixedPerMonth; term++) {',
    changes: ['< -> <='],
    proof:
      'There is no thirteenth quantity: 0 times a price is added, which changes no sum but -0, and no sum from 0 on is.',
  },
  {
    file: 'ranking/settle.ts',
    line: 'if (!withCommissions || !consumption || !power) return 0;',
    changes: ['|| -> &&'],
    proof: 'For the compiler: both lines are there exactly where commissions are asked for.',
  },
  {
    file: 'ranking/settle.ts',
    line: 'if (!withCommissions || !consumption || !power) return 0;',
    changes: ['0 -> 1'],
    proof:
      'Only where commissions are not asked for: nobody is told them, their range is given apart, and what all are paid ' +
      'alike puts nobody before another.',
  },
  {
    file: 'ranking/settle.ts',
    line: 'let first = { costEur, commissionEur: Number.NEGATIVE_INFINITY, id: Number.POSITIVE_INFINITY };',
    changes: ['Number.POSITIVE_INFINITY -> 0'],
    proof: 'Every commission is above minus infinity, so no id is compared with it.',
  },
  {
    file: 'ranking/settle.ts',
    line: 'if (compareTied(other, first) < 0) first = other;',
    changes: ['< -> <='],
    proof: 'Never 0: no row comes twice, and ids differ.',
  },
  {
    file: 'ranking/settle.ts',
    line: 'for (; at > 0; at--) {',
    changes: ['> -> >='],
    proof: 'At 0 there is nobody before, which ends it at 0 as well.',
  },
  {
    file: 'ranking/settle.ts',
    line: 'if (!before || compareStandings(before, place) < 0) break;',
    changes: ['< -> <='],
    proof: 'Never 0: no row comes twice, and ids differ.',
  },
  {
    file: 'calendar.ts',
    line: 'const total = at(11, 2) * 3600 + at(14, 2) * 60 + at(17, 2) + seconds;',
    changes: ['2 -> 3'],
    occurrence: 8,
    proof: 'The third character of the seconds is the point, and 07. is the number 7 as well.',
  },
  {
    file: 'ranking/portfolio.ts',
    line: 'const needed = turns[start]?.needed ?? 0;',
    changes: ['0 -> 1'],
    proof: 'For the compiler: the index is in range there.',
  },
  {
    file: 'offers/offer-rules.ts',
    line: 'if (values.every((value) => checkNumber(path, value, bounds) === NOTHING)) return NOTHING;',
    changes: ['values.every((value) => checkNumber(path, value, bounds) === NOTHING) -> false'],
    proof: 'A shortcut: where nothing is wrong with any, no issue is collected.',
  },
  {
    file: 'ranking/portfolio.ts',
    line: 'while (end - start < (sieve?.width ?? 1) &&',
    changes: ['1 -> 2'],
    proof: 'Without a sieve each is ranked alone anyway: only how many tasks are made before the first one is ranked.',
  },
  {
    file: 'ranking/selection.ts',
    line: 'const cut = starts.map((start) => lines.subarray(2 * start, 2 * (start + BLOCK_ROWS)));',
    changes: ['2 -> 3'],
    occurrence: 2,
    proof: 'What is after the last pair of a block is not read.',
  },
  {
    file: 'bulk/read-cell.ts',
    line: 'const era = Math.floor(sinceYearZero / 146_097);',
    changes: ['146_097 -> 146098'],
    proof:
      'Of the days that are taken only 2000-03-01 to 2000-03-05 come before the other bound. They are told as the last ' +
      'days of the era before, one day later: in the same month.',
  },
  {
    file: 'calendar.ts',
    line: 'const [year, month, day] = [Number(match[1]), Number(match[2]), match[3] === undefined ? 1 :',
    changes: ['1 -> 2'],
    occurrence: 4,
    proof: 'Any day that every month has will do: only the month is told.',
  },
  {
    file: 'ranking/near-filter.ts',
    line: 'for (let i = 0; i < count; i++) list.rows[i] = from[i] ?? 0;',
    changes: ['< -> <='],
    proof: 'What stands after the last does not count.',
  },
  {
    file: 'ranking/near-filter.ts',
    line: 'if (cost > (costMicros[dearest] ?? 0)) dearest = i;',
    changes: ['> -> >='],
    proof: 'Only the figure is told, which is the same.',
  },
  {
    file: 'ranking/near-filter.ts',
    line: 'if (commission < (commissionMicros[worstPaid] ?? 0)) worstPaid = i;',
    changes: ['< -> <='],
    proof: 'Only the figure is told, which is the same.',
  },
  {
    file: 'ranking/near-filter.ts',
    line: 'if (cost <= low || cost >= high) {',
    changes: ['<= -> <', '>= -> >'],
    proof: 'Three doubts are one more than is needed.',
  },
  {
    file: 'ranking/near-filter.ts',
    line: 'if (paid <= lowPaid || paid >= highPaid) {',
    changes: ['<= -> <', '>= -> >'],
    proof: 'Three doubts are one more than is needed.',
  },
  {
    file: 'ranking/near-filter.ts',
    line: 'if (figure <= low || figure >= high) rows[left++] = row;',
    changes: ['<= -> <', '>= -> >'],
    proof: 'Three doubts are one more than is needed.',
  },
  {
    file: 'ranking/near-filter.ts',
    line: 'return { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY, reach: 3 * doubt',
    changes: ['3 -> 4'],
    proof: 'Three doubts are one more than is needed.',
  },
  {
    file: 'ranking/near-filter.ts',
    line: 'low = Math.min(low',
    changes: ['Math.min -> Math.max'],
    proof: 'All are listed, and told apart by the definition.',
  },
  {
    file: 'ranking/near-filter.ts',
    line: 'high = Math.max(high',
    changes: ['Math.max -> Math.min'],
    proof: 'All are listed, and told apart by the definition.',
  },
  {
    file: 'ranking/near-filter.ts',
    line: 'lowPaid = Math.min(',
    changes: ['Math.min -> Math.max'],
    proof: 'All are listed, and told apart by the definition.',
  },
  {
    file: 'ranking/near-filter.ts',
    line: 'highPaid = Math.max(',
    changes: ['Math.max -> Math.min'],
    proof: 'All are listed, and told apart by the definition.',
  },
  {
    file: 'ranking/near-filter.ts',
    line: 'const doubt = weight * price.perMicro',
    changes: ['- -> +', '1 -> 2'],
    proof: 'A wider doubt keeps more for the scores of the definition.',
  },
  {
    file: 'ranking/near-filter.ts',
    line: 'if (!withCommissions) Object.assign(paidEnds',
    changes: ['Number.NEGATIVE_INFINITY -> 0', 'Number.POSITIVE_INFINITY -> 0'],
    proof: 'A list that nobody asks for where commissions are not.',
  },
  {
    file: 'ranking/near-filter.ts',
    line: 'else commissionMicros.fill(0, firstRow, rows);',
    changes: ['0 -> 1'],
    proof: 'All are paid the same, and it weighs nothing.',
  },
  {
    file: 'ranking/lanes.ts',
    line: 'for (let at = 0; at < rows.length; at++) {',
    changes: ['< -> <='],
    proof: '0 is in every range, and what stands after the last row is nobody.',
  },
  {
    file: 'ranking/lanes.ts',
    line: 'for (let column = 0; column < step.length; column++) span +=',
    changes: ['< -> <='],
    proof: 'A column that is not there has no step.',
  },
  {
    file: 'ranking/lanes.ts',
    line: 'for (let column = 0; column < step.length; column++) {',
    changes: ['< -> <='],
    proof: 'A column that is not there has no step, and its factor no place.',
  },
  {
    file: 'ranking/lanes.ts',
    line: 'const pairs = new Float64Array(',
    changes: ['* -> /'],
    occurrence: 1,
    proof: 'More room than pairs.',
  },
  {
    file: 'ranking/lanes.ts',
    line: 'const pairs = new Float64Array(',
    changes: ['/ -> *'],
    proof: 'More room than pairs.',
  },
  {
    file: 'ranking/lanes.ts',
    line: 'if (known) return known;',
    changes: ['known -> false'],
    proof: 'Worked out again.',
  },
  {
    file: 'ranking/lanes.ts',
    line: 'const STEPS = 2047;',
    changes: ['2047 -> 2048'],
    proof: 'Fifteen halves of that still are below what is left free in a lane.',
  },
  {
    file: 'ranking/lanes.ts',
    line: 'const ROOM = LANE - 2 ** 14;',
    changes: ['2 -> 3', '14 -> 15'],
    proof: 'Less room is a coarser unit, in which the doubt is told.',
  },
  {
    file: 'ranking/lanes.ts',
    line: 'const steps = size > 0 ?',
    changes: ['0 -> 1'],
    occurrence: 2,
    proof: 'Without a step the factor is 0.',
  },
  {
    file: 'ranking/lanes.ts',
    line: 'let span = 0;',
    changes: ['0 -> 1'],
    proof: 'A coarser unit, in which the doubt is told.',
  },
  {
    file: 'ranking/lanes.ts',
    line: 'const LEAST_UNIT = 2 ** -100;',
    changes: ['2 -> 3', '100 -> 101'],
    proof: 'As far from a millionth, and from 0.',
  },
  {
    file: 'ranking/lanes.ts',
    line: 'export const UNITS_OF_DOUBT = 2 ** 15;',
    changes: ['15 -> 16'],
    proof: 'A wider doubt keeps more for the definition.',
  },
  {
    file: 'ranking/best.ts',
    line: 'const STEPS = 2048;',
    changes: ['2048 -> 2049'],
    proof: 'Any number of steps will do.',
  },
  {
    file: 'ranking/best.ts',
    line: 'const counts = new Int32Array(STEPS + 1);',
    changes: ['1 -> 2'],
    proof: 'A place that nobody counts in.',
  },
  {
    file: 'ranking/best.ts',
    line: 'const highest = 1 * HIGHEST_SCORE;',
    changes: ['1 -> 2'],
    proof: 'Who is above the highest score by a doubt is counted nowhere, which only lowers the threshold.',
  },
  {
    file: 'ranking/best.ts',
    line: 'const points = line > 0 ?',
    changes: ['> -> >=', '< -> <='],
    proof: 'The same number either way.',
  },
  {
    file: 'ranking/best.ts',
    line: 'const points = line > 0 ?',
    changes: ['0 -> 1'],
    occurrence: 1,
    proof: 'A lower threshold keeps more for the scores of the definition.',
  },
  {
    file: 'ranking/best.ts',
    line: 'for (let step = STEPS; step > 0; step--) {',
    changes: ['> -> >=', '0 -> 1'],
    proof: 'Where so few reach the first steps all candidates are kept either way, or nearly.',
  },
  {
    file: 'ranking/best.ts',
    line: 'if (reaching >= limit) return step',
    changes: ['>= -> >', '2 -> 3'],
    proof: 'A lower threshold keeps more for the scores of the definition.',
  },
  {
    file: 'ranking/best.ts',
    line: 'const SAMPLED = 4;',
    changes: ['4 -> 5'],
    proof: 'Any sample tells of a threshold that is low enough.',
  },
  {
    file: 'ranking/best.ts',
    line: 'for (let i = 0; i < count; i += SAMPLED) {',
    changes: ['0 -> 1'],
    proof: 'Any sample tells of a threshold that is low enough.',
  },
  {
    file: 'ranking/best.ts',
    line: 'if (line >= roughly) {',
    changes: ['>= -> >'],
    proof: 'Who is twice the nearness below a line that so many reach is not among the best.',
  },
  {
    file: 'ranking/near-figures.ts',
    line: 'for (let row = 0; row < rows; row += 2) {',
    changes: ['< -> <='],
    proof: 'What stands after the last row is written over, or nobody.',
  },
  {
    file: 'ranking/near-figures.ts',
    line: 'const lowMost = ',
    changes: ['< -> <='],
    proof: 'Equal either way.',
  },
  {
    file: 'ranking/near-figures.ts',
    line: 'for (let term: number = TERM.energy; term < TERM.power; term++) used[term]',
    changes: ['< -> <='],
    proof: 'Written over by the next line.',
  },
  {
    file: 'ranking/near-figures.ts',
    line: 'for (let term: number = TERM.power; term < TERM.fixedPerMonth; term++) used[term]',
    changes: ['< -> <='],
    proof: 'Written over by the next line.',
  },
  {
    file: 'ranking/near-figures.ts',
    line: 'if (!(cost + fees < LARGEST && paid + feesPerYear < LARGEST)) return null;',
    changes: ['< -> <='],
    proof: 'Either way of pricing gives the same answer.',
  },
  {
    file: 'ranking/near-figures.ts',
    line: 'if (!consumption || !power) continue;',
    changes: ['|| -> &&'],
    proof: 'Neither is there without the other.',
  },
  {
    file: 'ranking/near-figures.ts',
    line: 'if (!consumption || !power) return;',
    changes: ['|| -> &&'],
    proof: 'Neither is there without the other.',
  },
  {
    file: 'ranking/near-figures.ts',
    line: 'const highMost = ',
    changes: ['< -> <='],
    proof: 'Equal either way.',
  },
  {
    file: 'ranking/near-figures.ts',
    line: 'const low = restFrom',
    changes: ['>= -> >'],
    proof: '0 is 0 either way.',
  },
  {
    file: 'ranking/near-figures.ts',
    line: 'const high = restFrom',
    changes: ['>= -> >'],
    proof: '0 is 0 either way.',
  },
  {
    file: 'ranking/near-figures.ts',
    line: 'const LARGEST = 1e9;',
    changes: ['1e9 -> 1000000001'],
    proof: 'Either way of pricing gives the same answer.',
  },
  {
    file: 'ranking/near-figures.ts',
    line: 'const LEAST_DOUBT = 2;',
    changes: ['2 -> 3'],
    proof: 'A wider doubt keeps more for the definition.',
  },
];
