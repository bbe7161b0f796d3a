import { secondsAfter } from '../../../engine/calendar.ts';
import { assert, BULK_FORMATS, type BulkFormat, DomainError } from '../../../engine/errors.ts';
import { say } from '../../../engine/messages/message.ts';
import { type Caller, hasScope, type Scope } from '../../access/caller.ts';
import { narrowToFirm, permitCatalogEditor, refusalFor } from '../../access/permit.ts';
import type { ClaimedUpload, UploadChange } from '../../ports/records.ts';
import type { Reader } from '../../ports/stores.ts';
import { failureOf, type UploadFailure } from '../../uploads/failure.ts';
import type { Upload, UploadKind } from '../../uploads/upload.ts';
import { callerOf } from '../requests/admit.ts';
import { type ImportParts, importFile, type Lease } from './run-import.ts';
import { changeUpload } from './upload-changes.ts';

/** The kinds of uploads that are applied. */
type BulkUploadKind = Exclude<UploadKind, 'file'>;

const SCOPES_OF: Readonly<Record<BulkFormat, Scope>> = { own: 'offers:write', catalog: 'catalog:write' };

const READ_SCOPES_OF: Readonly<Record<BulkFormat, Scope>> = { own: 'offers:read', catalog: 'catalog:read' };

/** Whether a kind of upload changes own offers or the catalog. */
export function formatOf(kind: BulkUploadKind): BulkFormat {
  return kind === 'offers_bulk_update' ? 'own' : 'catalog';
}

/**
 * Checks the permissions of a bulk update, whichever way its file is sent.
 *
 * @throws DomainError `missing_scope`, `bound_key`, `not_catalog_editor`.
 * @see docs/assumptions.md, A-23 and A-38
 */
export function permitBulkUpdate(caller: Caller, format: BulkFormat): void {
  const refusal = refusalFor(caller, { scopes: [SCOPES_OF[format]], fullAccess: false });
  if (refusal) throw refusal;
  if (format === 'catalog') permitCatalogEditor(caller);
}

/**
 * Whether a caller may see what the report of an upload says of offers: the key that sent the file, and those that may
 * read these offers.
 *
 * @see docs/assumptions.md, A-38
 */
export function maySeeReport(caller: Caller, { kind, keyId }: Pick<Upload, 'kind' | 'keyId'>): boolean {
  return keyId === caller.keyId || kind === 'file' || hasScope(caller, READ_SCOPES_OF[formatOf(kind)]);
}

/**
 * The bulk updates that the caller may send.
 *
 * @throws DomainError as `permitBulkUpdate` when there is none: that of own offers, unless the key has the scope of the
 *   catalog.
 */
export function permittedFormats(caller: Caller): readonly BulkFormat[] {
  const mayWriteCatalog = caller.isCatalogEditor && caller.firmId === null;
  const formats = BULK_FORMATS.filter((format) => {
    return hasScope(caller, SCOPES_OF[format]) && (format === 'own' || mayWriteCatalog);
  });
  if (formats.length === 0) permitBulkUpdate(caller, hasScope(caller, SCOPES_OF.catalog) ? 'catalog' : 'own');
  return formats;
}

/** The length of a lease: longer than reading a file may take. */
const LEASE_SECONDS = 120;
/** How often a file is taken before it fails, because a file that kills its worker must not be retried for ever. */
export const MAX_ATTEMPTS = 3;
const INTERRUPTED = 'the work on it was interrupted {count} times: it may take more time or memory than a file has';

/** The dependencies of a worker on queued files. */
export interface QueueParts extends ImportParts {
  /** Called with every error that is not a refusal; the upload only records that something failed. */
  readonly reportBug: (error: unknown) => void;
  readonly leaseSeconds?: number;
}

/** Whether `runNextUpload` would find an upload, without making writers wait. */
export function isUploadQueued({ store, clock }: Pick<QueueParts, 'store' | 'clock'>): Promise<boolean> {
  return store.read(async (reader) => {
    const now = await reader.queue.instant(clock.now());
    return reader.queue.isWaiting(now, latestLease(now));
  });
}

/**
 * Applies the queued file that has waited longest, with the current rights of the key that sent it. The outcome is
 * recorded in the upload.
 *
 * @returns `true`: there was one, and there may be another.
 * @throws what the store throws when the outcome cannot be recorded. The file is taken again after its lease.
 * @see docs/assumptions.md, A-38
 */
export async function runNextUpload(parts: QueueParts): Promise<boolean> {
  const { at, until } = await newLease(parts);
  const claimed = await parts.store.write({ keyId: null, at, concerns: ['queue'] }, (writer) =>
    writer.queue.claim(until, latestLease(at)),
  );
  if (!claimed) return false;
  const lease: Lease = { until };
  if (claimed.attempt > MAX_ATTEMPTS) {
    const message = say(INTERRUPTED, { count: MAX_ATTEMPTS });
    await fail(parts, { ...claimed, lease }, { code: 'internal_error', message });
    return true;
  }
  const held = { ...claimed, lease };
  try {
    await applyLeasedUpload(parts, held);
    return true;
  } catch (error) {
    return await recordOutcome(parts, held, error);
  }
}

/** No lease ends later, unless the clock has gone back since; a lease more than it takes, because clocks differ a little. */
function latestLease(now: string): string {
  return secondsAfter(now, 2 * LEASE_SECONDS);
}

/** Begin and end of a new lease, by the clock that all workers share. */
async function newLease({ store, clock, leaseSeconds = LEASE_SECONDS }: QueueParts) {
  const at = await store.read((reader) => reader.queue.instant(clock.now()));
  return { at, until: secondsAfter(at, leaseSeconds) };
}

/** An upload taken by this worker, with its lease. */
interface LeasedUpload extends ClaimedUpload {
  readonly lease: Lease;
}

async function applyLeasedUpload(
  parts: QueueParts,
  { accountId, upload, file, keyId, traceparent, lease }: LeasedUpload,
): Promise<void> {
  const { kind, firmId, fileName } = upload;
  assert(kind !== 'file', 'a file that is not applied is not queued');
  const format = formatOf(kind);
  const callerNow = async (reader: Reader): Promise<Caller> => {
    const caller = callerOf(keyId === null ? null : await reader.keys.record(keyId), parts.clock);
    permitBulkUpdate(caller, format);
    return { ...caller, traceparent };
  };
  // Reading the file takes longest, so the lease is renewed for the rest.
  const onRead = async () => {
    const { at, until } = await newLease(parts);
    const isOurs = await parts.store.write({ keyId: null, at, concerns: [accountId] }, (writer) =>
      writer.queue.extendLease(accountId, upload.id, { heldUntil: lease.until, until }),
    );
    if (!isOurs) throw new DomainError('wrong_state', { message: 'the upload is no longer in processing' });
    lease.until = until;
  };
  const caller = await parts.store.read(callerNow);
  const ownFirmId = format === 'catalog' ? null : narrowToFirm(caller, firmId);
  const leased = { caller, format, firmId: ownFirmId, fileName, bytes: file };
  const job = { ...leased, dryRun: false, uploadId: upload.id, idempotencyRequest: null };
  await importFile(parts, job, { callerNow, onRead, lease });
}

/** @returns Whether to continue at once: not when the database has to recover first. */
async function recordOutcome(parts: QueueParts, held: LeasedUpload, error: unknown): Promise<boolean> {
  if (!(error instanceof DomainError)) {
    parts.reportBug(error);
    await fail(parts, held, { code: 'internal_error', message: 'internal error' });
    return true;
  }
  if (error.code === 'unavailable') {
    await change(parts, held, { from: 'processing', to: 'pending', finishedAt: null });
    return false;
  }
  // With `wrong_state` another worker has taken the upload or finished it: this one must not change it.
  if (error.code !== 'wrong_state') await fail(parts, held, failureOf(error));
  return true;
}

async function fail(parts: QueueParts, held: LeasedUpload, failure: UploadFailure): Promise<void> {
  const finishedAt = parts.clock.now();
  await change(parts, held, { from: 'processing', to: 'failed', error: { ...failure }, finishedAt });
}

/** Changes nothing if another worker has taken the upload meanwhile. */
async function change({ store, clock }: QueueParts, held: LeasedUpload, step: UploadChange): Promise<void> {
  const { accountId, upload, keyId, traceparent, lease } = held;
  await store.write({ keyId, traceparent, at: clock.now(), concerns: [accountId] }, (writer) =>
    changeUpload(writer, accountId, { id: upload.id, ...step, heldUntil: lease.until }),
  );
}
