import { createRankingJson, toWireRanking } from '@tarifario/api';
import { compileUniverse, rankUniverses } from '@tarifario/core/service';
import { line, VoidRow } from '../line.ts';
import { companiesOfMarket, customers, market, questionFor } from '../market.ts';
import { sideBySide } from '../measure.ts';

const ANSWERS = 64;

/**
 * The answer of a ranking of 5,000 offers (50 results and about 40 excluded, 45 kB) for 64 customers in turn: bytes
 * from kept fragments against `JSON.stringify`, of the wire objects that are there already, then with the work of
 * making bytes of the text, then with that of making the objects too. The bytes are compared first.
 */
export const serialisationLine = line({
  name: 'Serialisation of the answer',
  run: async () => {
    const parts = [{ universe: compileUniverse('LUZ', market('LUZ', 5_000)), admits: () => true }];
    const companies = companiesOfMarket();
    const answers = customers(ANSWERS).map((customer) => {
      return { ranking: rankUniverses(parts, questionFor(customer)), companies };
    });
    const wires = answers.map(toWireRanking);
    const json = createRankingJson();
    const answerAt = (turn: number) => {
      const answer = answers[turn % ANSWERS];
      if (!answer) throw new RangeError('there is an answer');
      return answer;
    };
    for (const [turn, wire] of wires.entries()) {
      const bytes = Buffer.from(json(answerAt(turn)));
      if (!bytes.equals(Buffer.from(JSON.stringify(wire)))) throw new VoidRow('fragments give other bytes');
    }
    const micros = await sideBySide(
      {
        fragments: (turn) => json(answerAt(turn)),
        stringify: (turn) => JSON.stringify(wires[turn % ANSWERS]),
        bytes: (turn) => Buffer.from(JSON.stringify(wires[turn % ANSWERS])),
        all: (turn) => Buffer.from(JSON.stringify(toWireRanking(answerAt(turn)))),
      },
      { rounds: 21 },
    );
    const row = { what: 'one answer', oursMicros: micros.fragments };
    return [
      { ...row, peer: 'JSON.stringify', peerMicros: micros.stringify, ratio: 'ours/theirs', goal: { atMost: 0.25 } },
      { ...row, peer: 'JSON.stringify to bytes', peerMicros: micros.bytes, ratio: 'ours/theirs', goal: null },
      { ...row, peer: 'objects, JSON.stringify, to bytes', peerMicros: micros.all, ratio: 'ours/theirs', goal: null },
    ];
  },
});
