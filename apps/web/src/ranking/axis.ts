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
