import { BULK_FORMATS, type Upload, type UploadOutcome } from '@tarifario/core';
import { z } from 'zod';
import { toWireCounts, toWireRowErrors } from './bulk.ts';

/** An upload as it is shown; whether its file is kept shows only in what a retry answers. */
export function toWireUpload(upload: Upload) {
  return {
    id: upload.id,
    client_id: upload.firmId,
    kind: upload.kind,
    file_name: upload.fileName,
    size_bytes: upload.sizeBytes,
    status: upload.status,
    result: upload.result && toWireResult(upload.result),
    error: upload.error && toWireFailure(upload.error),
    created_at: upload.createdAt,
    updated_at: upload.updatedAt,
    finished_at: upload.finishedAt,
  };
}

const rows = z.int().min(0);
const storedCounts = z.object({
  created: rows,
  replaced: rows,
  deactivated: rows,
  companiesCreated: rows,
  pricesUpserted: rows,
  tiersReplaced: rows,
});

function toWireResult(result: UploadOutcome) {
  return toWireCounts(storedCounts.parse(result));
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

/** As the refusal of the call would have said it. */
function toWireFailure(failure: UploadOutcome) {
  const { code, message, missingScope } = storedFailure.parse(failure);
  const rowErrors = storedRowErrors.safeParse(failure);
  return {
    code,
    message,
    ...(missingScope === undefined ? {} : { missing_scope: missingScope }),
    ...(rowErrors.success ? toWireRowErrors(rowErrors.data) : {}),
  };
}
