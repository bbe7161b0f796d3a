import { useRef } from 'preact/hooks';

/** How often something was opened: what it shows is asked for again each time, because it may have changed. */
export function useVisits(isOpen: boolean): number {
  const visits = useRef({ count: 0, isOpen: false });
  if (isOpen && !visits.current.isOpen) visits.current.count += 1;
  visits.current.isOpen = isOpen;
  return visits.current.count;
}
