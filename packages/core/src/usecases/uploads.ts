import type { Caller } from '../access/caller.ts';
import { foreignFirm } from '../access/permit.ts';
import { DomainError, refuseIfAny } from '../errors.ts';
import type { Page, PageOf, Reader, Writer } from '../ports/stores.ts';
import {
  checkFileName,
  cleanFileName,
  nextStatus,
  type Upload,
  type UploadAction,
  type UploadKind,
  type UploadStatus,
} from '../uploads/upload.ts';
import type { Deps } from './deps.ts';
import type { FirmChoice } from './firms.ts';
import { notFound, reachFirm } from './reach.ts';

/**
 * Uploads that may wait at once for one advisory firm, or for the account itself: anybody with a key can announce them.
 * Apart, so that no key bound to a firm uses up what others need.
 */
export const MAX_PENDING_UPLOADS = 1000;

/** The uploads of the caller; of its firm only for a bound key. @throws DomainError `foreign_firm`. */
export async function listUploads(
  deps: Deps,
  caller: Caller,
  input: FirmChoice & { readonly status: UploadStatus | null; readonly page: Page },
): Promise<PageOf<Upload>> {
  return deps.store.read(async (reader) => {
    const firmId = await reachFirm(reader, caller, input.firmId);
    return reader.uploads({ accountId: caller.accountId, firmId, status: input.status }, input.page);
  });
}

interface UploadChoice extends FirmChoice {
  /** The upload. */
  readonly id: number;
}

/** @throws DomainError `foreign_firm`, `not_found`. */
export async function getUpload(deps: Deps, caller: Caller, input: UploadChoice): Promise<Upload> {
  return deps.store.read((reader) => reachUpload(reader, caller, input));
}

export interface NewUpload extends FirmChoice {
  /** The firm that the file is for; `null`: the account, or the catalog. */
  readonly ownerFirmId: number | null;
  /** As sent: only its last part, after any folder, is kept. */
  readonly fileName: string;
  readonly kind: UploadKind;
}

/**
 * Announces an upload: a record that waits, without a file.
 *
 * @throws DomainError `foreign_firm`, `business_rule`, `wrong_state` when too many wait already.
 * @see docs/assumptions.md, A-38
 */
export async function registerUpload(deps: Deps, caller: Caller, input: NewUpload): Promise<Upload> {
  const { ownerFirmId, kind } = input;
  const fileName = cleanFileName(input.fileName);
  return deps.store.write({ keyId: caller.keyId, at: deps.clock.now() }, async (writer) => {
    const narrowed = await reachFirm(writer, caller, input.firmId);
    const owner = await reachFirm(writer, caller, ownerFirmId);
    if (narrowed !== null && owner !== null && narrowed !== owner) throw foreignFirm();
    refuseIfAny(checkFileName('fileName', fileName));
    const firmId = owner ?? narrowed;
    await refuseTooMany(writer, caller.accountId, firmId);
    return writer.insertUpload(caller.accountId, { firmId, kind, fileName, sizeBytes: null, status: 'pending' });
  });
}

/** @param ownerFirmId - `null`: the account itself. */
async function refuseTooMany(reader: Reader, accountId: number, ownerFirmId: number | null): Promise<void> {
  const waiting = { accountId, firmId: ownerFirmId ?? 'none', status: 'pending' } as const;
  const { total } = await reader.uploads(waiting, { limit: 1, offset: 0 });
  if (total >= MAX_PENDING_UPLOADS) {
    throw new DomainError('wrong_state', { message: `${MAX_PENDING_UPLOADS} uploads are pending: cancel some first` });
  }
}

/**
 * Puts a failed upload back to pending, so that its file is worked on again.
 *
 * @throws DomainError `foreign_firm`, `not_found`, `wrong_state` when it has not failed or has no file.
 */
export async function retryUpload(deps: Deps, caller: Caller, input: UploadChoice): Promise<Upload> {
  return actOn(deps, caller, { ...input, action: 'retry' });
}

/** Cancels a pending upload. @throws DomainError `foreign_firm`, `not_found`, `wrong_state` when it is not pending. */
export async function cancelUpload(deps: Deps, caller: Caller, input: UploadChoice): Promise<Upload> {
  return actOn(deps, caller, { ...input, action: 'cancel' });
}

async function actOn(
  deps: Deps,
  caller: Caller,
  input: UploadChoice & { readonly action: Extract<UploadAction, 'retry' | 'cancel'> },
): Promise<Upload> {
  const at = deps.clock.now();
  return deps.store.write({ keyId: caller.keyId, at }, async (writer) => {
    const upload = await reachUpload(writer, caller, input);
    const to = nextStatus(upload, input.action);
    const outcome = input.action === 'retry' ? { result: null, error: null, finishedAt: null } : { finishedAt: at };
    return changeUpload(writer, caller.accountId, { upload, to, outcome });
  });
}

async function changeUpload(
  writer: Writer,
  accountId: number,
  change: {
    readonly upload: Upload;
    readonly to: UploadStatus;
    readonly outcome: { readonly result?: null; readonly error?: null; readonly finishedAt: string | null };
  },
): Promise<Upload> {
  const { upload, to, outcome } = change;
  const changed = await writer.updateUpload(accountId, upload.id, { from: upload.status, to, ...outcome });
  if (!changed) throw new DomainError('wrong_state', { message: `the upload is ${upload.status} no longer` });
  return changed;
}

async function reachUpload(reader: Reader, caller: Caller, input: UploadChoice): Promise<Upload> {
  const firmId = await reachFirm(reader, caller, input.firmId);
  const upload = await reader.upload(caller.accountId, input.id);
  if (!upload || (firmId !== null && upload.firmId !== firmId)) throw notFound();
  return upload;
}
