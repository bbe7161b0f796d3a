/** A count of points in fixed windows. */
export interface Bucket {
  /** Shown in the answer's headers. */
  readonly name: string;
  /** Whose points these are, unique over all buckets. */
  readonly key: string;
  /** Points of one window, at least 1. */
  readonly points: number;
  readonly windowSeconds: number;
}

/** What is left of a bucket after a call. */
export interface BucketState {
  readonly name: string;
  /** Points of one window. */
  readonly points: number;
  readonly windowSeconds: number;
  /** Points left in this window, never negative. */
  readonly remaining: number;
  /** Seconds until the window ends, rounded up. */
  readonly resetSeconds: number;
}
