import type { Ranking, RankingResult, Tarifario } from '@tarifario/client';
import type { Question } from '../customer/draft.ts';
import type { Dispatch } from '../customer/study.ts';
import { lacking, useTranslation } from '../texts/texts.ts';
import { Comparison } from './comparison.tsx';
import { ProposalForm } from './proposal.tsx';

/** At most this many offers are shown side by side. */
export const MOST_CHOSEN = 4;

/** The ticked offers: compared, and proposed. */
export function ChosenOffers({
  api,
  answer,
  chosen,
  request,
  mayPropose,
  isStale,
  comment,
  dispatch,
}: {
  readonly api: Tarifario;
  readonly answer: Ranking;
  readonly chosen: readonly RankingResult[];
  readonly request: Question & { readonly limit: number };
  readonly mayPropose: boolean;
  readonly isStale: boolean;
  readonly comment: string;
  readonly dispatch: Dispatch;
}) {
  const translation = useTranslation();
  const { say } = translation;
  if (chosen.length === 0) return null;
  const proposable = new Set(answer.results.slice(0, request.limit).map(({ offer }) => offer.id));
  return (
    <section class="card" aria-labelledby="chosen-title">
      <h2 id="chosen-title" tabIndex={-1}>
        {say('chosen', { count: chosen.length, most: MOST_CHOSEN })}{' '}
        <button type="button" class="plain" onClick={() => dispatch({ name: 'noneChosen' })}>
          {say('chooseNone')}
        </button>
      </h2>
      <Comparison api={api} answer={answer} chosen={chosen} />
      {mayPropose ? (
        <ProposalForm
          api={api}
          request={request}
          offerIds={chosen.map(({ offer }) => offer.id)}
          seesCommissions={answer.umbrales !== null}
          isStale={isStale}
          comment={comment}
          onComment={(text) => dispatch({ name: 'commented', comment: text })}
          leftOut={chosen.flatMap(({ offer }) => (proposable.has(offer.id) ? [] : [offer.offer_name]))}
        />
      ) : (
        <p class="problem">{lacking(translation, 'proposals:write')}</p>
      )}
    </section>
  );
}
