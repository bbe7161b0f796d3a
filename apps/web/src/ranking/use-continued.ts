import type { Ranking, RankingQuestion, RankingResult, Tarifario } from '@tarifario/client';
import { MAX_LIMIT, MAX_RANKED_OFFSET } from '@tarifario/core';
import { useMemo, useRef, useState } from 'preact/hooks';

/** An answer with the results so far, and a function that gets more of them. */
export type Continued = ReturnType<typeof useContinued>;

interface Read {
  readonly of: Ranking;
  readonly results: readonly RankingResult[];
  readonly isBusy: boolean;
  readonly error: unknown;
  /** The offers have changed, so the next results do not continue these. */
  readonly hasChanged: boolean;
}

/** Whether two answers are about the same offers. */
export function isSameList(a: Ranking, b: Ranking): boolean {
  return a.total === b.total && JSON.stringify(a.escala) === JSON.stringify(b.escala);
}

/** Continues an answer, 200 results at a time. A new first answer begins anew. */
export function useContinued(api: Tarifario, first: Ranking, question: Omit<RankingQuestion, 'limit' | 'offset'>) {
  const nothing: Read = { of: first, results: [], isBusy: false, error: null, hasChanged: false };
  const [last, setLast] = useState(nothing);
  const latest = useRef(first);
  latest.current = first;
  const read = last.of === first ? last : nothing;
  const { results } = read;
  const answer = useMemo(() => ({ ...first, results: [...first.results, ...results] }), [first, results]);
  const nextAt = (offset: number) => (offset > MAX_RANKED_OFFSET ? 0 : Math.min(MAX_LIMIT, first.total - offset));
  /** @param isToEnd - Gets all that there are, and not the next ones alone. */
  const goOn = async (isToEnd: boolean) => {
    if (read.isBusy) return;
    const change = (changes: Partial<Read>) =>
      setLast((now) => ({ ...(now.of === first ? now : nothing), ...changes }));
    let all = answer.results;
    change({ isBusy: true, error: null });
    try {
      do {
        const next = await api.rankOffers({ body: { ...question, limit: MAX_LIMIT, offset: all.length } });
        // What arrives after the first answer was replaced is ignored.
        if (latest.current !== first) return;
        if (!isSameList(next, first)) {
          change({ hasChanged: true, isBusy: false });
          return;
        }
        all = [...all, ...next.results];
        change({ results: all.slice(first.results.length) });
      } while (isToEnd && nextAt(all.length) > 0);
      change({ isBusy: false });
    } catch (error) {
      if (latest.current === first) change({ error, isBusy: false });
    }
  };
  const { isBusy, error, hasChanged } = read;
  /** How many results come next; 0: there are no more. */
  const nextCount = hasChanged ? 0 : nextAt(answer.results.length);
  return { answer, nextCount, isBusy, error, hasChanged, goOn };
}
