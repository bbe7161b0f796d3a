import type { BucketState } from '../../engine/errors.ts';

/** A budget of points per fixed time window. */
export interface Bucket extends Pick<BucketState, 'name' | 'points' | 'windowSeconds'> {
  /** Identifies the bucket, unique over all buckets. */
  readonly key: string;
}
