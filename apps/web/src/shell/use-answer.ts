import { useEffect, useState } from 'preact/hooks';

/** The parts that an answer depends on: a new answer is requested as soon as one of them changes. */
type Key = readonly unknown[];

/**
 * Requests an answer, and again when the key changes. An answer that arrives too late is ignored.
 *
 * @param ask - `null`: nothing is requested.
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
  return { answer, error, retry: () => setTries((before) => before + 1) };
}
