import { useTranslation } from '../texts/texts.ts';
import type { Axis } from './axis.ts';

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
