import { useEffect } from 'preact/hooks';
import type { Draft } from './draft.ts';

/** How long the form rests until the answer follows it. */
const REST_MS = 600;

/** Ranks again once a changed form rests. */
export function useFollowing(isDue: boolean, draft: Draft, rank: () => void): void {
  useEffect(() => {
    if (!isDue) return;
    const timer = setTimeout(rank, REST_MS);
    return () => clearTimeout(timer);
  }, [isDue, draft]);
}
