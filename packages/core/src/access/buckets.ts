/** A budget of points per fixed time window. */
export interface Bucket {
  /** The name in the headers of an answer. */
  readonly name: string;
  /** Identifies the bucket, unique over all buckets. */
  readonly key: string;
  /** Points of one window, at least 1. */
  readonly points: number;
  readonly windowSeconds: number;
}

/** The state of a bucket after a call. */
export interface BucketState extends Omit<Bucket, 'key'> {
  /** Points that remain in this window, never negative. */
  readonly remaining: number;
  /** Seconds until the window ends, rounded up. */
  readonly resetSeconds: number;
}
