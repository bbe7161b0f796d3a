import { useState } from 'preact/hooks';
import { useTranslation } from '../texts/texts.ts';
import { Problem } from './problem.tsx';
import { useAnswer } from './query.ts';
import { useOpenSession } from './session.ts';

/** Who compares what, and how: asked for when it is opened. */
export function About() {
  const { say } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <footer>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{say('about')}</summary>
        {isOpen && <Facts />}
      </details>
    </footer>
  );
}

function Facts() {
  const { api, reach } = useOpenSession();
  const { say, time, language } = useTranslation();
  const { answer, error, retry } = useAnswer([reach], (signal) => api.describeComparison({}, { signal }));
  if (error !== null) return <Problem error={error} onRetry={retry} />;
  if (!answer) return <p>{say('working')}</p>;
  const { owner, financing, contact, criteria, scope, offers, retailers, newest_change } = answer;
  const lines = [
    scope[language],
    criteria[language],
    say('aboutCounts', { offers, retailers }),
    newest_change && say('aboutNewest', { time: time(newest_change) }),
    owner && say('aboutOwner', { owner }),
    financing && say('aboutFinancing', { financing }),
    contact && say('aboutContact', { contact }),
  ];
  return (
    <ul>
      {lines
        .filter((line) => line !== null)
        .map((line) => (
          <li key={line}>{line}</li>
        ))}
    </ul>
  );
}
