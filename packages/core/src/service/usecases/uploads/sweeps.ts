import { daysBefore } from '../../../engine/calendar.ts';
import { answersInForceSince } from '../../access/idempotency.ts';
import type { Clock } from '../../ports/machine.ts';
import type { Store } from '../../ports/stores.ts';
import { changeUpload } from './upload-changes.ts';

interface SweepParts {
  readonly store: Pick<Store, 'read' | 'write'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** The most records that one unit of work deletes. */
const SWEEP_SLICE = 1000;

/**
 * Deletes calls older than the retention time, in slices between which others can write.
 *
 * @param options - `keepGoing` is called before each slice.
 * @returns How many entries were deleted.
 * @see docs/assumptions.md, A-37
 */
export async function sweepUsage(
  { store, clock }: SweepParts,
  { retentionDays, keepGoing }: { readonly retentionDays: number; readonly keepGoing: () => boolean },
): Promise<number> {
  const oldest = daysBefore(clock.now(), retentionDays);
  return sweepInSlices(keepGoing, () =>
    store.write({ keyId: null, at: clock.now(), concerns: ['usage'] }, (writer) =>
      writer.usage.deleteBefore(oldest, SWEEP_SLICE),
    ),
  );
}

/**
 * Deletes answers that are no longer valid, in slices between which others can write.
 *
 * @param options - `keepGoing` is called before each slice.
 * @returns How many were deleted.
 */
export async function sweepAnswers(
  { store, clock }: SweepParts,
  { keepGoing }: { readonly keepGoing: () => boolean },
): Promise<number> {
  return sweepInSlices(keepGoing, () => {
    const at = clock.now();
    return store.write({ keyId: null, at, concerns: [] }, (writer) =>
      writer.answers.deleteBefore(answersInForceSince(at), SWEEP_SLICE),
    );
  });
}

/** Deletes slice by slice, so that others can write in between, until a slice is not full. @returns How many. */
async function sweepInSlices(keepGoing: () => boolean, deleteSlice: () => Promise<number>): Promise<number> {
  let total = 0;
  while (keepGoing()) {
    const deleted = await deleteSlice();
    total += deleted;
    if (deleted < SWEEP_SLICE) break;
  }
  return total;
}

/** How long the file of a failed upload is stored for a retry. */
const UPLOAD_FILE_DAYS = 7;
/** How long the file of a dry run can be applied. */
export const KEPT_FILE_DAYS = 1;
/** How many files of either an account may have, so that endless files cannot fill the disk. */
const MAX_FILES = 20;

/**
 * Deletes files of finished uploads that were sent more than seven days ago, or before the last 20 of their account.
 * From then on a retry is refused. Files of dry runs are deleted after a day, and their uploads cancelled.
 *
 * @returns How many were deleted.
 * @see docs/assumptions.md, A-38 and A-129
 */
export async function sweepUploadFiles({ store, clock }: SweepParts): Promise<number> {
  const at = clock.now();
  const kept = await store.read((reader) => reader.uploads.keptBefore(daysBefore(at, KEPT_FILE_DAYS), MAX_FILES));
  for (const { accountId, uploadId } of kept) {
    await store.write({ keyId: null, at, concerns: [accountId] }, async (writer) => {
      await writer.uploads.dropFile(accountId, uploadId);
      await changeUpload(writer, accountId, { id: uploadId, from: 'pending', to: 'cancelled', finishedAt: at });
    });
  }
  const deleted = await store.write({ keyId: null, at, concerns: ['queue'] }, (writer) => {
    return writer.queue.sweepFiles(daysBefore(at, UPLOAD_FILE_DAYS), MAX_FILES);
  });
  return kept.length + deleted;
}
