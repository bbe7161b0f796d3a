/** Times of one bucket differ by at most this factor, so the value of a bucket is within 1 % of each of them. */
const BUCKET_RATIO = 1.02;
const LOG_RATIO = Math.log(BUCKET_RATIO);

/**
 * Counts response times in logarithmic buckets. Its size depends on how many values differ, not on how many there are.
 */
interface ResponseTimes {
  add(milliseconds: number): void;
  /** The 95th percentile, within 1 %; `null` without values. */
  p95(): number | null;
}

export function createResponseTimes(): ResponseTimes {
  // A time of 0 falls into the bucket -Infinity, whose value is 0.
  const buckets = new Map<number, number>();
  let count = 0;
  return {
    add(milliseconds) {
      const bucket = Math.floor(Math.log(milliseconds) / LOG_RATIO);
      buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
      count += 1;
    },
    p95() {
      const rank = Math.ceil((count * 95) / 100);
      let seen = 0;
      for (const [bucket, calls] of [...buckets].sort(([a], [b]) => (a < b ? -1 : 1))) {
        seen += calls;
        if (seen >= rank) return Math.exp((bucket + 0.5) * LOG_RATIO);
      }
      return null;
    },
  };
}
