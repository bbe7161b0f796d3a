import { useEffect, useState } from 'preact/hooks';

/** The time after the last change until a value is used. */
const REST_MS = 250;

/** A value once it has not changed for a while, so that not each key asks the service. */
export function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
