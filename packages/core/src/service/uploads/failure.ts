import { isAboutCommissions } from '../../bulk/sheets.ts';
import type { BulkFormat, DomainError, RefusalCode, RowError } from '../../engine/errors.ts';
import type { Message } from '../../engine/messages/message.ts';

/**
 * How many errors about commissions an upload stores, and how many others: few, because a page of a list may have
 * hundreds of uploads.
 */
const MAX_ERRORS_KEPT = 100;

/** Why an upload failed, as it is stored with the upload. */
export interface UploadFailure {
  /** `internal_error`: a bug or a fault of the machine; the upload may be retried. */
  readonly code: RefusalCode | 'internal_error';
  /** Left out: that of its code. */
  readonly message?: Message;
  readonly missingScope?: string;
  /** For a spreadsheet with wrong rows: the first errors, how many there are, and which column identifies an offer. */
  readonly format?: BulkFormat;
  readonly errors?: readonly RowError[];
  readonly errorCount?: number;
}

/**
 * A refusal as it is stored with the upload. A refusal names up to 1 000 errors. Stored are the first 100 about
 * commissions (tier sheets, commission columns) and the first 100 of the others, in their order. Callers who may not
 * see commissions are shown only the latter.
 */
export function failureOf({ code, details }: DomainError): UploadFailure {
  const { message } = details;
  const { missingScope } = code === 'missing_scope' ? details : {};
  const { rowErrors } = code === 'business_rule' ? details : {};
  const rows = rowErrors && { ...rowErrors, errors: firstOfBoth(rowErrors.errors) };
  return {
    code,
    ...(message === undefined ? {} : { message }),
    ...(missingScope === undefined ? {} : { missingScope }),
    ...rows,
  };
}

function firstOfBoth(errors: readonly RowError[]): readonly RowError[] {
  const first = (ofCommissions: boolean) =>
    errors.filter((error) => isAboutCommissions(error) === ofCommissions).slice(0, MAX_ERRORS_KEPT);
  const shown = new Set([...first(true), ...first(false)]);
  return errors.filter((error) => shown.has(error));
}
