import { answerParent } from '../child.ts';
import { idsOf, rankingOf } from '../lines/ranking.ts';
import { customers, market, questionFor } from '../market.ts';
import { sideBySide } from '../measure.ts';
import { workAsAService } from '../service-work.ts';

/** Rankings over more offers than fit into an ordinary heap. Arguments: how many offers. */
const offerCount = Number(process.argv[2]);

answerParent({
  rank: async () => {
    await workAsAService();
    const rank = rankingOf(
      market('LUZ', offerCount),
      customers(4).map((customer) => questionFor(customer)),
    );
    if (idsOf(rank(0)).length !== 50) throw new RangeError('50 offers are told');
    return (await sideBySide({ rank }, { rounds: 7, turnMs: 100 })).rank;
  },
});
