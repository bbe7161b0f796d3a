import {
  BULK_FORMATS,
  BULK_WARNINGS,
  type Caller,
  isAboutCommissions,
  isTierSheet,
  SHEET_NAMES,
  seesCommissions,
  type Upload,
  type UploadOutcome,
} from '@tarifario/core/service';
import { z } from 'zod';
import { toWireCounts, toWireRowErrors, toWireWarning } from './bulk.ts';

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

const rows = z.int().min(0);
const storedResult = z.object({
  created: rows,
  replaced: rows,
  deactivated: rows,
  companiesCreated: rows,
  pricesUpserted: rows,
  tiersReplaced: rows,
  /** Old uploads have none. */
  warnings: z
    .array(z.object({ code: z.enum(BULK_WARNINGS), sheet: z.enum(SHEET_NAMES), count: rows, rows: z.array(rows) }))
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
  errorCount: rows,
  errors: z.array(
    z.object({
      sheet: z.string(),
      row: rows,
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
