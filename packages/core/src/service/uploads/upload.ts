import { withoutCups } from '../../engine/cups.ts';
import { DomainError, type Issue } from '../../engine/errors.ts';
import { say } from '../../engine/messages/message.ts';
import { checkName, cleanName } from '../../engine/text.ts';

/** What a file is for; for the kind `file` only a record is stored. */
export const UPLOAD_KINDS = ['offers_bulk_update', 'catalog_bulk_update', 'file'] as const;
export type UploadKind = (typeof UPLOAD_KINDS)[number];

/** The states of an upload. */
export const UPLOAD_STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const;
export type UploadStatus = (typeof UPLOAD_STATUSES)[number];

/** The outcome of an upload, as a JSON value. */
export type UploadOutcome = Readonly<Record<string, unknown>>;

/** A file that was sent or announced, and its state. */
export interface Upload {
  readonly id: number;
  /** The advisory firm it is for; `null`: the account, or the catalog. */
  readonly firmId: number | null;
  /** The key that made it; `null`: the command line, or an earlier release. */
  readonly keyId: number | null;
  readonly kind: UploadKind;
  readonly fileName: string;
  /** `null`: the file was only announced. */
  readonly sizeBytes: number | null;
  readonly status: UploadStatus;
  /** What a completed upload changed. */
  readonly result: UploadOutcome | null;
  /** Why a failed one changed nothing. */
  readonly error: UploadOutcome | null;
  /** The file is stored, so the upload can be retried. */
  readonly hasFile: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When it was completed, failed or cancelled. */
  readonly finishedAt: string | null;
}

/** Characters of the name of a file, as people count them. */
const MAX_FILE_NAME_LENGTH = 255;

/**
 * The name of a file as it is stored: without the folders that some programs put before it, and without a CUPS, which
 * Datadis puts in.
 */
export function cleanFileName(sent: string): string {
  // A name that is longer than this end of it is refused.
  const name = withoutCups(sent.slice(-10 * MAX_FILE_NAME_LENGTH));
  return cleanName(name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1));
}

/** What is wrong with the name of a file: the rules for names apply, with at most 255 characters. */
export function checkFileName(path: string, name: string): Issue[] {
  return checkName(path, name, MAX_FILE_NAME_LENGTH);
}

/** What a caller may do to an upload, with the status before and after. Workers move the others. */
const ACTIONS = {
  retry: { from: 'failed', to: 'pending' },
  cancel: { from: 'pending', to: 'cancelled' },
  apply: { from: 'pending', to: 'completed' },
} as const satisfies Readonly<Record<string, { readonly from: UploadStatus; readonly to: UploadStatus }>>;

/**
 * The status of an upload after an action.
 *
 * @throws DomainError `wrong_state` when its status does not allow the action, or a retry has no file to work on.
 * @see docs/assumptions.md, A-38
 */
export function nextStatus(upload: Pick<Upload, 'status' | 'hasFile'>, action: keyof typeof ACTIONS): UploadStatus {
  const { from, to } = ACTIONS[action];
  if (upload.status !== from) {
    throw new DomainError('wrong_state', {
      message: say('the upload is {status}, not {other}', { status: upload.status, other: from }),
    });
  }
  if (action === 'retry' && !upload.hasFile) {
    throw new DomainError('wrong_state', { message: 'the upload has no file to work on' });
  }
  return to;
}
