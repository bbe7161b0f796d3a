import { TarifarioError } from '@tarifario/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { pathText } from '../texts/path-text.ts';
import { lacking, type TextName, type Translation, useTranslation } from '../texts/texts.ts';

/** Refusals for too many requests, and by a busy service. */
const WAITS: readonly number[] = [429, 503];
/** The same request would be refused again. */
const FINAL: readonly number[] = [400, 403, 404, 413, 422];

/** The failure, with what the user can do about it. */
export function Problem({
  error,
  advice,
  isSignIn = false,
  isAtField = () => false,
  onRetry,
}: {
  readonly error: unknown;
  /** Advice that is more precise than the error. */
  readonly advice?: TextName | undefined;
  /** It is about the typed key, and not about one that was valid. */
  readonly isSignIn?: boolean;
  /** Whether the form says it at a field. */
  readonly isAtField?: (path: string) => boolean;
  readonly onRetry?: (() => void) | undefined;
}) {
  const translation = useTranslation();
  const waitSeconds = useCountdown(error);
  const seen = error instanceof TarifarioError ? error : null;
  const errors = seen?.errors ?? [];
  const others = errors.filter((one) => !('path' in one) || !isAtField(one.path));
  const isAtFields = others.length < errors.length;
  // The id of an address is no member that anybody has typed.
  const told = others.filter((one) => !('path' in one && one.path === 'id'));
  const element = useRef<HTMLDivElement>(null);
  // What was pressed may be far from here. A field with a fault gets the focus, and is in sight by that.
  useEffect(() => {
    if (!isAtFields) element.current?.scrollIntoView({ block: 'nearest' });
  }, [error, isAtFields]);
  return (
    <div class="problem" role="alert" ref={element}>
      <p>
        {waitSeconds === null
          ? advice
            ? translation.say(advice)
            : isSignIn && isWrongKey(error)
              ? translation.say('wrongKey')
              : isAtFields
                ? translation.say('checkFields')
                : isOfMembers(error)
                  ? translation.say('checkThese')
                  : describe(error, translation)
          : translation.say(seen?.status === 503 ? 'busy' : 'tooMany', { wait: translation.wait(waitSeconds) })}
      </p>
      {seen?.status !== 401 && told.length > 0 && (
        <ul>
          {told.slice(0, 10).map((one) => {
            const place = 'path' in one ? one.path : `${one.sheet} ${one.row}`;
            return (
              <li key={place}>
                {'path' in one ? <PathName path={place} /> : <code>{place}</code>} {one.error}
              </li>
            );
          })}
        </ul>
      )}
      {onRetry && !(isSignIn && isWrongKey(error)) && !(seen && FINAL.includes(seen.status)) && (
        <button type="button" onClick={onRetry} disabled={waitSeconds !== null}>
          {translation.say('retry')}
        </button>
      )}
    </div>
  );
}

/** Where a refusal found something: in words, or as the API names it where there are none. */
export function PathName({ path }: { readonly path: string }) {
  const words = pathText(path, useTranslation());
  return words === '' ? <code>{path}</code> : <>{words}:</>;
}

/** It names what is wrong in what was sent. */
const isOfMembers = (error: unknown): boolean =>
  error instanceof TarifarioError && (error.status === 400 || error.status === 422) && error.errors.length > 0;

/** The key is refused, or cannot be sent in a header. */
function isWrongKey(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof TarifarioError && error.status === 401);
}

function describe(error: unknown, translation: Translation): string {
  const { say } = translation;
  if (error instanceof DOMException) return say('unreadableFile');
  // What browsers say where a part of the page cannot be loaded.
  if (error instanceof TypeError && /module/i.test(error.message)) return say('noServer');
  if (!(error instanceof TarifarioError)) return say('serverFault');
  const { status, message, detail } = error;
  if (status === 0) return say('noServer');
  // Visible once somebody has signed in again.
  if (status === 401) return say('keyWasEnded');
  if (detail?.missing_scope) return lacking(translation, detail.missing_scope);
  if (status === 404) return say('isUnknown');
  if (status === 413) return say('tooLarge');
  if (WAITS.includes(status)) return say('tooManyOver');
  return status >= 500 ? say('serverFault') : say('refused', { message });
}

/** Seconds until the next try is accepted; `null`: it is accepted now. */
function useCountdown(error: unknown): number | null {
  const seconds = error instanceof TarifarioError && WAITS.includes(error.status) ? (error.retryAfterSeconds ?? 1) : 0;
  const [remaining, setLeft] = useState(seconds);
  useEffect(() => {
    setLeft(seconds);
    if (seconds === 0) return;
    const end = performance.now() + 1000 * seconds;
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - performance.now()) / 1000))), 250);
    return () => clearInterval(timer);
  }, [error, seconds]);
  return remaining > 0 ? remaining : null;
}
