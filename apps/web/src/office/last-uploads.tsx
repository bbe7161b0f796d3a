import type { Tarifario, Upload } from '@tarifario/client';
import { useEffect } from 'preact/hooks';
import { Problem } from '../shell/problem.tsx';
import { useAnswer } from '../shell/query.ts';
import { useOpenSession } from '../shell/session.ts';
import { type TextName, useTranslation } from '../texts/texts.ts';

const COUNT = 5;
/** The service keeps at most 20 files that were only checked. */
const SEARCHED = 50;
const POLL_MS = 3000;
/** Nobody needs to see again a file that was only checked: it is pending, and later cancelled. */
const STATUS: Readonly<Partial<Record<Upload['status'], TextName>>> = {
  processing: 'uploadProcessing',
  completed: 'uploadDone',
  failed: 'uploadRefused',
};

/** The last workbooks and their state, those of colleagues too: the page may have been reloaded since one was sent. */
export function LastUploads({
  current,
  isBusy,
  onOpen,
}: {
  /** The upload that the page shows. */
  readonly current: Upload | null;
  readonly isBusy: boolean;
  readonly onOpen: (upload: Upload) => void;
}) {
  const session = useOpenSession();
  const { say, time } = useTranslation();
  // Requested again whenever a file was sent, because an earlier answer may be lost.
  const key = [session.reach, current?.id ?? 0, current?.status ?? '', Number(isBusy)];
  const { answer, error, retry } = useAnswer(key, (signal) => lastUploads(session.api, signal));
  useEffect(() => {
    if (!answer || answer.every(({ finished_at }) => finished_at !== null)) return;
    const timer = setTimeout(retry, POLL_MS);
    return () => clearTimeout(timer);
  }, [answer, error]);
  if (error !== null && !answer) return <Problem error={error} onRetry={retry} />;
  if (!answer || answer.length === 0) return null;
  return (
    <div>
      <h3>{say('lastUploads')}</h3>
      <ul class="uploads">
        {answer.map((upload) => (
          <li key={upload.id}>
            <button
              type="button"
              class="plain"
              disabled={isBusy || upload.finished_at === null}
              onClick={() => onOpen(upload)}
            >
              {upload.file_name}
            </button>{' '}
            <small>
              {time(upload.created_at)} · {say(STATUS[upload.status] ?? 'working')}
            </small>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The newest first. A record without a file is announced or cancelled: it will never be applied. */
async function lastUploads(api: Tarifario, signal: AbortSignal): Promise<readonly Upload[]> {
  const { total } = await api.listUploads({ limit: 1 }, { signal });
  const { results } = await api.listUploads({ limit: SEARCHED, offset: Math.max(0, total - SEARCHED) }, { signal });
  return results
    .filter((one) => one.status in STATUS)
    .slice(-COUNT)
    .toReversed();
}
