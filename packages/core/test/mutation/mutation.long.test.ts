import { afterAll, beforeAll, expect, test } from 'vitest';
import { allMutants, type Mutant, type MutatedFile } from './mutants.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

/** Tests that look hardest at a file, run first; the others follow when none of them noticed. */
const CLOSEST: Readonly<Record<MutatedFile, readonly string[]>> = {
  'numbers.ts': ['src/numbers'],
  'calendar.ts': ['src/calendar', 'ranking/applied-price'],
  'commission/tier.ts': ['commission/tier'],
  'commission/commission.ts': ['commission/commission'],
  'offers/offer-filter.ts': ['offers/offer-filter'],
  'ranking/applied-price.ts': ['ranking/applied-price'],
  'ranking/candidates.ts': ['ranking/rank.', 'ranking/kernel'],
  'ranking/commission-columns.ts': ['ranking/commission-columns'],
  'ranking/cost.ts': ['ranking/cost'],
  'ranking/customer.ts': ['ranking/customer'],
  'ranking/frontier.ts': ['ranking/frontier'],
  'ranking/kernel.ts': ['ranking/kernel'],
  'ranking/rank.ts': ['ranking/rank.'],
  'ranking/recommend.ts': ['ranking/recommend'],
  'ranking/score.ts': ['ranking/score'],
  'ranking/universe.ts': ['ranking/universe', 'ranking/kernel'],
};
const ALL = ['src/numbers', 'src/calendar', 'src/commission', 'src/ranking', 'offers/offer-filter'];

/** Only files whose name contains it are changed: MUTATE=score npm run test:long. */
const only = process.env.MUTATE ?? '';

const WORKERS = 2;
const workshops = Array.from({ length: WORKERS }, openWorkshop);
afterAll(() => {
  for (const workshop of workshops) workshop.close();
});

interface Verdict {
  readonly mutant: Mutant;
  readonly isNoticed: boolean;
  readonly isBroken: boolean;
}

async function judge(workshop: Workshop, mutant: Mutant): Promise<Verdict> {
  const first = await workshop.run(CLOSEST[mutant.file], mutant);
  const outcome = first === 'passed' ? await workshop.run(ALL, mutant) : first;
  return { mutant, isNoticed: outcome !== 'passed', isBroken: outcome === 'broken' };
}

// Without this, tests that cannot run at all would notice everything.
beforeAll(async () => {
  const outcomes = await Promise.all(workshops.map((workshop) => workshop.run(ALL)));
  expect(outcomes, 'the tests pass on the program as it is').toEqual(workshops.map(() => 'passed'));
}, 120_000);

test('every change of the ranking is noticed by a test, or proven to change nothing', {
  timeout: 3_600_000,
}, async () => {
  const mutants = allMutants().filter(({ file, proof }) => file.includes(only) && proof === null);
  const queue = mutants.values();
  const verdicts: Verdict[] = [];
  await Promise.all(
    workshops.map(async (workshop) => {
      for (const mutant of queue) {
        const verdict = await judge(workshop, mutant);
        verdicts.push(verdict);
        if (!verdict.isNoticed || verdict.isBroken)
          console.log(`${verdict.isBroken ? 'broken' : 'survived'}: ${mutant.name}`);
      }
    }),
  );
  console.log(`${mutants.length} changes, ${verdicts.filter(({ isNoticed }) => isNoticed).length} noticed`);
  expect(verdicts.filter(({ isBroken }) => isBroken).map(({ mutant }) => mutant.name)).toEqual([]);
  expect(verdicts.filter(({ isNoticed }) => !isNoticed).map(({ mutant }) => mutant.name)).toEqual([]);
});
