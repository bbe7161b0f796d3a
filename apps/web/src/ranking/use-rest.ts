import type { Ranking, RankingQuestion, RankingResult, Tarifario } from '@tarifario/client';
import { useState } from 'preact/hooks';

/** The most offers of one answer. Up to that many the page computes another order by itself. */
export const MOST_RESULTS = 200;
/** The largest `offset` of the service. */
const MOST_PASSED = 10_000;

/** An answer with the results so far, and a function that gets more of them. */
export type Rest = ReturnType<typeof useRest>;

interface Read {
  readonly of: Ranking;
  readonly results: readonly RankingResult[];
  readonly isBusy: boolean;
  readonly error: unknown;
  /** The offers have changed, so the next results do not continue these. */
  readonly hasChanged: boolean;
}

/** Continues an answer, 200 results at a time. A new first answer begins anew. */
export function useRest(api: Tarifario, first: Ranking, question: Omit<RankingQuestion, 'limit' | 'offset'>) {
  const nothing: Read = { of: first, results: [], isBusy: false, error: null, hasChanged: false };
  const [last, setLast] = useState(nothing);
  const read = last.of === first ? last : nothing;
  const answer = read.results.length === 0 ? first : { ...first, results: [...first.results, ...read.results] };
  const offset = answer.results.length;
  const isOver = offset > MOST_PASSED || read.hasChanged;
  /** How many results come next; 0: there are no more. */
  const nextCount = isOver ? 0 : Math.min(MOST_RESULTS, first.total - offset);
  const goOn = async () => {
    // An answer that arrives after the first answer was replaced is ignored.
    const change = (changes: Partial<Read>) =>
      setLast((now) => (now.of === first || changes.isBusy ? { ...read, ...changes } : now));
    change({ isBusy: true, error: null });
    try {
      const next = await api.rankOffers({ body: { ...question, limit: MOST_RESULTS, offset } });
      const isSame = next.total === first.total && JSON.stringify(next.escala) === JSON.stringify(first.escala);
      change(
        isSame ? { results: [...read.results, ...next.results], isBusy: false } : { hasChanged: true, isBusy: false },
      );
    } catch (error) {
      change({ error, isBusy: false });
    }
  };
  const { isBusy, error, hasChanged } = read;
  return { answer, nextCount, isBusy, error, hasChanged, goOn };
}
