import type { RankingRequest } from '@tarifario/core/service';
import { answerParent } from '../child.ts';
import { companiesOfMarket, customers, market, questionFor } from '../market.ts';

/** Answers the questions of the line of advice, with the sources of the folder that is its argument. */
const [folder = ''] = process.argv.slice(2);
const api: typeof import('@tarifario/api') = await import(`${folder}/packages/api/src/index.ts`);
const core: typeof import('@tarifario/core/service') = await import(`${folder}/packages/core/src/service.ts`);
const work: typeof import('../service-work.ts') = await import(`${folder}/bench/service-work.ts`);

interface Turn {
  /** Fields of the questions: one set for all of them, or one for each. */
  readonly fields: readonly Partial<RankingRequest>[];
  readonly withJson: boolean;
  readonly calls: number;
}

await work.workAsAService();
const parts = [{ universe: core.compileUniverse('LUZ', market('LUZ', 5_000)), admits: () => true }];
const [json, companies] = [api.createRankingJson(), companiesOfMarket()];
const questions = customers(64).map((customer) => questionFor(customer));
let seen: unknown;

function asked(fields: Turn['fields']): readonly RankingRequest[] {
  return questions.map((question, index) => ({ ...question, ...fields[index % fields.length] }));
}

answerParent({
  weights: (fields: Partial<RankingRequest>) =>
    asked([fields]).map((request) => core.rankUniverses(parts, request).weight),
  /** Processor time of a call, of all threads of the process, microseconds. */
  turn: ({ fields, withJson, calls }: Turn) => {
    const requests = asked(fields);
    const before = process.cpuUsage();
    for (let call = 0; call < calls; call++) {
      const request = requests[call % requests.length];
      if (!request) throw new RangeError('there is a question');
      const ranking = core.rankUniverses(parts, request);
      seen = withJson ? json({ ranking, companies }) : ranking;
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / calls;
  },
  /** The last answer. Nothing calls this, but because it exists the engine may not skip the work. */
  seen: () => seen,
});
