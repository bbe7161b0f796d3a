import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api.ts';
import { type Speech, useSpeech } from '../texts/texts.ts';

/** What went wrong, in words that say what to do. */
export function Problem({ error, onRetry }: { readonly error: unknown; readonly onRetry?: (() => void) | undefined }) {
  const speech = useSpeech();
  const waitSeconds = useCountdown(error);
  const seen = error instanceof ApiError ? error : null;
  return (
    <div class="problem" role="alert">
      <p>{waitSeconds === null ? describe(error, speech) : speech.say('tooMany', { seconds: waitSeconds })}</p>
      {seen && seen.status !== 401 && seen.errors.length > 0 && (
        <ul>
          {seen.errors.slice(0, 10).map(({ path, error: fault }) => (
            <li key={path}>
              <code>{path}</code> {fault}
            </li>
          ))}
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
  if (!(error instanceof ApiError)) return say('serverFault');
  const { status, message, missingScope } = error;
  if (status === 0) return say('noServer');
  if (status === 401) return say('wrongKey');
  if (missingScope !== null) return say('noScope', { scope: missingScope });
  if (status === 413) return say('tooLarge');
  if (status === 429) return say('tooManyOver');
  return status >= 500 ? say('serverFault') : say('refused', { message });
}

/** Seconds until the server answers again; `null`: now. */
function useCountdown(error: unknown): number | null {
  const seconds = error instanceof ApiError && error.status === 429 ? (error.retryAfterSeconds ?? 1) : 0;
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
