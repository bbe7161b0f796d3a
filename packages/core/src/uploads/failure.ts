import type { RowError } from '../bulk/row-errors.ts';
import type { BulkFormat } from '../bulk/sheets.ts';
import type { DomainError, RefusalCode } from '../errors.ts';

/** Wrong rows that an upload keeps: fewer than an answer shows, for a page of a list may have hundreds of uploads. */
export const MAX_ERRORS_KEPT = 100;

/** Why the work on an upload was given up, as the upload keeps it. */
export interface UploadFailure {
  /** `internal_error`: a bug, or the machine; the work may be tried again. */
  readonly code: RefusalCode | 'internal_error';
  readonly message: string;
  readonly missingScope?: string;
  /** Of a spreadsheet with wrong rows: the first of them, the number of all, and which column names an offer. */
  readonly format?: BulkFormat;
  readonly errors?: readonly RowError[];
  readonly errorCount?: number;
}

/** A refusal as an upload keeps it. */
export function failureOf({ code, message, details }: DomainError): UploadFailure {
  const { missingScope, rowErrors } = details;
  const rows = rowErrors && { ...rowErrors, errors: rowErrors.errors.slice(0, MAX_ERRORS_KEPT) };
  return { code, message, ...(missingScope === undefined ? {} : { missingScope }), ...rows };
}
