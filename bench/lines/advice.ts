import { fileURLToPath } from 'node:url';
import { createRankingJson, toWireRanking } from '@tarifario/api';
import {
  demandOf,
  finish,
  neededPrices,
  type RankingRequest,
  rankedBlocks,
  rankedInBlocks,
  rankUniverses,
  warningsFor,
} from '@tarifario/core/service';
import { line, type Row } from '../line.ts';
import { companiesOfMarket, customers, market, questionFor } from '../market.ts';
import { sideBySide } from '../measure.ts';
import { FILTER, partsOf } from '../universe-parts.ts';

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
const KINDS = {
  'using none of the fields': {},
  'the same without commissions': { seesCommissions: false },
  'with a present contract': { contract: CONTRACT },
  'with contract and tolerance': { contract: CONTRACT, tolerance: 1.5 },
} as const;

type Program = (offers: ReturnType<typeof market>) => (request: RankingRequest) => unknown;

/** Answers of the program whose sources are in a folder, in the form of the REST answer. */
async function programIn(folder: string): Promise<Program> {
  const api: typeof import('@tarifario/api') = await import(`${folder}/packages/api/src/index.ts`);
  const core: typeof import('@tarifario/core/service') = await import(`${folder}/packages/core/src/service.ts`);
  const work: typeof import('../service-work.ts') = await import(`${folder}/bench/service-work.ts`);
  await work.workAsAService();
  return (offers) => {
    const parts = [{ universe: core.compileUniverse('LUZ', offers), admits: () => true }];
    const [json, companies] = [api.createRankingJson(), companiesOfMarket()];
    return (request) => json({ ranking: core.rankUniverses(parts, request), companies });
  };
}

async function againstPeer(folder: string): Promise<readonly Row[]> {
  const offers = market('LUZ', OFFERS);
  const ours = (await programIn(fileURLToPath(new URL('../..', import.meta.url))))(offers);
  const theirs = (await programIn(folder))(offers);
  const parts = partsOf(offers);
  const rows: Row[] = [];
  for (const [what, fields] of Object.entries(KINDS)) {
    const plain = customers(QUESTIONS).map((customer) => questionFor(customer));
    const advised = plain.map((request): RankingRequest => ({ ...request, ...fields }));
    const same = advised.map((request, index): RankingRequest => {
      const { seesCommissions } = request;
      return { ...(plain[index] ?? request), seesCommissions, weight: rankUniverses(parts, request).weight };
    });
    const askedOf = (answer: (request: RankingRequest) => unknown, requests: readonly RankingRequest[]) => () =>
      requests.map(answer).length;
    const contenders = { ours: askedOf(ours, advised), theirs: askedOf(theirs, same) };
    const micros = await sideBySide(contenders, { rounds: 101, turnMs: 1 });
    const sides = { oursMicros: micros.ours / QUESTIONS, peerMicros: micros.theirs / QUESTIONS };
    rows.push({ what, ...sides, peer: 'without the fields', ratio: 'ours/theirs', goal: { atMost: 1.03 } });
  }
  return rows;
}

/** Bytes of an answer without the fields of advice. */
function bytesWithoutAdvice(wire: ReturnType<typeof toWireRanking>): number {
  const { avisos, actual, conflicto, results, ...rest } = wire;
  const plain = results.map(({ coste_extra, comision_extra, comision_eur_mwh, ahorro, ...result }) => result);
  return Buffer.byteLength(JSON.stringify({ ...rest, results: plain }));
}

export const adviceLine = line({
  name: 'Advice',
  about:
    'A warm ranking of 5,000 offers with its JSON, 50 results, for 64 customers in turn, processor time: its warnings ' +
    'alone against the whole, a question with a present contract and a tolerance against one with neither, and the ' +
    'bytes of an answer with the fields of advice against the same without. With ADVICE_PEER, a checkout without the ' +
    'fields, also four questions against it.',
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
      return json({ ranking: rankUniverses(parts, request, { filter: FILTER }), companies });
    };
    const warned = questions.map((request) => {
      const demand = demandOf(request.customer, request.period, request.fees);
      const question = { demand, month: null, needed: neededPrices(demand), filter: request.filter };
      const blocks = finish(rankedBlocks(parts, request));
      return () => warningsFor(finish(rankedInBlocks(blocks, [], question)), question);
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
    const wire = toWireRanking({ ranking: rankUniverses(parts, request, { filter: FILTER }), companies });
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
