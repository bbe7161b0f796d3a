/**
 * The number of an interval: even between two bounds, odd exactly at a bound; -1 for `null`. All tier bounds of some
 * offers cut the axis of consumption (or of power) into points and open intervals; within one of them no offer changes
 * its tier, so rates of commission that were looked up for one customer serve every other in the same interval.
 *
 * @param bounds - Ascending.
 */
export function intervalOf(bounds: Float64Array, quantity: number | null): number {
  if (quantity === null) return -1;
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((bounds[middle] ?? 0) < quantity) low = middle + 1;
    else high = middle;
  }
  return bounds[low] === quantity ? 2 * low + 1 : 2 * low;
}
