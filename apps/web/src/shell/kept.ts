import { useLayoutEffect, useState } from 'preact/hooks';
import { withoutCupsIn } from '../customer/cups.ts';

// What the tab keeps while the page is loaded again: no key, no answer, and no number of a supply point.

const PREFIX = 'tarifario.';

/** @param value - `null`: nothing more is kept. */
export function keep(name: string, value: object | null): void {
  try {
    if (value === null) sessionStorage.removeItem(PREFIX + name);
    else sessionStorage.setItem(PREFIX + name, JSON.stringify(withoutCupsIn(value)));
  } catch {
    // A browser that keeps nothing: the page works without.
  }
}

/** What was kept; without anything `{}`. */
export function kept(name: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + name) ?? '{}');
  } catch {
    return {};
  }
}

/** The name of what is kept for one account with its rights. */
const OF_RIGHTS = 'for.';

export const keepFor = (reach: string, name: string, value: unknown): void =>
  keep(OF_RIGHTS + name, value === null ? null : { reach, value });

export function keptFor<T>(reach: string, name: string, initial: T): T {
  const { reach: own, value } = kept(OF_RIGHTS + name);
  return own === reach ? (value as T) : initial;
}

/** What was typed under other rights may tell of commissions. */
export function forgetOthers(reach: string): void {
  try {
    for (const name of Object.keys(sessionStorage)) {
      const own = name.slice(PREFIX.length);
      if (own.startsWith(OF_RIGHTS) && kept(own).reach !== reach) sessionStorage.removeItem(name);
    }
  } catch {
    // As if nothing was kept.
  }
}

/** A state that stays when the page is loaded again, for the same account and rights. */
export function useKept<T>(reach: string, name: string, initial: T) {
  const [value, setValue] = useState<T>(() => keptFor(reach, name, initial));
  // Before the next frame: the page may be loaded again at once.
  useLayoutEffect(() => keepFor(reach, name, value === initial ? null : value), [value]);
  return [value, setValue] as const;
}

/** What was chosen for an account, or for its rights, in the browser: it is there after the tab. */
export function keptChosen(account: number | string, name: string): unknown {
  try {
    const kept = JSON.parse(localStorage.getItem(PREFIX + name) ?? 'null');
    return kept?.account === account ? kept.value : null;
  } catch {
    return null;
  }
}

export function keepChosen(account: number | string, name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify({ account, value }));
  } catch {
    // A browser that keeps nothing: it is chosen again.
  }
}
