import { useRef, useState } from 'preact/hooks';

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
