import { useEffect, useRef, useState } from 'preact/hooks';
import { useTranslation } from '../texts/texts.ts';

/** A straight scale from values to pixels, with round ticks. */
export interface Axis {
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
  /** The number of decimals that the ticks need. */
  readonly decimals: number;
}

/** @param pixels - The positions of the lowest and the highest value. */
export function axisFor(values: readonly number[], pixels: readonly [number, number], count = 5): Axis {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [from, to] = high > low ? [low, high] : [low - 1, high + 1];
  const rough = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const ticks: number[] = [];
  for (let index = Math.ceil(from / step); index * step <= to; index++) ticks.push(index * step);
  const margin = 0.04 * (to - from);
  const [start, end] = pixels;
  const at = (value: number) => start + ((value - from + margin) / (to - from + 2 * margin)) * (end - start);
  return { at, ticks, decimals: Math.max(0, -Math.floor(Math.log10(step))) };
}

/** A line across the chart at each tick of its vertical axis, with the value at the left of it. */
export function HorizontalGrid({
  axis,
  from,
  to,
}: {
  readonly axis: Axis;
  readonly from: number;
  readonly to: number;
}) {
  const { number } = useTranslation();
  return axis.ticks.map((tick) => (
    <g key={tick} transform={`translate(0 ${axis.at(tick)})`}>
      <line class="grid" x1={from} x2={to} />
      <text x={from - 6} dy="0.32em" text-anchor="end">
        {number(tick, axis.decimals)}
      </text>
    </g>
  ));
}

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
