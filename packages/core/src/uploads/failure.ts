import type { BulkFormat } from '../bulk/format.ts';
import type { RowError } from '../bulk/row-errors.ts';
import { isAboutCommissions } from '../bulk/sheets.ts';
import type { DomainError, RefusalCode } from '../errors.ts';

/** Errors that an upload keeps of commissions, and as many of the rest: a page of a list may have hundreds of uploads. */
const MAX_ERRORS_KEPT = 100;

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

/**
 * A refusal as an upload keeps it. Of the errors that the refusal names, 1 000 at most, it keeps the first 100 about
 * commissions (sheets of tiers, columns of commissions) and the first 100 about the rest, in their order: who may not see
 * commissions is shown the latter.
 */
export function failureOf({ code, message, details }: DomainError): UploadFailure {
  const { missingScope } = code === 'missing_scope' ? details : {};
  const { rowErrors } = code === 'business_rule' ? details : {};
  const rows = rowErrors && { ...rowErrors, errors: firstOfBoth(rowErrors.errors) };
  return { code, message, ...(missingScope === undefined ? {} : { missingScope }), ...rows };
}

function firstOfBoth(errors: readonly RowError[]): readonly RowError[] {
  const first = (ofCommissions: boolean) =>
    errors.filter((error) => isAboutCommissions(error) === ofCommissions).slice(0, MAX_ERRORS_KEPT);
  const kept = new Set([...first(true), ...first(false)]);
  return errors.filter((error) => kept.has(error));
}
