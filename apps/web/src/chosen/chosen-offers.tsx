import type { Ranking, RankingResult } from '@tarifario/client';
import type { Question } from '../customer/draft.ts';
import type { Dispatch } from '../customer/study.ts';
import type { Session } from '../shell/session.ts';
import { lacking, useTranslation } from '../texts/texts.ts';
import { Comparison } from './comparison.tsx';
import { ProposalForm } from './proposal.tsx';

/** At most this many offers are shown side by side. */
export const MAX_CHOSEN = 4;

/** The ticked offers: compared, and proposed. */
export function ChosenOffers({
  session,
  answer,
  chosen,
  request,
  mayPropose,
  isStale,
  comment,
  dispatch,
}: {
  readonly session: Session;
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
  const first = answer.results.slice(0, request.limit);
  const proposable = new Set(first.map(({ offer }) => offer.id));
  return (
    <section class="card" aria-labelledby="chosen-title">
      <h2 id="chosen-title" tabIndex={-1}>
        {say('chosen', { count: chosen.length, most: MAX_CHOSEN })}{' '}
        <button type="button" class="plain" onClick={() => dispatch({ name: 'noneChosen' })}>
          {say('chooseNone')}
        </button>
      </h2>
      <Comparison
        api={session.api}
        answer={answer}
        chosen={chosen}
        contract={request.contrato_actual}
        territory={request.territory}
      />
      {mayPropose ? (
        <ProposalForm
          session={session}
          seen={first.map(({ offer, cost }) => [offer.id, cost.total])}
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
