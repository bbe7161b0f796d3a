import type { Ranking } from '@tarifario/client';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { PowerCard } from '../power/power-card.tsx';
import { RankingView } from '../ranking/ranking-view.tsx';
import { MOST_RESULTS } from '../ranking/use-rest.ts';
import { Problem } from '../shell/problem.tsx';
import type { Session } from '../shell/session.ts';
import { useTask } from '../shell/use-task.ts';
import { useTranslation } from '../texts/texts.ts';
import { type Draft, EMPTY_DRAFT, type Faults, type Question, questionOf } from './draft.ts';
import type { FormParts } from './fields.tsx';
import { QuestionFields } from './question-form.tsx';
import { Sources } from './sources.tsx';
import { openRatesIn } from './tax-fields.tsx';

interface Ranked {
  /** The rights that it was answered to. */
  readonly reach: string;
  readonly question: Question;
  readonly answered: Ranking;
  /** Each answer resets the sliders. */
  readonly count: number;
}

/** One customer: from the known quantities to offers in order. */
export function CustomerTab({ session }: { readonly session: Session | null }) {
  const api = session?.api ?? null;
  const { say, language } = useTranslation();
  const [draft, setDraft] = useState<Draft>(EMPTY_DRAFT);
  const [faults, setFaults] = useState<Faults>({});
  const [ranked, setRanked] = useState<Ranked | null>(null);
  const { isBusy, error, run } = useTask();
  const formElement = useRef<HTMLFormElement>(null);
  // A session with other rights must not see the answer. An element that is made from it once more would keep it in memory.
  const seen = ranked !== null && ranked.reach === session?.reach ? ranked : null;
  const reach = useRef(session?.reach);
  useLayoutEffect(() => {
    reach.current = session?.reach;
    setRanked(null);
  }, [session?.reach]);
  const rank = async () => {
    const asked = questionOf(draft, language);
    setFaults('faults' in asked ? asked.faults : {});
    if ('faults' in asked || !session) {
      requestAnimationFrame(() => formElement.current?.querySelector<HTMLInputElement>('[aria-invalid=true]')?.focus());
      return;
    }
    await run(async () => {
      const { question } = asked;
      const answered = await session.api.rankOffers({ body: { ...question, limit: MOST_RESULTS } });
      if (reach.current === session.reach)
        setRanked((before) => ({ reach: session.reach, question, answered, count: (before?.count ?? 0) + 1 }));
    });
  };
  const asked = openRatesIn(error);
  // What was chosen stays in sight and can be changed, for the same day and place.
  const place = [draft.taxDay, draft.territory, draft.supply].join();
  const lastAsked = useRef<{ readonly place: string; readonly error: unknown }>({ place, error: null });
  if (asked && error !== lastAsked.current.error) lastAsked.current = { place, error };
  const open = lastAsked.current.place === place ? openRatesIn(lastAsked.current.error) : null;
  const change: FormParts['change'] = (changes) =>
    setDraft((now) => ({ ...now, ...(typeof changes === 'function' ? changes(now) : changes) }));
  const form = { draft, faults, change };
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
        <button type="submit" class="main" disabled={isBusy}>
          {isBusy ? say('working') : say('rank')}
        </button>
        <PowerCard api={api} form={form} />
        {error !== null && !asked && <Problem error={error} onRetry={rank} />}
      </form>
      {seen && session && (
        <RankingView key={seen.count} session={session} question={seen.question} answered={seen.answered} />
      )}
    </div>
  );
}
