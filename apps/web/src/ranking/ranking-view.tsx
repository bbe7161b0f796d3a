import type { Ranking, RankingResult } from '@tarifario/client';
import { useMemo, useState } from 'preact/hooks';
import { ChosenOffers, MOST_CHOSEN } from '../chosen/chosen-offers.tsx';
import type { Question } from '../customer/draft.ts';
import { Problem } from '../shell/problem.tsx';
import type { Session } from '../shell/session.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { useTranslation } from '../texts/texts.ts';
import { Excluded } from './excluded.tsx';
import { Notices } from './notices.tsx';
import { canReweigh, type RequestedPreference, reweighed } from './preference.ts';
import { RankingTable } from './ranking-table.tsx';
import { TradeOff } from './trade-off.tsx';
import { MOST_RESULTS, useRest } from './use-rest.ts';

/** How long a slider rests before the page asks the server. */
const REST_MS = 250;

/** A ranking: first the answer of the server, then the order of the sliders. */
export function RankingView({
  session: { api, scopes },
  question,
  answered,
}: {
  readonly session: Session;
  readonly question: Question;
  readonly answered: Ranking;
}) {
  const { say } = useTranslation();
  const [preference, setPreference] = useState<RequestedPreference>(null);
  const [chosen, setChosen] = useState<readonly RankingResult[]>([]);
  const isHere = canReweigh(answered);
  const asksAt = isHere ? null : preference;
  const asked = useAnswer(
    [api, question, asksAt],
    asksAt &&
      (async (signal) => {
        await new Promise((resolve) => setTimeout(resolve, REST_MS));
        signal.throwIfAborted();
        const body = { ...question, ...toWirePreference(asksAt), limit: MOST_RESULTS };
        return { first: await api.rankOffers({ body }, { signal }), preference: asksAt };
      }),
  );
  const here = useMemo(() => (isHere ? reweighed(answered, preference) : null), [answered, isHere, preference]);
  const { first, preference: at } = here
    ? { first: here, preference }
    : (asked.answer ?? { first: answered, preference: null });
  const request = { ...question, ...toWirePreference(at) };
  const rest = useRest(api, first, request);
  const { answer } = rest;
  const choosing = {
    chosen: chosen.map(({ offer }) => offer.id),
    isFull: chosen.length === MOST_CHOSEN,
    onChoose: (result: RankingResult, isChosen: boolean) =>
      setChosen(isChosen ? [...chosen, result] : chosen.filter(({ offer }) => offer.id !== result.offer.id)),
  };
  if (answer.total === 0) {
    return (
      <div class="answers">
        <p class="card">{say('nothingRanked')}</p>
        <Notices answer={answer} />
        <Excluded answer={answer} />
      </div>
    );
  }
  return (
    <div class="answers">
      <Notices answer={answer} />
      {answer.umbrales && <TradeOff answer={answer} preference={preference} onPreference={setPreference} />}
      {!isHere && answer.umbrales && <p class="note">{say('askedAgain', { count: MOST_RESULTS })}</p>}
      {asked.error !== null && <Problem error={asked.error} onRetry={asked.retry} />}
      <RankingTable api={api} rest={rest} choosing={choosing} />
      <ChosenOffers
        api={api}
        answer={answer}
        chosen={chosen.map((result) => resultAt(answer, result))}
        request={{ ...request, limit: MOST_RESULTS }}
        mayPropose={scopes.includes('proposals:write')}
        onNone={() => setChosen([])}
      />
      <Excluded answer={answer} />
    </div>
  );
}

/** A result that was chosen, as it is at the weight of an answer that may not have it. */
function resultAt({ results, w }: Ranking, chosen: RankingResult): RankingResult {
  const { offer, nota_precio, nota_comision } = chosen;
  const nota = w * nota_precio + (1 - w) * (nota_comision ?? 0);
  return results.find((one) => one.offer.id === offer.id) ?? { ...chosen, nota };
}

/** A weight or a tolerance as a field of the request. */
export function toWirePreference(preference: RequestedPreference): {
  readonly w?: number;
  readonly tolerancia?: number;
} {
  if (preference === null) return {};
  return 'weight' in preference ? { w: preference.weight } : { tolerancia: preference.tolerance };
}
