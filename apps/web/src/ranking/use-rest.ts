import type { Ranking, RankingQuestion, RankingResult, Tarifario } from '@tarifario/client';
import { useState } from 'preact/hooks';

/** As many as one answer has: up to so many offers the page can put them in another order by itself. */
export const MOST_RESULTS = 200;
/** The service passes over so many at most. */
const MOST_PASSED = 10_000;

/** An answer with the results that it begins with, and how to get more of them. */
export interface Rest {
  readonly answer: Ranking;
  /** How many come next; 0: there are no more. */
  readonly nextCount: number;
  readonly isBusy: boolean;
  readonly error: unknown;
  /** The offers are others by now, so what comes next does not go on where this ends. */
  readonly hasChanged: boolean;
  readonly goOn: () => Promise<void>;
}

interface Read {
  readonly of: Ranking;
  readonly results: readonly RankingResult[];
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly hasChanged: boolean;
}

/** Goes on with an answer, 200 results at a time. Another answer begins anew. */
export function useRest(api: Tarifario, first: Ranking, question: Omit<RankingQuestion, 'limit' | 'offset'>): Rest {
  const nothing: Read = { of: first, results: [], isBusy: false, error: null, hasChanged: false };
  const [last, setLast] = useState(nothing);
  const read = last.of === first ? last : nothing;
  const answer = read.results.length === 0 ? first : { ...first, results: [...first.results, ...read.results] };
  const offset = answer.results.length;
  const isOver = offset > MOST_PASSED || read.hasChanged;
  const goOn = async () => {
    // An answer that comes once there is another first one is passed over.
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
  return {
    answer,
    nextCount: isOver ? 0 : Math.min(MOST_RESULTS, first.total - offset),
    isBusy,
    error,
    hasChanged,
    goOn,
  };
}
