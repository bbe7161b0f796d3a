import { useState } from 'preact/hooks';

/** What the user starts: whether it is under way, and why it failed the last time. */
export function useTask() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (act: () => Promise<void>) => {
    setBusy(true);
    setError(null);
    await act().catch(setError);
    setBusy(false);
  };
  return { isBusy, error, run };
}
