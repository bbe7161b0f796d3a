import { useState } from 'preact/hooks';
import { questionOf } from '../customer/draft.ts';
import { deleteRecent, openedRecent, type RecentStudy, recentStudies, studyDays } from '../customer/recent.ts';
import type { Reopened } from '../customer/reopened.ts';
import { supplyLine } from '../customer/supply-line.ts';
import { Press } from '../shell/form.tsx';
import { useOpenSession } from '../shell/session.ts';
import { Removal, Table } from '../shell/table.tsx';
import { useTranslation } from '../texts/texts.ts';

/** The studies of the last days, which are in this browser alone. */
export function StudyList({
  isOpen,
  onReopen,
}: {
  readonly isOpen: boolean;
  readonly onReopen: (from: Reopened) => void;
}) {
  const session = useOpenSession();
  const translation = useTranslation();
  const { say, time } = translation;
  const [, setDeleted] = useState(0);
  // Read each time that the room is opened.
  const studies = isOpen ? recentStudies(session) : [];
  const lineOf = ({ draft }: RecentStudy) => {
    const read = questionOf(draft, translation.language);
    return 'question' in read ? supplyLine(read.question, null, translation) : draft.tariff;
  };
  const remove = (id: string | null) => {
    deleteRecent(session, id);
    setDeleted((count) => count + 1);
  };
  return (
    <section class="card panel" aria-labelledby="studies-title">
      <h2 id="studies-title" tabIndex={-1}>
        {say('studiesTitle')}
      </h2>
      <p class="note">{say('studiesNote', { days: studyDays(session) })}</p>
      {studies.length > 0 && (
        <>
          <Table
            name={say('tableOfStudies')}
            rows={studies}
            rowOf={({ id }) => ({ key: id, 'data-study': id })}
            columns={[
              [
                say('customer'),
                (study) => (
                  <button
                    type="button"
                    class="plain"
                    title={say('reopen')}
                    onClick={() => onReopen(openedRecent(study))}
                  >
                    {lineOf(study)}
                  </button>
                ),
              ],
              [say('rankedAt'), ({ at }) => time(at)],
              [say('remove'), (study) => <Removal name={lineOf(study)} onRemove={() => remove(study.id)} />],
            ]}
          />
          <Press text="removeStudies" onPress={() => remove(null)} />
        </>
      )}
    </section>
  );
}
