import { daysBefore } from '../../../engine/calendar.ts';
import { FILE_CAPS } from '../../../engine/cells.ts';
import type { BucketState, BulkFormat } from '../../../engine/errors.ts';
import { assert, DomainError, refuseIfAny } from '../../../engine/errors.ts';
import { say } from '../../../engine/messages/message.ts';
import type { Bucket } from '../../access/buckets.ts';
import type { Caller } from '../../access/caller.ts';
import { extraBucketOf } from '../../access/limits.ts';
import { foreignFirm, refusalFor } from '../../access/permit.ts';
import type { ImportJob, ImportReport } from '../../ports/imports.ts';
import type { Page, PageOf, UploadQuery } from '../../ports/lists.ts';
import type { Reader, Writer } from '../../ports/stores.ts';
import {
  checkFileName,
  cleanFileName,
  nextStatus,
  type Upload,
  type UploadKind,
  type UploadStatus,
} from '../../uploads/upload.ts';
import { rateLimited, takeOrRefuse } from '../requests/admit.ts';
import type { Command } from '../requests/command.ts';
import type { Deps } from '../requests/deps.ts';
import { type FirmChoice, notFound, type RecordChoice, readFor, resolveFirmId } from '../requests/record-access.ts';
import { formatOf, permitBulkUpdate, permittedFormats } from './queued-uploads.ts';
import { KEPT_FILE_DAYS } from './sweeps.ts';
import { fileTooLarge } from './unreadable-files.ts';
import { changeUpload } from './upload-changes.ts';

/**
 * How many announcements, and as many files, may be pending for one advisory firm, or for the account itself, and how
 * many of one key. Anybody with a key can announce, so these are counted separately: nobody uses up the places of others.
 */
const MAX_PENDING_UPLOADS = { all: 1000, ofKey: 500 };

/** The uploads of the caller; for a bound key only those of its firm. @throws DomainError `foreign_firm`. */
export async function listUploads(
  deps: Deps,
  caller: Caller,
  input: FirmChoice & { readonly status: UploadStatus | null; readonly page: Page },
): Promise<PageOf<Upload>> {
  return readFor(deps, { caller, firmId: input.firmId }, async (reader, firmId) => {
    return reader.uploads.list({ accountId: caller.accountId, firmId, status: input.status }, input.page);
  });
}

/** @throws DomainError `foreign_firm`, `not_found`. */
export async function getUpload(deps: Deps, caller: Caller, input: RecordChoice): Promise<Upload> {
  return deps.store.read((reader) => visibleUpload(reader, caller, input));
}

/** An upload to be announced, or queued with its file. */
export interface NewUpload extends FirmChoice {
  /** The firm that the file is for; `null`: the account, or the catalog. */
  readonly ownerFirmId: number | null;
  /** As sent: only its last part, after any folder, is stored. */
  readonly fileName: string;
  /** With a file: that of a bulk update. */
  readonly kind: UploadKind;
  /** `charged`: the bulk update whose limit `takeFilePoint` took a point from; `null`: none. */
  readonly file?: { readonly bytes: Uint8Array; readonly charged: BulkFormat | null };
}

/**
 * Announces an upload: creates a pending record. With a file it is queued, to be applied by the background worker as the
 * bulk update of its kind. That needs the same permissions as the bulk update, and a point of its limit unless one was
 * taken before.
 *
 * @throws DomainError `foreign_firm`, `business_rule`, `wrong_state` when too many wait already; with a file also
 *   `missing_scope`, `bound_key`, `not_catalog_editor`, `rate_limited`, `too_large`, and `invalid_request` for a file of
 *   the catalog that is for a firm.
 * @see docs/assumptions.md, A-38 and A-40
 */
export const createUpload: Command<NewUpload, Upload, number | null> = {
  async before(deps, caller, input) {
    const { kind, file } = input;
    if (!file) return input;
    assert(kind !== 'file', 'a file is queued as a bulk update');
    const format = formatOf(kind);
    permitBulkUpdate(caller, format);
    if (file.charged !== format) {
      if (file.charged !== null) await returnFilePoint(deps, caller, file.charged);
      await takePoint(deps, caller, format);
    }
    if (file.bytes.length > FILE_CAPS.sentBytes) throw fileTooLarge();
    if (format === 'catalog' && input.ownerFirmId !== null) {
      throw new DomainError('invalid_request', { message: 'a file of the catalog is for no advisory firm' });
    }
    return input;
  },
  async find(writer, caller, { firmId: requestedFirmId, ownerFirmId, kind, file }) {
    const narrowed = await resolveFirmId(writer, caller, requestedFirmId);
    const owner = await resolveFirmId(writer, caller, ownerFirmId);
    if (narrowed !== null && owner !== null && narrowed !== owner) throw foreignFirm();
    // A file of the catalog belongs to no firm, even with a `client_id` in the query, which is only checked.
    return file && kind === 'catalog_bulk_update' ? null : (owner ?? narrowed);
  },
  async run(writer, caller, { kind, file, ...input }, firmId) {
    const { accountId } = caller;
    const fileName = cleanFileName(input.fileName);
    refuseIfAny(checkFileName('fileName', fileName));
    await refuseTooMany(writer, caller, { firmId: firmId ?? 'none', isSent: file !== undefined });
    const terms = { firmId, kind, fileName, sizeBytes: file?.bytes.length ?? null, status: 'pending' } as const;
    return writer.uploads.insert(accountId, file ? { ...terms, file: file.bytes } : terms);
  },
  after: ({ imports }, { hasFile }) => hasFile && imports.wake(),
};

/**
 * Checks the permission to send a file and takes its point before the body is read, because receiving a file is costly.
 * Which bulk update it is for is only known from the form, so the point comes from the first limit that the caller may
 * use; `createUpload` corrects this.
 *
 * @returns The bulk update whose limit gave the point.
 * @throws DomainError `missing_scope`, naming the scope of own offers; `rate_limited` when no point is left.
 * @see docs/assumptions.md, A-38 and A-40
 */
export async function takeFilePoint(deps: Pick<Deps, 'limiter'>, caller: Caller): Promise<BulkFormat> {
  const states: BucketState[] = [];
  for (const format of permittedFormats(caller)) {
    const taken = await deps.limiter.take([bucketOf(caller, format)]);
    if (taken.accepted) return format;
    states.push(...taken.states);
  }
  throw rateLimited(states);
}

/** Gives back the point that `takeFilePoint` took. @see docs/assumptions.md, A-40 */
export function returnFilePoint(deps: Pick<Deps, 'limiter'>, caller: Caller, format: BulkFormat): Promise<void> {
  return deps.limiter.giveBack([bucketOf(caller, format)]);
}

async function refuseTooMany(
  reader: Reader,
  { accountId, keyId }: Caller,
  places: Pick<UploadQuery, 'firmId' | 'isSent'>,
): Promise<void> {
  const pending = async (ofKey: { readonly keyId?: number }) => {
    const waiting = { accountId, status: 'pending', ...places, ...ofKey } as const;
    return (await reader.uploads.list(waiting, { limit: 1, offset: 0 })).total;
  };
  const { all, ofKey } = MAX_PENDING_UPLOADS;
  const [ofEverybody, own] = [await pending({}), await pending({ keyId })];
  const message =
    ofEverybody >= all
      ? say('{count} uploads are pending: cancel some first', { count: all })
      : say('{count} uploads of this key are pending: cancel some first', { count: ofKey });
  if (ofEverybody >= all || own >= ofKey) throw new DomainError('wrong_state', { message });
}

/**
 * Puts a failed upload back to pending, so that its file is applied again, with the rights of the key that sent it. It
 * needs the same permissions as the bulk update of its kind, for the file of another key also to see commissions, and a
 * point of its limit: a retry costs as much as sending the file again.
 *
 * @throws DomainError `foreign_firm`, `not_found`, `wrong_state` when it has not failed or has no file, `missing_scope`,
 *   `bound_key`, `not_catalog_editor`, `rate_limited`.
 * @see docs/assumptions.md, A-38 and A-40
 */
export const retryUpload: Command<RecordChoice, Upload, Transition> = {
  async before(deps, caller, input) {
    const { upload } = await deps.store.read((reader) => retryable(reader, caller, input));
    if (upload.kind !== 'file') await takePoint(deps, caller, formatOf(upload.kind));
    return input;
  },
  find: retryable,
  async run(writer, { accountId }, _input, transition) {
    const outcome = { result: null, error: null, finishedAt: null };
    const changed = await moveUpload(writer, accountId, { ...transition, outcome });
    // The sweep of old files does not wait for this unit of work: until the upload is pending again, it may delete the
    // file.
    nextStatus({ ...transition.upload, hasFile: changed.hasFile }, 'retry');
    return changed;
  },
  after: ({ imports }) => imports.wake(),
};

/** An upload, and the state to which it goes. */
interface Transition {
  readonly upload: Upload;
  readonly to: UploadStatus;
}

async function retryable(reader: Reader, caller: Caller, input: RecordChoice): Promise<Transition> {
  const upload = await visibleUpload(reader, caller, input);
  if (upload.kind !== 'file') {
    permitBulkUpdate(caller, formatOf(upload.kind));
    permitOutcome(caller, upload);
  }
  return { upload, to: nextStatus(upload, 'retry') };
}

/**
 * Whether the file of another key is applied may hang on a stored commission: who sets commissions to a guess and
 * retries it would learn whether the guess is right.
 *
 * @throws DomainError `missing_scope` for a caller who sees no commissions and has not sent the file.
 */
function permitOutcome(caller: Caller, { keyId, hasFile }: Upload): void {
  if (!hasFile || keyId === caller.keyId) return;
  const refusal = refusalFor(caller, { scopes: ['commissions:read'], fullAccess: false });
  if (refusal) throw refusal;
}

/** A file counts against the limit of its kind, whichever way it is sent. */
async function takePoint(deps: Pick<Deps, 'limiter'>, caller: Caller, format: BulkFormat): Promise<void> {
  await takeOrRefuse(deps, [bucketOf(caller, format)]);
}

function bucketOf(caller: Caller, format: BulkFormat): Bucket {
  return extraBucketOf(caller, format === 'own' ? 'bulk_update' : 'catalog_bulk_update');
}

/**
 * Applies the file that a dry run has kept, and waits for it. It needs the same permissions as the bulk update of its
 * kind, and no point, because the dry run has paid for it: so it can be tried once.
 *
 * @throws DomainError `foreign_firm`, `not_found`, `missing_scope`, `bound_key`, `not_catalog_editor`, `wrong_state` when
 *   no file was kept or it is a day old, and what `Imports.run` throws.
 * @see docs/assumptions.md, A-129
 */
export async function applyUpload(
  { store, clock, imports }: Pick<Deps, 'store' | 'clock' | 'imports'>,
  caller: Caller,
  input: RecordChoice & Pick<ImportJob, 'idempotencyRequest'>,
): Promise<ImportReport> {
  const oldest = daysBefore(clock.now(), KEPT_FILE_DAYS);
  const { upload, format, kept } = await store.read(async (reader) => {
    const found = await visibleUpload(reader, caller, input);
    const of = found.kind === 'file' ? null : formatOf(found.kind);
    if (of) permitBulkUpdate(caller, of);
    return { upload: found, format: of, kept: await reader.uploads.kept(caller.accountId, found.id) };
  });
  nextStatus(upload, 'apply');
  if (format === null || kept === null || upload.createdAt < oldest) {
    throw new DomainError('wrong_state', { message: 'there is no file of a dry run to apply, or it is too old' });
  }
  const { bytes, effect: shownEffect, isForced: force } = kept;
  const { id: uploadId, firmId, fileName } = upload;
  const { idempotencyRequest } = input;
  const file = { format, firmId, fileName, bytes, force, dryRun: false, uploadId, shownEffect };
  return imports.run({ caller, ...file, idempotencyRequest });
}

/**
 * Cancels a pending upload and deletes its file. With a file it needs the key that made it, or the same permissions as the
 * bulk update of its kind.
 *
 * @throws DomainError `foreign_firm`, `not_found`, `wrong_state` when it is not pending; with a file also
 *   `missing_scope`, `bound_key`, `not_catalog_editor`.
 * @see docs/assumptions.md, A-38
 */
export const cancelUpload: Command<RecordChoice, Upload, Transition, RecordChoice & { readonly at: string }> = {
  before: async (_deps, _caller, input, at) => ({ ...input, at }),
  async find(writer, caller, input) {
    const upload = await visibleUpload(writer, caller, input);
    const { kind, sizeBytes, keyId } = upload;
    if (kind !== 'file' && sizeBytes !== null && keyId !== caller.keyId) permitBulkUpdate(caller, formatOf(kind));
    return { upload, to: nextStatus(upload, 'cancel') };
  },
  async run(writer, { accountId }, { at }, transition) {
    await writer.uploads.dropFile(accountId, transition.upload.id);
    return moveUpload(writer, accountId, { ...transition, outcome: { finishedAt: at } });
  },
};

async function moveUpload(
  writer: Writer,
  accountId: number,
  change: Transition & {
    readonly outcome: { readonly result?: null; readonly error?: null; readonly finishedAt: string | null };
  },
): Promise<Upload> {
  const { upload, to, outcome } = change;
  const changed = await changeUpload(writer, accountId, { id: upload.id, from: upload.status, to, ...outcome });
  if (!changed)
    throw new DomainError('wrong_state', {
      message: say('the upload is {status} no longer', { status: upload.status }),
    });
  return changed;
}

async function visibleUpload(reader: Reader, caller: Caller, input: RecordChoice): Promise<Upload> {
  const firmId = await resolveFirmId(reader, caller, input.firmId);
  const upload = await reader.uploads.get(caller.accountId, input.id);
  if (!upload || (firmId !== null && upload.firmId !== firmId)) throw notFound('no such upload');
  return upload;
}
