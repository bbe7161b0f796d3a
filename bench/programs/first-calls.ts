import { toWireRanking } from '@tarifario/api';
import { rankUniverses } from '@tarifario/core/service';
import { answerParent } from '../child.ts';
import { companiesOfMarket, customers, market, questionFor } from '../market.ts';
import { partsOf } from '../universe-parts.ts';

/** Ranks 5,000 offers in a process that has ranked nothing yet. */
const parts = partsOf(market('LUZ', 5_000));
const companies = companiesOfMarket();
const questions = customers(64).map((customer) => questionFor(customer));
let seen: unknown;

answerParent({
  /** Processor time of a ranking with its JSON, of all threads of the process, microseconds. */
  turn: (calls: number) => {
    const before = process.cpuUsage();
    for (let call = 0; call < calls; call++) {
      const request = questions[call % questions.length];
      if (!request) throw new RangeError('there is a question');
      seen = JSON.stringify(
        toWireRanking({ ranking: rankUniverses(parts, request), companies, seesCommissions: true }),
      );
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / calls;
  },
  /** The last answer. Nothing calls this, but because it exists the engine may not skip the work. */
  seen: () => seen,
});
