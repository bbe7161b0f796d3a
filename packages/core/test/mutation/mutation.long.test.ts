import { afterAll, beforeAll, expect, test } from 'vitest';
import { allMutants, type Mutant, type MutatedFile } from './mutants.ts';
import { type Outcome, openWorkshop, type Workshop } from './workshop.ts';

/** Tests that look hardest at a file, run first; the others follow when none of them noticed. */
const CLOSEST: Readonly<Record<MutatedFile, readonly string[]>> = {
  'numbers.ts': ['src/numbers'],
  'calendar.ts': ['src/calendar'],
  'periods.ts': ['ranking/rank.'],
  'bulk/kept-digits.ts': ['src/bulk'],
  'bulk/read-cell.ts': ['bulk/read-cell'],
  'commission/tier.ts': ['commission/tier'],
  'commission/commission.ts': ['commission/commission'],
  'offers/offer-filter.ts': ['offers/offer-filter'],
  'offers/offer-rules.ts': ['offers/offer-rules'],
  'ranking/applied-price.ts': ['ranking/applied-price'],
  'ranking/best.ts': ['ranking/leaving-out', 'ranking/kernel'],
  'ranking/candidates.ts': ['ranking/gates', 'ranking/rank.'],
  'ranking/commission-columns.ts': ['ranking/commission-columns'],
  'ranking/conclude.ts': ['ranking/kernel', 'ranking/rank.'],
  'ranking/cost.ts': ['ranking/cost'],
  'ranking/customer.ts': ['ranking/customer'],
  'ranking/describe.ts': ['ranking/rank.'],
  'ranking/envelope.ts': ['ranking/kernel'],
  'ranking/exclusions.ts': ['ranking/rank.', 'ranking/gates'],
  'ranking/frontier.ts': ['ranking/frontier'],
  'ranking/kernel.ts': ['ranking/kernel', 'ranking/rank.'],
  'ranking/lanes.ts': ['ranking/near-filter'],
  'ranking/left-out.ts': ['ranking/left-out'],
  'ranking/masks.ts': ['ranking/universe', 'ranking/rank.', 'ranking/kernel'],
  'ranking/near-figures.ts': ['ranking/near-filter'],
  'ranking/near-filter.ts': ['ranking/near-filter'],
  'ranking/plain-kernel.ts': ['ranking/kernel'],
  'ranking/portfolio.ts': ['ranking/portfolio', 'ranking/settle'],
  'ranking/prepare.ts': ['ranking/prepare'],
  'ranking/rank.ts': ['ranking/rank.'],
  'ranking/rank-offers.ts': ['ranking/rank-offers'],
  'ranking/recommend.ts': ['ranking/recommend'],
  'ranking/rows.ts': ['ranking/rows'],
  'ranking/scales.ts': ['ranking/kernel'],
  'ranking/score.ts': ['ranking/score'],
  'ranking/selection.ts': ['ranking/portfolio', 'ranking/settle'],
  'ranking/settle.ts': ['ranking/settle'],
  'ranking/shortlist.ts': ['ranking/kernel'],
  'ranking/universe.ts': ['ranking/universe', 'ranking/kernel'],
};
const ALL = ['src/numbers', 'src/calendar', 'src/commission', 'src/ranking', 'src/offers', 'src/bulk'];

/** Only changes whose name matches are made: MUTATE='score|tier' or MUTATE='cost.ts:96' npm run test:long. */
const only = new RegExp(process.env.MUTATE ?? '');

const WORKERS = 2;
const workshops = Array.from({ length: WORKERS }, openWorkshop);
afterAll(() => {
  for (const workshop of workshops) workshop.close();
});

interface Verdict {
  readonly name: string;
  readonly outcome: Outcome;
}

async function judge(workshop: Workshop, mutant: Mutant): Promise<Verdict> {
  const first = await workshop.run(CLOSEST[mutant.file], limitMs, mutant);
  const outcome = first === 'passed' ? await workshop.run(ALL, limitMs, mutant) : first;
  return { name: mutant.name, outcome };
}

let limitMs = 120_000;

// Without this, tests that cannot run at all would notice everything.
beforeAll(async () => {
  const startedAt = performance.now();
  const outcomes = await Promise.all(workshops.map((workshop) => workshop.run(ALL, limitMs)));
  expect(outcomes, 'the tests pass on the program as it is').toEqual(workshops.map(() => 'passed'));
  limitMs = 10_000 + 4 * (performance.now() - startedAt);
}, 150_000);

test('every change of the ranking is noticed by a test, or proven to change nothing', {
  timeout: 3_600_000,
}, async () => {
  const mutants = allMutants().filter(({ name, proof }) => only.test(name) && proof === null);
  const queue = mutants.values();
  const verdicts: Verdict[] = [];
  const startedAt = performance.now();
  await Promise.all(
    workshops.map(async (workshop) => {
      for (const mutant of queue) {
        const verdict = await judge(workshop, mutant);
        verdicts.push(verdict);
        if (verdict.outcome !== 'failed') console.log(`${verdict.outcome}: ${verdict.name}`);
      }
    }),
  );
  const namesOf = (outcome: Outcome) =>
    verdicts.filter((verdict) => verdict.outcome === outcome).map(({ name }) => name);
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  const count = (outcome: Outcome) => `${namesOf(outcome).length} ${outcome}`;
  console.log(
    `${mutants.length} changes in ${minutes} minutes: ${count('failed')}, ${count('hung')}, ${count('passed')}`,
  );
  expect(namesOf('broken')).toEqual([]);
  expect(namesOf('passed')).toEqual([]);
});
