import { useEffect, useRef, useState } from 'preact/hooks';

/** The present width of an element in pixels. Charts are drawn for it, so that their texts keep their size. */
export function useWidth<Kind extends HTMLElement>(initial: number) {
  const element = useRef<Kind>(null);
  const [width, setWidth] = useState(initial);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setWidth(entry.contentRect.width);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return { element, width };
}
