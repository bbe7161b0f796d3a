import type { Ranking, RankingResult } from '@tarifario/client';
import type { Dispatch, Study } from '../customer/study.ts';
import { Press } from '../shell/form.tsx';
import { useOpenSession } from '../shell/session.ts';
import { lacking, useTranslation } from '../texts/texts.ts';
import { Comparison } from './comparison.tsx';
import { ProposalForm } from './proposal.tsx';
import type { Proposed } from './proposed.ts';

/** At most this many offers are shown side by side. */
export const MAX_CHOSEN = 4;

/** The ticked offers: compared, and proposed. */
export function ChosenOffers({
  answer,
  chosen,
  proposed,
  mayPropose,
  isStale,
  leftOut,
  noted,
  dispatch,
}: {
  readonly answer: Ranking;
  readonly chosen: readonly RankingResult[];
  readonly proposed: Proposed;
  readonly mayPropose: boolean;
  readonly isStale: boolean;
  /** Names of chosen offers that a proposal cannot have. */
  readonly leftOut: readonly string[];
  readonly noted: Pick<Study, 'ref' | 'comment' | 'opened'>;
  readonly dispatch: Dispatch;
}) {
  const session = useOpenSession();
  const translation = useTranslation();
  const { say } = translation;
  const { request } = proposed;
  return (
    <section class="card" aria-labelledby="chosen-title">
      <h2 id="chosen-title" tabIndex={-1}>
        {say('chosen', { count: chosen.length, most: MAX_CHOSEN })}{' '}
        <Press text="chooseNone" class="plain" onPress={() => dispatch({ name: 'noneChosen' })} />
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
          proposed={proposed}
          seesCommissions={answer.umbrales !== null}
          isStale={isStale}
          noted={noted}
          dispatch={dispatch}
          leftOut={leftOut}
        />
      ) : (
        <p class="problem">{lacking(translation, 'proposals:write')}</p>
      )}
    </section>
  );
}
