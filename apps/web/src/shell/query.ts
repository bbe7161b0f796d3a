import type { Client } from '@tarifario/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Session } from './session.ts';

/** The parts that an answer depends on: a new answer is requested as soon as one of them changes. */
type Key = readonly unknown[];

/**
 * Requests an answer, and again when the key changes. An answer that arrives too late is ignored.
 *
 * @param ask - `null`: nothing is requested.
 * @param restMs - For so long the key rests before the service is asked.
 */
export function useAnswer<T>(key: Key, ask: ((signal: AbortSignal) => Promise<T>) | null, restMs = 0) {
  const [answer, setAnswer] = useState<T | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const control = new AbortController();
    const asking = async () => {
      try {
        if (ask && restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
        control.signal.throwIfAborted();
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

/** What the user starts: whether it is under way, and why it failed the last time. */
export function useTask() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  // A button that is pressed twice starts it once. It is not disabled meanwhile: that would lose the focus.
  const running = useRef(false);
  const run = async (act: () => Promise<void>) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setError(null);
    await act().catch(setError);
    running.current = false;
    setBusy(false);
  };
  return { isBusy, error, run };
}

/** The time after the last change until a value is used. */
export const REST_MS = 250;

/** A value once it has not changed for a while, so that not each key asks the service. */
export function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

/** How often something was opened: what it shows is asked for again each time, because it may have changed. */
export function useVisits(isOpen: boolean): number {
  const visits = useRef({ count: 0, isOpen: false });
  if (isOpen && !visits.current.isOpen) visits.current.count += 1;
  visits.current.isOpen = isOpen;
  return visits.current.count;
}

/** The first of a list, over its pages; without a count all of it. */
export async function firstOf<T>(list: AsyncIterable<T>, count = Number.POSITIVE_INFINITY): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const one of list) {
    all.push(one);
    if (all.length >= count) break;
  }
  return all;
}

/** The firms that a key sees, inactive ones too. */
export const allFirms = ({ api }: Session, signal: AbortSignal): Promise<readonly Client[]> =>
  firstOf(api.listClients({ include_inactive: true, limit: 200 }, { signal }));
