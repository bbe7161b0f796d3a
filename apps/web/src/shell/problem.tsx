import { TarifarioError } from '@tarifario/client';
import { useEffect, useState } from 'preact/hooks';
import { type Speech, type TextName, useSpeech } from '../texts/texts.ts';

/** What went wrong, in words that say what to do. */
export function Problem({
  error,
  advice,
  onRetry,
}: {
  readonly error: unknown;
  /** What to do, where that is known better than by the error. */
  readonly advice?: TextName | undefined;
  readonly onRetry?: (() => void) | undefined;
}) {
  const speech = useSpeech();
  const waitSeconds = useCountdown(error);
  const seen = error instanceof TarifarioError ? error : null;
  return (
    <div class="problem" role="alert">
      <p>
        {waitSeconds === null
          ? advice
            ? speech.say(advice)
            : describe(error, speech)
          : speech.say('tooMany', { seconds: waitSeconds })}
      </p>
      {seen && seen.status !== 401 && seen.errors.length > 0 && (
        <ul>
          {seen.errors.slice(0, 10).map((one) => {
            const place = 'path' in one ? one.path : `${one.sheet} ${one.row}`;
            return (
              <li key={place}>
                <code>{place}</code> {one.error}
              </li>
            );
          })}
        </ul>
      )}
      {onRetry && (
        <button type="button" onClick={onRetry} disabled={waitSeconds !== null}>
          {speech.say('retry')}
        </button>
      )}
    </div>
  );
}

function describe(error: unknown, { say }: Speech): string {
  // A key that is no text for a header.
  if (error instanceof TypeError) return say('wrongKey');
  if (error instanceof DOMException) return say('unreadableFile');
  if (!(error instanceof TarifarioError)) return say('serverFault');
  const { status, message, detail } = error;
  if (status === 0) return say('noServer');
  if (status === 401) return say('wrongKey');
  if (detail?.missing_scope) return say('noScope', { scope: detail.missing_scope });
  if (status === 413) return say('tooLarge');
  if (status === 429) return say('tooManyOver');
  return status >= 500 ? say('serverFault') : say('refused', { message });
}

/** Seconds until the server answers again; `null`: now. */
function useCountdown(error: unknown): number | null {
  const seconds = error instanceof TarifarioError && error.status === 429 ? (error.retryAfterSeconds ?? 1) : 0;
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    setLeft(seconds);
    if (seconds === 0) return;
    const end = performance.now() + 1000 * seconds;
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - performance.now()) / 1000))), 250);
    return () => clearInterval(timer);
  }, [error, seconds]);
  return left > 0 ? left : null;
}
