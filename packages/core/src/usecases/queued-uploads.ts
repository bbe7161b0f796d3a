import { type Caller, hasScope, type Scope } from '../access/caller.ts';
import { narrowToFirm, permitCatalogEditor, refusalFor } from '../access/permit.ts';
import type { BulkFormat } from '../bulk/sheets.ts';
import { secondsAfter } from '../calendar.ts';
import { assert, DomainError } from '../errors.ts';
import type { ClaimedUpload, Reader, UploadChange } from '../ports/stores.ts';
import { failureOf, type UploadFailure } from '../uploads/failure.ts';
import type { UploadKind } from '../uploads/upload.ts';
import { callerOf } from './admit.ts';
import { type ImportParts, importFile } from './imports.ts';

/** Kinds of uploads that are applied. */
export type BulkUploadKind = Exclude<UploadKind, 'file'>;

const FORMATS: Readonly<Record<BulkUploadKind, BulkFormat>> = {
  offers_bulk_update: 'own',
  catalog_bulk_update: 'catalog',
};
const SCOPES_OF: Readonly<Record<BulkFormat, Scope>> = { own: 'offers:write', catalog: 'catalog:write' };

export function formatOf(kind: BulkUploadKind): BulkFormat {
  return FORMATS[kind];
}

/**
 * Permits what the bulk update of a format takes, whichever way the file comes.
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
 * Permits to send a file at all, before anything of it is read: whoever may do neither bulk update is refused.
 *
 * @throws DomainError `missing_scope`, naming that of own offers.
 */
export function permitAnyBulkUpdate(caller: Caller): void {
  if (!hasScope(caller, SCOPES_OF.catalog)) permitBulkUpdate(caller, 'own');
}

/** How long nobody else takes a queued file: longer than reading one may take. */
const LEASE_SECONDS = 120;
/** Times that a file is taken before it is given up: one that kills whoever works on it must not do so for ever. */
export const MAX_ATTEMPTS = 3;

export interface QueueParts extends ImportParts {
  /** Told about every error that is no refusal; the upload only says that something failed. */
  readonly reportBug: (error: unknown) => void;
  readonly leaseSeconds?: number;
}

/**
 * Applies the queued file that waits longest, with the rights of the key that sent it as they are now. Whatever comes
 * of it stands in the upload.
 *
 * @returns Whether there was one to work on: ask again then.
 * @throws what the store throws when the outcome cannot be recorded. The file is taken up again after its lease.
 * @see docs/assumptions.md, A-38
 */
export async function runNextUpload(parts: QueueParts): Promise<boolean> {
  const { store, clock, leaseSeconds = LEASE_SECONDS } = parts;
  const at = clock.now();
  const leaseUntil = secondsAfter(at, leaseSeconds);
  const claimed = await store.write({ keyId: null, at, concerns: ['queue'] }, (writer) =>
    writer.claimUpload(leaseUntil),
  );
  if (!claimed) return false;
  if (claimed.attempt > MAX_ATTEMPTS) {
    const message = `the work on it was interrupted ${MAX_ATTEMPTS} times`;
    await fail(parts, claimed, { code: 'internal_error', message });
    return true;
  }
  try {
    await applyClaimed(parts, claimed);
    return true;
  } catch (error) {
    return await recordOutcome(parts, claimed, error);
  }
}

async function applyClaimed(parts: QueueParts, { accountId, upload, file, keyId }: ClaimedUpload): Promise<void> {
  const { store, clock, leaseSeconds = LEASE_SECONDS } = parts;
  const { kind, firmId, fileName } = upload;
  assert(kind !== 'file', 'a file that is not applied is not queued');
  const format = formatOf(kind);
  const callerNow = async (reader: Reader): Promise<Caller> => {
    const caller = callerOf(keyId === null ? null : await reader.keyRecord(keyId));
    permitBulkUpdate(caller, format);
    return caller;
  };
  // Reading takes longest, and nobody else waits for it: the lease covers the rest anew.
  const onRead = async () => {
    const at = clock.now();
    const isOurs = await store.write({ keyId: null, at, concerns: [accountId] }, (writer) =>
      writer.extendLease(accountId, upload.id, secondsAfter(at, leaseSeconds)),
    );
    if (!isOurs) throw new DomainError('wrong_state', { message: 'the upload is no longer in processing' });
  };
  const caller = await store.read(callerNow);
  const ownFirmId = format === 'catalog' ? null : narrowToFirm(caller, firmId);
  const given = { caller, format, firmId: ownFirmId, fileName, bytes: file };
  const job = { ...given, dryRun: false, uploadId: upload.id, claim: null };
  await importFile(parts, job, { callerNow, onRead });
}

/** @returns Whether to go on at once: not where the machine has to recover first. */
async function recordOutcome(parts: QueueParts, claimed: ClaimedUpload, error: unknown): Promise<boolean> {
  if (!(error instanceof DomainError)) {
    parts.reportBug(error);
    await fail(parts, claimed, { code: 'internal_error', message: 'internal error' });
    return true;
  }
  if (error.code === 'unavailable') {
    await change(parts, claimed, { from: 'processing', to: 'pending', finishedAt: null });
    return false;
  }
  // Somebody else has taken it up meanwhile, or it is over: the upload is theirs.
  if (error.code !== 'wrong_state') await fail(parts, claimed, failureOf(error));
  return true;
}

async function fail(parts: QueueParts, claimed: ClaimedUpload, failure: UploadFailure): Promise<void> {
  const finishedAt = parts.clock.now();
  await change(parts, claimed, { from: 'processing', to: 'failed', error: { ...failure }, finishedAt });
}

async function change({ store, clock }: QueueParts, claimed: ClaimedUpload, step: UploadChange): Promise<void> {
  const { accountId, upload, keyId } = claimed;
  await store.write({ keyId, at: clock.now(), concerns: [accountId] }, (writer) =>
    writer.updateUpload(accountId, upload.id, step),
  );
}
