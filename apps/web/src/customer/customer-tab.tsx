import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import { PowerCard } from '../power/power-card.tsx';
import { toWirePreference } from '../ranking/preference.ts';
import { RankingView } from '../ranking/ranking-view.tsx';
import { MOST_RESULTS } from '../ranking/use-rest.ts';
import { Problem } from '../shell/problem.tsx';
import type { Session } from '../shell/session.ts';
import { useTask } from '../shell/use-task.ts';
import { useTranslation } from '../texts/texts.ts';
import { type Faults, faultsIn, fieldOfPath, questionOf } from './draft.ts';
import type { FormParts } from './fields.tsx';
import { QuestionFields } from './question-form.tsx';
import { Sources } from './sources.tsx';
import { isStale, keepStudy, keptStudy, nextStudy, type Study } from './study.ts';
import { openRatesIn } from './tax-fields.tsx';

/** On its own: an effect of the tab that captured the study would hold its answer longer than the rights to it. */
function useKeeping(study: Study) {
  useEffect(() => keepStudy(study), [study]);
}

/** One customer: from the known quantities to offers in order. */
export function CustomerTab({ session }: { readonly session: Session | null }) {
  const api = session?.api ?? null;
  const { say, language } = useTranslation();
  const [study, dispatch] = useReducer(nextStudy, null, keptStudy);
  const { draft, preference } = study;
  const [faults, setFaults] = useState<Faults>({});
  const { isBusy, error, run } = useTask();
  const formElement = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useKeeping(study);
  useLayoutEffect(() => {
    if (session) dispatch({ name: 'reached', reach: session.reach });
  }, [session?.reach]);
  // Other rights must not see the answer. An element that is made from it once more would keep it in memory.
  const isOld = isStale(study, language);
  const isSeen = session !== null && study.reach === session.reach;
  const toFault = () =>
    requestAnimationFrame(() => formElement.current?.querySelector<HTMLInputElement>('[aria-invalid=true]')?.focus());
  const rank = async () => {
    const asked = questionOf(draft, language);
    setFaults('faults' in asked ? asked.faults : {});
    if ('faults' in asked || !session) {
      toFault();
      return;
    }
    await run(async () => {
      const { question } = asked;
      const body = { ...question, ...toWirePreference(preference), limit: MOST_RESULTS };
      const ranking = await session.api.rankOffers({ body });
      dispatch({ name: 'answered', reach: session.reach, asked: question, answer: { ranking, preference } });
      requestAnimationFrame(() => heading.current?.focus());
    });
  };
  const asked = openRatesIn(error);
  // What was chosen stays in sight and can be changed, for the same day and place.
  const place = [draft.taxDay, draft.territory, draft.supply].join();
  const lastAsked = useRef<{ readonly place: string; readonly error: unknown }>({ place, error: null });
  if (asked && error !== lastAsked.current.error) lastAsked.current = { place, error };
  const open = lastAsked.current.place === place ? openRatesIn(lastAsked.current.error) : null;
  const refused = faultsIn(error, draft);
  useEffect(() => {
    if (Object.keys(refused).length > 0) toFault();
  }, [error]);
  const form: FormParts = {
    draft,
    faults: { ...refused, ...faults },
    change: (changes) => dispatch({ name: 'typed', changes }),
  };
  return (
    <div class="desk">
      <form
        class="card question"
        ref={formElement}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void rank();
        }}
      >
        <h2>{say('customer')}</h2>
        <div hidden={draft.supply !== 'LUZ'}>
          <Sources api={api} form={form} />
        </div>
        <QuestionFields form={form} open={open} />
        <button type="submit" class="main" aria-disabled={isBusy}>
          {isBusy ? say('working') : say('rank')}
        </button>
        <PowerCard api={api} form={form} />
        {error !== null && !asked && (
          <Problem error={error} isAtField={(path) => fieldOfPath(path) in refused} onRetry={rank} />
        )}
      </form>
      {isSeen && study.asked && study.answer && (
        <div class={`answers ${isOld ? 'stale' : ''}`}>
          {isOld && (
            <p class="card old">
              {say('stale')}{' '}
              <button type="button" onClick={rank}>
                {say('rankAgain')}
              </button>
            </p>
          )}
          <RankingView
            heading={heading}
            session={session}
            study={{ ...study, asked: study.asked, answer: study.answer }}
            isStale={isOld}
            dispatch={dispatch}
          />
        </div>
      )}
    </div>
  );
}
