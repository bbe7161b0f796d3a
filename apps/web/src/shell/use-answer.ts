import { useEffect, useState } from 'preact/hooks';

/** What an answer is for: another one is asked as soon as a part of it is another. */
type Key = readonly (string | number)[];

/**
 * Asks, and again when the key changes; an answer that comes too late is passed over.
 *
 * @param ask - `null`: nothing is asked.
 */
export function useAnswer<T>(key: Key, ask: ((signal: AbortSignal) => Promise<T>) | null) {
  const [answer, setAnswer] = useState<T | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const control = new AbortController();
    const asking = async () => {
      try {
        setAnswer(ask ? await ask(control.signal) : null);
        setError(null);
      } catch (fault) {
        if (!control.signal.aborted) setError(fault);
      }
    };
    void asking();
    return () => control.abort();
  }, [...key, tries]);
  return { answer, error, retry: () => setTries(tries + 1) };
}
