import type { Ranking, RankingQuestion, RankingResult, Tarifario } from '@tarifario/client';
import { MAX_LIMIT, MAX_RANKED_OFFSET } from '@tarifario/core';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Answer } from '../customer/answer.ts';
import { searchWithoutCups } from '../customer/cups.ts';
import { REST_MS, useAnswer } from '../shell/query.ts';
import { type RequestedPreference, toWirePreference } from './preference.ts';
import { orderedBy } from './shown-order.ts';

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

/** A ranking that can be searched by the service. */
export interface Searchable {
  readonly api: Tarifario;
  /** The first answer. */
  readonly first: Ranking;
  readonly question: RankingQuestion;
  /** No commission is shown, and offers are in the order of what is paid. */
  readonly isForCustomer: boolean;
}

/** What the service finds by name in a ranking. @param search - Without text nothing is asked. */
export function useFound({ api, first, question }: Searchable, search: string) {
  const q = searchWithoutCups(search);
  const asked = JSON.stringify({ ...question, q });
  const { answer, error, retry } = useAnswer(
    [api, first, asked],
    q === ''
      ? null
      : async (signal) => {
          const found = await api.rankOffers({ body: { ...question, q, limit: MAX_LIMIT } }, { signal });
          return { first, asked, found };
        },
    REST_MS,
  );
  const found = answer?.first === first && answer.asked === asked ? answer.found : null;
  const hasChanged = found !== null && !isSameList(found, first);
  return {
    found: hasChanged ? null : found,
    hasChanged,
    isBusy: q !== '' && !found && error === null,
    error: q === '' ? null : error,
    retry,
  };
}

/** An answer at another preference, asked of the service where the page does not have that order: until then the last one. */
export function useOrdered(api: Tarifario, answer: Answer, preference: RequestedPreference) {
  const { ranking, question } = answer;
  const own = useMemo(() => orderedBy(answer, preference), [answer, preference]);
  const asked = useAnswer(
    [api, ranking, own === null && preference],
    own
      ? null
      : async (signal) => {
          const body = { ...question, ...toWirePreference(preference), limit: MAX_LIMIT };
          return { of: ranking, ranking: await api.rankOffers({ body }, { signal }), preference };
        },
    REST_MS,
  );
  const last = asked.answer?.of === ranking ? asked.answer : answer;
  const latest = own ? { ranking: own, preference } : last;
  return {
    ranking: latest.ranking,
    preference: latest.preference,
    isAwaited: latest.preference !== preference,
    error: own ? null : asked.error,
    retry: asked.retry,
  };
}
