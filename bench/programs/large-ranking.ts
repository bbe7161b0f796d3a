import { answerParent } from '../child.ts';
import { timesOf } from '../lines/ranking.ts';
import { customers, market, questionFor } from '../market.ts';
import { workAsAService } from '../service-work.ts';
import { partsOf } from '../universe-parts.ts';

/** Rankings over more offers than fit into an ordinary heap. Arguments: how many offers. */
const offerCount = Number(process.argv[2]);

answerParent({
  times: async () => {
    await workAsAService();
    const questions = customers(4).map((customer) => questionFor(customer));
    return await timesOf(partsOf(market('LUZ', offerCount)), questions, 5);
  },
});
