import type { OfferWithHistory, ReasonsAsked } from '@tarifario/core/service';
import { line } from '../line.ts';
import { customers, market, questionFor } from '../market.ts';
import { sideBySide } from '../measure.ts';
import { partsOf } from '../universe-parts.ts';
import { rankingOf } from './ranking.ts';

const OFFERS = 5_000;
const QUESTIONS = 16;
const YEARS = 4;

/** An offer whose history is so many times as long: 37 windows of a year for an indexed one. */
function withYears({ offer, months }: OfferWithHistory): OfferWithHistory {
  const inYear = (back: number) =>
    months.map((one) => ({ ...one, month: `${Number(one.month.slice(0, 4)) - back}${one.month.slice(4)}` }));
  const years = Array.from({ length: YEARS }, (_, index) => inYear(YEARS - 1 - index));
  return { offer, months: years.flat() };
}

/** What the reasons of an answer cost: a ranking of 5,000 offers with each of them, against the same without. */
export const reasonsLine = line({
  name: 'Reasons',
  run: async () => {
    const parts = partsOf(market('LUZ', OFFERS).map(withYears));
    const plain = customers(QUESTIONS).map((customer) => questionFor(customer));
    const asking = (reasons: ReasonsAsked) =>
      rankingOf(
        parts,
        plain.map((request) => ({ ...request, reasons })),
      );
    const micros = await sideBySide(
      {
        without: rankingOf(parts, plain),
        why: asking({ why: { againstId: null } }),
        past: asking({ retrospective: true }),
      },
      { rounds: 21, turnMs: 100 },
    );
    const beside = { peer: 'without', peerMicros: micros.without, ratio: 'ours/theirs' } as const;
    return [
      { what: 'with retrospectiva', oursMicros: micros.past, ...beside, goal: { atMost: 10 } },
      { what: 'with explicar', oursMicros: micros.why, ...beside, goal: null },
    ];
  },
});
