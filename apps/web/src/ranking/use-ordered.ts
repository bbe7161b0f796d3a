import type { Tarifario } from '@tarifario/client';
import { MAX_LIMIT } from '@tarifario/core';
import { useMemo } from 'preact/hooks';
import type { Answer } from '../customer/answer.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { type RequestedPreference, toWirePreference } from './preference.ts';
import { orderedBy } from './shown-order.ts';

/** How long a slider rests before the page asks the server. */
const REST_MS = 250;

/** An answer at another preference, asked of the service where the page does not have that order: until then the last one. */
export function useOrdered(api: Tarifario, answer: Answer, preference: RequestedPreference) {
  const { ranking, question } = answer;
  const own = useMemo(() => orderedBy(answer, preference), [answer, preference]);
  const asked = useAnswer(
    [api, ranking, own === null && preference],
    own
      ? null
      : async (signal) => {
          await new Promise((resolve) => setTimeout(resolve, REST_MS));
          signal.throwIfAborted();
          const body = { ...question, ...toWirePreference(preference), limit: MAX_LIMIT };
          return { of: ranking, ranking: await api.rankOffers({ body }, { signal }), preference };
        },
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
