import { useState } from 'preact/hooks';
import { keepStudyDays, STUDY_DAYS, studyDays } from '../customer/recent.ts';
import { Choice } from '../shell/form.tsx';
import type { Session } from '../shell/session.ts';
import { useTranslation } from '../texts/texts.ts';

/** How long this browser keeps studies. */
export function StudyDays({ session }: { readonly session: Session }) {
  const { say } = useTranslation();
  const [days, setDays] = useState(() => studyDays(session));
  const choose = (chosen: number) => {
    keepStudyDays(session, chosen);
    setDays(chosen);
  };
  return (
    <section class="card panel" aria-labelledby="study-days-title">
      <h2 id="study-days-title">{say('studiesTitle')}</h2>
      <Choice
        label={say('studyDays')}
        name="dias_estudios"
        value={`${days}`}
        options={STUDY_DAYS.map(
          (count) => [`${count}`, count === 0 ? say('never') : say('daysCount', { count })] as const,
        )}
        onChoose={(count) => choose(Number(count))}
      />
    </section>
  );
}
