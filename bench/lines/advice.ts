import { toWireRanking } from '@tarifario/api';
import { type RankingRequest, rankUniverses } from '@tarifario/core/service';
import { line } from '../line.ts';
import { companiesOfMarket, customers, market, questionFor } from '../market.ts';
import { sideBySide } from '../measure.ts';
import { partsOf } from '../universe-parts.ts';

const OFFERS = 5_000;
const QUESTIONS = 64;
const SIX = [0.2, 0.2, 0.2, 0.2, 0.2, 0.2] as const;
const CONTRACT = { supplyType: 'LUZ', energyEurPerKwh: SIX, powerEurPerKwDay: SIX } as const;

/** Bytes of an answer without the fields of advice. */
function bytesWithoutAdvice(wire: ReturnType<typeof toWireRanking>): number {
  const { avisos, actual, conflicto, results, ...rest } = wire;
  const plain = results.map(({ coste_extra, comision_extra, comision_eur_mwh, ahorro, ...result }) => result);
  return Buffer.byteLength(JSON.stringify({ ...rest, results: plain }));
}

/**
 * A warm ranking of 5,000 offers with its JSON, 50 results, for 64 customers in turn, processor time: a question with a present contract and a tolerance against one with neither, and the bytes
 * of an answer with the fields of advice against the same without.
 */
export const adviceLine = line({
  name: 'Advice',
  run: async () => {
    const parts = partsOf(market('LUZ', OFFERS));
    const companies = companiesOfMarket();
    const questions = customers(QUESTIONS).map((customer) => questionFor(customer));
    const withContract = questions.map(
      (request): RankingRequest => ({ ...request, contract: CONTRACT, tolerance: 1.5 }),
    );
    const answered = (requests: readonly RankingRequest[]) => (turn: number) => {
      const request = requests[turn % QUESTIONS];
      if (!request) throw new RangeError('there is a question');
      return JSON.stringify(
        toWireRanking({ ranking: rankUniverses(parts, request), companies, seesCommissions: true }),
      );
    };
    const micros = await sideBySide(
      {
        whole: answered(questions),
        advised: answered(withContract),
      },
      { rounds: 21, turnMs: 100 },
    );
    const [request] = questions;
    if (!request) throw new RangeError('there is a question');
    const wire = toWireRanking({ ranking: rankUniverses(parts, request), companies, seesCommissions: true });
    const bytes = Buffer.byteLength(JSON.stringify(wire));
    const whole = { peer: 'the whole answer', peerMicros: micros.whole, ratio: 'ours/theirs' } as const;
    return [
      { what: 'with contract and tolerance', oursMicros: micros.advised, ...whole, goal: null },
      {
        what: 'bytes of an answer',
        oursMicros: bytes,
        peer: 'without advice',
        peerMicros: bytesWithoutAdvice(wire),
        inBytes: true,
        ratio: 'ours/theirs',
        goal: null,
      },
    ];
  },
});
