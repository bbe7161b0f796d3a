import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** How many rows are drawn of a longer list. */
const DRAWN = 40;
/** How many of them are above those in sight. */
const ABOVE = 10;
/** Rows are exchanged so many at a time. */
const STEP = 5;

/**
 * Which rows of a list are drawn: those in sight of the element that scrolls, and some around them.
 *
 * @param view - Another one begins at the top.
 */
export function useWindow(count: number, view: string) {
  const element = useRef<HTMLElement>(null);
  const [first, setFirst] = useState(0);
  const [rowPx, setRowPx] = useState(0);
  const from = Math.max(0, Math.min(first, count - DRAWN));
  const to = Math.min(count, from + DRAWN);
  useLayoutEffect(() => {
    const rows = element.current?.querySelectorAll<HTMLElement>('[data-offer]');
    const [top, end] = [rows?.[0], rows?.[rows.length - 1]];
    if (rowPx > 0 || !rows || !top || !end) return;
    setRowPx((end.getBoundingClientRect().bottom - top.getBoundingClientRect().top) / rows.length);
  });
  useEffect(() => element.current?.scrollTo({ top: 0 }), [view]);
  const onScroll = () => {
    const inSight = Math.floor((element.current?.scrollTop ?? 0) / (rowPx || 1));
    setFirst(Math.max(0, STEP * Math.floor((inSight - ABOVE) / STEP)));
  };
  return { element, from, to, abovePx: from * rowPx, belowPx: (count - to) * rowPx, onScroll };
}
