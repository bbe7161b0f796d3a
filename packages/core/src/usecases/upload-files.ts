import { daysBefore } from '../calendar.ts';
import type { Clock } from '../ports/machine.ts';
import type { Store } from '../ports/stores.ts';

/** How long the file of a failed upload is stored for a retry. */
export const UPLOAD_FILE_DAYS = 7;
/** How many such files an account may have, so that endless wrong files cannot fill the disk. */
const MAX_FAILED_FILES = 20;

/**
 * Deletes files of finished uploads that were sent more than seven days ago, or before the last 20 of their account.
 * From then on a retry is refused.
 *
 * @returns How many were deleted.
 * @see docs/assumptions.md, A-38
 */
export async function sweepUploadFiles({
  store,
  clock,
}: {
  readonly store: Pick<Store, 'write'>;
  readonly clock: Pick<Clock, 'now'>;
}): Promise<number> {
  const at = clock.now();
  return store.write({ keyId: null, at, concerns: ['queue'] }, (writer) => {
    return writer.sweepUploadFiles(daysBefore(at, UPLOAD_FILE_DAYS), MAX_FAILED_FILES);
  });
}
