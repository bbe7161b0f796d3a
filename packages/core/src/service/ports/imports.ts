import type { BulkDiff } from '../../bulk/diff.ts';
import type { BulkCounts, BulkWarning } from '../../bulk/plan.ts';
import type { BulkFormat } from '../../engine/errors.ts';
import type { Caller } from '../access/caller.ts';
import type { IdempotencyRequest } from '../access/idempotency.ts';
import type { Closing } from './machine.ts';

/** A file to be applied to own offers or to the catalog. Plain data, so that it can be sent to another thread. */
export interface ImportJob {
  readonly caller: Caller;
  readonly format: BulkFormat;
  /** The firm the request is narrowed to; `null`: all of the account, and always for the catalog. */
  readonly firmId: number | null;
  /** The cleaned and checked name, without folders. */
  readonly fileName: string;
  readonly bytes: Uint8Array;
  /**
   * `true`: rows made from an older state than the stored one are applied nevertheless. Otherwise they are errors
   * (A-67).
   */
  readonly force?: boolean;
  /** Only plan, and report what would change. */
  readonly dryRun: boolean;
  /** Of a dry run: its file is stored with a pending upload, to be applied later. */
  readonly keep?: boolean;
  /** An upload in `processing`, or the pending one of a dry run; `null`: a bulk update, which creates its own record. */
  readonly uploadId: number | null;
  /** Of the upload of a dry run: a digest of what it showed. A file that would change anything else is refused. */
  readonly shownEffect?: string;
  /**
   * The request under which the report is stored, in the transaction that applies the file; `null`: it is not stored. A
   * dry run stores nothing.
   */
  readonly idempotencyRequest: IdempotencyRequest | null;
}

/** The effect of a file, or what it would be. */
export interface ImportReport {
  /** `null`: a dry run whose file is not kept. */
  readonly uploadId: number | null;
  readonly counts: BulkCounts;
  /** Of a dry run only. */
  readonly diff: BulkDiff | null;
  readonly warnings: readonly BulkWarning[];
}

/** Applies files one at a time, away from the thread that answers requests. */
export interface Imports {
  /**
   * @param closing - Ends the work where nothing is written yet; left out: nothing does.
   * @throws DomainError `business_rule` with `rowErrors`, `invalid_request` for an unreadable file, `too_large`,
   *   `unavailable` when it took too long (with `isQueueFull`: it waited too long, or too many wait); with an
   *   idempotency request also the errors of `answerInForce`, and `idempotency_in_flight` when another process was
   *   faster.
   */
  run(job: ImportJob, closing?: Closing): Promise<ImportReport>;
  /** Prepares for an announced file, so that its caller need not wait for work that can be done before it arrives. */
  expectFile(): void;
  /** Tells the background worker that an upload was queued. */
  wake(): void;
}
