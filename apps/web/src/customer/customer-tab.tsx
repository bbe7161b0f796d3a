import { useRef, useState } from 'preact/hooks';
import type { Api, RankingAnswer } from '../api.ts';
import { RankingTable } from '../ranking/ranking-table.tsx';
import { Problem } from '../shell/problem.tsx';
import { useSpeech } from '../texts/texts.ts';
import { type Draft, EMPTY_DRAFT, type Faults, questionOf } from './draft.ts';
import { QuestionFields } from './question-form.tsx';

/** As many as one answer has: up to so many offers the page has all it needs to put them in another order. */
const MOST_RESULTS = 200;

/** One customer: from what is known of him to offers in order. */
export function CustomerTab({ api }: { readonly api: Api | null }) {
  const { say } = useSpeech();
  const [draft, setDraft] = useState<Draft>(EMPTY_DRAFT);
  const [faults, setFaults] = useState<Faults>({});
  const [answer, setAnswer] = useState<RankingAnswer | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const formElement = useRef<HTMLFormElement>(null);
  const rank = async () => {
    const asked = questionOf(draft);
    setFaults('faults' in asked ? asked.faults : {});
    if ('faults' in asked || !api) {
      requestAnimationFrame(() => formElement.current?.querySelector<HTMLInputElement>('[aria-invalid=true]')?.focus());
      return;
    }
    setBusy(true);
    setError(null);
    try {
      setAnswer(await api('/v1/offers/efficient', { body: { ...asked.question, limit: MOST_RESULTS } }));
    } catch (fault) {
      setError(fault);
    } finally {
      setBusy(false);
    }
  };
  const form = { draft, faults, change: (changes: Partial<Draft>) => setDraft((now) => ({ ...now, ...changes })) };
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
        <QuestionFields form={form} />
        <button type="submit" class="main" disabled={isBusy}>
          {isBusy ? say('working') : say('rank')}
        </button>
        {error !== null && <Problem error={error} onRetry={rank} />}
      </form>
      {answer && <RankingTable answer={answer} />}
    </div>
  );
}
