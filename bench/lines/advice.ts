import { fileURLToPath } from 'node:url';
import { createRankingJson, toWireRanking } from '@tarifario/api';
import {
  creditsSurplusIn,
  demandOf,
  finish,
  neededPrices,
  type RankingRequest,
  rankUniverses,
  viewOf,
  warningBits,
} from '@tarifario/core/service';
import { startChild } from '../child.ts';
import { line, type Row } from '../line.ts';
import { companiesOfMarket, customers, market, questionFor } from '../market.ts';
import { medianOf, sideBySide } from '../measure.ts';
import { PRESELECTION, partsOf } from '../universe-parts.ts';

const OFFERS = 5_000;
const QUESTIONS = 64;
const SIX = [0.2, 0.2, 0.2, 0.2, 0.2, 0.2] as const;
const CONTRACT = { supplyType: 'LUZ', energyEurPerKwh: SIX, powerEurPerKwDay: SIX } as const;

/**
 * The sources of a second checkout from which the fields of advice were taken away: rankings and answers, one by one. A
 * goal of 3 % cannot be measured against anything else.
 */
const PEER = process.env.ADVICE_PEER;

/** The questions whose cost is compared with that of the peer, which is asked for the same weight alone. */
const KINDS = [
  { what: 'using none of the fields', fields: {}, withJson: true },
  { what: 'the same, without its JSON', fields: {}, withJson: false },
  { what: 'the same, without commissions', fields: { seesCommissions: false }, withJson: true },
  { what: 'with a present contract', fields: { contract: CONTRACT }, withJson: true },
  { what: 'with contract and tolerance', fields: { contract: CONTRACT, tolerance: 1.5 }, withJson: true },
];

/** Each starts both programs anew: what the engine compiles differs from start to start, and with it the times. */
const STARTS = 6;
/** In each every program has two turns, and each comes first in one half. */
const ROUNDS = 12;
const CALLS = 4 * QUESTIONS;
const WARM_CALLS = 64 * QUESTIONS;

/** A program is measured alone in its process, where the engine has seen no other one. */
async function againstPeer(peer: string): Promise<readonly Row[]> {
  const own = fileURLToPath(new URL('../..', import.meta.url));
  const figures = KINDS.map(() => ({ ratios: [] as number[], peerMicros: [] as number[] }));
  for (let start = 0; start < STARTS; start++) {
    const isFirst = start % 2 === 0;
    const children = (isFirst ? [own, peer] : [peer, own]).map((folder) => startChild('advice', { args: [folder] }));
    const [ours, theirs] = isFirst ? children : children.toReversed();
    if (!ours || !theirs) throw new RangeError('there are two programs');
    for (const [index, { fields, withJson }] of KINDS.entries()) {
      const { contract, tolerance, ...same }: Partial<RankingRequest> = fields;
      const weights = await ours.ask<readonly number[]>('weights', fields);
      const weighed = weights.map((weight) => ({ ...same, weight }));
      const ourTurn = (calls = CALLS) => ours.ask<number>('turn', { fields: [fields], withJson, calls });
      const theirTurn = (calls = CALLS) => theirs.ask<number>('turn', { fields: weighed, withJson, calls });
      for (const turn of [ourTurn, theirTurn]) await turn(WARM_CALLS);
      const [oursMicros, peerMicros]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round++) {
        oursMicros.push(await ourTurn());
        peerMicros.push(await theirTurn(), await theirTurn());
        oursMicros.push(await ourTurn());
      }
      figures[index]?.ratios.push(medianOf(oursMicros) / medianOf(peerMicros));
      figures[index]?.peerMicros.push(medianOf(peerMicros));
    }
    for (const child of children) await child.end();
  }
  return KINDS.map(({ what }, index): Row => {
    const { ratios = [], peerMicros: ofStarts = [] } = figures[index] ?? {};
    const percent = (ratio: number) => `${((ratio - 1) * 100).toFixed(1)} %`;
    const peerMicros = medianOf(ofStarts);
    return {
      what: `${what} (${STARTS} starts: ${percent(Math.min(...ratios))} to ${percent(Math.max(...ratios))})`,
      // The median ratio: two programs that were started together had the same machine.
      oursMicros: peerMicros * medianOf(ratios),
      peer: 'without the fields',
      peerMicros,
      ratio: 'ours/theirs',
      goal: { atMost: 1.03 },
    };
  });
}

const NO_CONTRACT = { presentEur: null, cheapestEur: null };

/** Bytes of an answer without the fields of advice. */
function bytesWithoutAdvice(wire: ReturnType<typeof toWireRanking>): number {
  const { avisos, actual, conflicto, results, ...rest } = wire;
  const plain = results.map(({ coste_extra, comision_extra, comision_eur_mwh, ahorro, ...result }) => result);
  return Buffer.byteLength(JSON.stringify({ ...rest, results: plain }));
}

/**
 * A warm ranking of 5,000 offers with its JSON, 50 results, for 64 customers in turn, processor time: its warnings
 * alone against the whole, a question with a present contract and a tolerance against one with neither, and the bytes
 * of an answer with the fields of advice against the same without. With ADVICE_PEER, a checkout without the fields,
 * also five questions against it, each program in a process of its own: processor time of all threads.
 */
export const adviceLine = line({
  name: 'Advice',
  run: async () => {
    const parts = partsOf(market('LUZ', OFFERS));
    const companies = companiesOfMarket();
    const json = createRankingJson();
    const questions = customers(QUESTIONS).map((customer) => questionFor(customer));
    const withContract = questions.map(
      (request): RankingRequest => ({ ...request, contract: CONTRACT, tolerance: 1.5 }),
    );
    const answered = (requests: readonly RankingRequest[]) => (turn: number) => {
      const request = requests[turn % QUESTIONS];
      if (!request) throw new RangeError('there is a question');
      return json({ ranking: rankUniverses(parts, request, { preselection: PRESELECTION }), companies });
    };
    const warned = questions.map((request) => {
      const demand = demandOf(request.customer, request.period, request.fees);
      const question = { ...request, demand, month: null, needed: neededPrices(demand), ...NO_CONTRACT };
      const view = finish(viewOf(parts, question));
      return () => view.warnings(warningBits(question, () => creditsSurplusIn(view, [], question)));
    });
    const micros = await sideBySide(
      {
        whole: answered(questions),
        advised: answered(withContract),
        warnings: (turn) => warned[turn % QUESTIONS]?.(),
      },
      { rounds: 21, turnMs: 100 },
    );
    const [request] = questions;
    if (!request) throw new RangeError('there is a question');
    const wire = toWireRanking({ ranking: rankUniverses(parts, request, { preselection: PRESELECTION }), companies });
    const bytes = Buffer.byteLength(JSON.stringify(wire));
    const whole = { peer: 'the whole answer', peerMicros: micros.whole, ratio: 'ours/theirs' } as const;
    return [
      ...(PEER ? await againstPeer(PEER) : []),
      { what: 'its warnings', oursMicros: micros.warnings, ...whole, goal: { atMost: 0.02 } },
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
