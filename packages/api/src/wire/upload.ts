import {
  BULK_FORMATS,
  BULK_WARNINGS,
  type Caller,
  isAboutCommissions,
  isTierSheet,
  REFUSAL_CODES,
  SCOPES,
  SHEET_NAMES,
  seesCommissions,
  UPLOAD_KINDS,
  UPLOAD_STATUSES,
  type Upload,
  type UploadOutcome,
} from '@tarifario/core/service';
import { z } from 'zod';
import { bulkResultShape, rowErrorShape, toWireCounts, toWireRowErrors, toWireWarning } from './bulk.ts';

const id = z.int().min(1);
const count = z.int().min(0);
const instant = z.iso.datetime({ precision: 3 });

const uploadFailure = z.strictObject({
  code: z.enum([...REFUSAL_CODES, 'internal_error']),
  message: z.string(),
  missing_scope: z.enum(SCOPES).optional(),
  errors: z.array(rowErrorShape).optional(),
  error_count: count.optional(),
});

export const uploadShape = z.strictObject({
  id,
  client_id: id.nullable(),
  kind: z.enum(UPLOAD_KINDS),
  file_name: z.string(),
  size_bytes: count.nullable(),
  status: z.enum(UPLOAD_STATUSES),
  result: bulkResultShape.nullable(),
  error: uploadFailure.nullable(),
  created_at: instant,
  updated_at: instant,
  finished_at: instant.nullable(),
});

/**
 * An upload as it is shown to a caller. Whether its file is stored only shows when it is retried. The file may come
 * from another key and contain all tiers of the account, so callers who may not see commissions learn neither how many
 * there are nor what was wrong with them.
 *
 * @see docs/assumptions.md, A-26 and A-38
 */
export function toWireUpload(upload: Upload, caller: Caller) {
  const isMasked = !seesCommissions(caller);
  return {
    id: upload.id,
    client_id: upload.firmId,
    kind: upload.kind,
    file_name: upload.fileName,
    size_bytes: upload.sizeBytes,
    status: upload.status,
    result: upload.result && toWireResult(upload.result, isMasked),
    error: upload.error && toWireFailure(upload.error, isMasked),
    created_at: upload.createdAt,
    updated_at: upload.updatedAt,
    finished_at: upload.finishedAt,
  };
}

const storedResult = z.object({
  created: count,
  replaced: count,
  deactivated: count,
  companiesCreated: count,
  pricesUpserted: count,
  tiersReplaced: count,
  /** Old uploads have none. */
  warnings: z
    .array(z.object({ code: z.enum(BULK_WARNINGS), sheet: z.enum(SHEET_NAMES), count: count, rows: z.array(count) }))
    .default([]),
});

function toWireResult(result: UploadOutcome, isMasked: boolean) {
  const { warnings, ...counts } = storedResult.parse(result);
  const shown = warnings.filter(({ sheet }) => !isMasked || !isTierSheet(sheet));
  const wire = { ...toWireCounts(counts), warnings: shown.map(toWireWarning) };
  return isMasked ? { ...wire, tiers_replaced: null } : wire;
}

const storedFailure = z.object({
  code: z.string(),
  message: z.string(),
  missingScope: z.string().optional(),
});
const storedRowErrors = z.object({
  format: z.enum(BULK_FORMATS),
  errorCount: count,
  errors: z.array(
    z.object({
      sheet: z.string(),
      row: count,
      id: z.number().nullable(),
      column: z.string().nullable(),
      message: z.string(),
    }),
  ),
});

/** Where a file cannot be read, at the end of the message: it may be in a sheet of tiers. */
const PLACE = / \(sheet .*\)$/s;

/** The same text as in the refusal of a call. */
function toWireFailure(failure: UploadOutcome, isMasked: boolean) {
  const { code, message, missingScope } = storedFailure.parse(failure);
  const rowErrors = storedRowErrors.safeParse(failure);
  if (rowErrors.success && isMasked) {
    // The total number of errors would reveal hidden ones.
    const { errors, format } = rowErrors.data;
    const shown = errors.filter((error) => !isAboutCommissions(error));
    const { errors: wire } = toWireRowErrors({ errors: shown, errorCount: 0, format });
    return { code, message: 'nothing was changed: the file has errors', errors: wire };
  }
  return {
    code,
    message: isMasked ? message.replace(PLACE, '') : message,
    ...(missingScope === undefined ? {} : { missing_scope: missingScope }),
    ...(rowErrors.success ? toWireRowErrors(rowErrors.data) : {}),
  };
}
