import { daysBefore } from '../calendar.ts';
import type { Clock } from '../ports/machine.ts';
import type { Store } from '../ports/stores.ts';

/** How long the file of a failed upload is kept, so that it can be tried again. */
export const UPLOAD_FILE_DAYS = 7;
/** How many of them an account may keep: whoever sends wrong files without end must not fill the disk. */
const MAX_FAILED_FILES = 20;

/**
 * Forgets the files of uploads that are over and were sent more than seven days ago, or before the last 20 of their
 * account. A retry is refused from then on.
 *
 * @returns How many were forgotten.
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
