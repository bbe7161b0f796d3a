import { useEffect } from 'preact/hooks';

/** The browser asks before the page is left, while something is on it that would be lost. */
export function useLeaveQuestion(isLost: boolean): void {
  useEffect(() => {
    if (!isLost) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isLost]);
}
