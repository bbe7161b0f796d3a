import { useEffect, useRef, useState } from 'preact/hooks';
import type { Translation } from '../texts/texts.ts';
import { displacedBy, openSession, type Session, settle } from './session.ts';

/**
 * The key in the fragment of the address, which is never sent to a server. It is removed from the address bar at once;
 * the list of visited pages that the browser keeps has it.
 */
function takeKey(): string | null {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
  return key;
}

/** The sessions of the page, one after the other, of a typed key or that of the address. */
export function useSessions(say: Translation['say']) {
  const [last, setLast] = useState<Session | null>(null);
  const [ended, setEnded] = useState<readonly Session[]>([]);
  /** The key of the address that did not open a session, and why. */
  const [failed, setFailed] = useState<{ readonly key: string; readonly error: unknown } | null>(null);
  /** As of now, also for what was begun earlier. */
  const now = useRef({ key: '', last, say });
  now.current = { ...now.current, last, say };
  const begin = async (key: string, isTyped = true) => {
    const opened = await openSession(key, () => setEnded((before) => [...before, opened]));
    const displaced = isTyped ? null : displacedBy(opened, now.current.last);
    const { accountName, email } = opened;
    if (displaced !== null && !confirm(now.current.say('otherKeyQuestion', { accountName, email, displaced }))) return;
    settle(opened);
    now.current.key = key;
    setLast(opened);
    setFailed(null);
  };
  const beginFromAddress = (key: string) => begin(key, false).catch((error: unknown) => setFailed({ key, error }));
  useEffect(() => {
    const enter = () => {
      const key = takeKey();
      if (key !== null && key !== now.current.key) void beginFromAddress(key);
    };
    enter();
    addEventListener('hashchange', enter);
    return () => removeEventListener('hashchange', enter);
  }, []);
  // A key that is no longer valid ends its session, and no later one. What it showed stays in place, hidden.
  return { last, hasEnded: last !== null && ended.includes(last), failed, begin, beginFromAddress };
}
