import { useState } from 'preact/hooks';
import { keepStudyDays, STUDY_DAYS, studyDays } from '../customer/recent.ts';
import { Choice } from '../shell/form.tsx';
import type { RoomProps } from '../shell/lazy-room.tsx';
import { useOpenSession, useSession } from '../shell/session.ts';
import { lacking, useTranslation } from '../texts/texts.ts';
import { FirmList } from './firm-list.tsx';
import { FirmPage } from './firm-page.tsx';
import { Keys } from './keys.tsx';
import { Usage } from './usage.tsx';

/** The account: its firms with what they subscribe to, its keys, and its usage. */
export function Room({ isOpen, id }: RoomProps) {
  const session = useSession();
  const translation = useTranslation();
  const { say } = translation;
  if (!session) return null;
  if (!session.scopes.includes('clients:read') && id !== null) {
    return <p class="problem">{lacking(translation, 'clients:read')}</p>;
  }
  return (
    <>
      {id !== null && <FirmPage key={id} id={id} />}
      <div class="answers" hidden={id !== null}>
        <section class="card panel" aria-labelledby="firms-title">
          <h2 id="firms-title">{say('firms')}</h2>
          {session.scopes.includes('clients:read') ? (
            <FirmList isOpen={isOpen && id === null} />
          ) : (
            <p class="problem">{lacking(translation, 'clients:read')}</p>
          )}
        </section>
        <section class="card panel" aria-labelledby="keys-title">
          <h2 id="keys-title" tabIndex={-1}>
            {say('keys')}
          </h2>
          {session.mayManageKeys ? <Keys isOpen={isOpen && id === null} /> : <p>{say('keysNeedFull')}</p>}
        </section>
        <StudyDays />
        <Usage isOpen={isOpen && id === null} />
      </div>
    </>
  );
}

/** How long this browser keeps studies. */
export function StudyDays() {
  const session = useOpenSession();
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
