import type { Caller } from '../access/caller.ts';
import type { Claim } from '../access/claim.ts';
import type { BulkDiff } from '../bulk/diff.ts';
import type { BulkFormat } from '../bulk/format.ts';
import type { BulkCounts, BulkWarning } from '../bulk/plan.ts';

/** A file to be applied to own offers or to the catalog. Plain data: it may cross to another thread. */
export interface ImportJob {
  readonly caller: Caller;
  readonly format: BulkFormat;
  /** The firm the request is narrowed to; `null`: all of the account, and always for the catalog. */
  readonly firmId: number | null;
  /** As it is kept: without folders, and in order. */
  readonly fileName: string;
  readonly bytes: Uint8Array;
  /** Rows of an older state than the stored one are applied all the same; left out: they are errors. */
  readonly force?: boolean;
  /** Plan and answer, and leave everything as it is. */
  readonly dryRun: boolean;
  /** A queued upload that is in `processing`; `null`: a direct bulk update, which makes a record of its own. */
  readonly uploadId: number | null;
  /** Under which the report is kept with what the file did; `null`: it is not kept. A dry run keeps nothing. */
  readonly claim: Claim | null;
}

/** What a file did, or would do. */
export interface ImportReport {
  /** `null`: a dry run. */
  readonly uploadId: number | null;
  readonly counts: BulkCounts;
  /** Of a dry run only. */
  readonly diff: BulkDiff | null;
  readonly warnings: readonly BulkWarning[];
}

/** Applies files one at a time, away from whatever answers requests. */
export interface Imports {
  /**
   * @throws DomainError `business_rule` with `rowErrors`, `invalid_request` for an unreadable file, `too_large`,
   *   `unavailable` when it took too long (with `isQueueFull`: it has waited, or too many wait); with a claim as
   *   `answerInForce`, and `idempotency_in_flight` when somebody else was faster.
   */
  run(job: ImportJob): Promise<ImportReport>;
  /** Gets ready for a file that is on its way and is to be run: nobody waits for what can be done before it is there. */
  expectFile(): void;
  /** Tells the background worker that something was queued. */
  wake(): void;
}
