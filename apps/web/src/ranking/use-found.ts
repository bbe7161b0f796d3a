import type { Ranking, RankingQuestion, Tarifario } from '@tarifario/client';
import { MAX_LIMIT } from '@tarifario/core';
import { searchWithoutCups } from '../customer/cups.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { isSameList } from './use-continued.ts';

/** How long the search rests before the service is asked. */
const REST_MS = 300;

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
          await new Promise((resolve) => setTimeout(resolve, REST_MS));
          signal.throwIfAborted();
          const found = await api.rankOffers({ body: { ...question, q, limit: MAX_LIMIT } }, { signal });
          return { first, asked, found };
        },
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
