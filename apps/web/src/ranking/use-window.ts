import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** How many rows are drawn of a longer list. */
const DRAWN = 40;
/** How many of them are above those in sight. */
const ABOVE = 10;
/** Rows are exchanged so many at a time. */
const STEP = 5;

/**
 * Which rows of a list are drawn: those in sight of the window that scrolls, and some around them.
 *
 * @param view - Another one begins at the top.
 */
export function useWindow(count: number, view: string) {
  const element = useRef<HTMLElement>(null);
  const [first, setFirst] = useState(0);
  const [rowPx, setRowPx] = useState(0);
  const from = Math.max(0, Math.min(first, count - DRAWN));
  const to = Math.min(count, from + DRAWN);
  const topPx = () => element.current?.getBoundingClientRect().top ?? 0;
  useLayoutEffect(() => {
    const rows = element.current?.querySelectorAll<HTMLElement>('[data-offer]');
    const [top, end] = [rows?.[0], rows?.[rows.length - 1]];
    if (rowPx > 0 || !rows || !top || !end) return;
    setRowPx((end.getBoundingClientRect().bottom - top.getBoundingClientRect().top) / rows.length);
  });
  useEffect(() => {
    if (topPx() < 0) element.current?.scrollIntoView();
  }, [view]);
  const onScroll = () => setFirst(Math.max(0, STEP * Math.floor((-topPx() / (rowPx || 1) - ABOVE) / STEP)));
  // What is above the list may be another by now.
  useEffect(onScroll, [count, rowPx]);
  useEffect(() => {
    const { current: list } = element;
    if (!list) return;
    const observer = new ResizeObserver(() => list.classList.toggle('fits', list.scrollWidth <= list.clientWidth));
    observer.observe(list);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, [rowPx]);
  return { element, from, to, abovePx: from * rowPx, belowPx: (count - to) * rowPx };
}
