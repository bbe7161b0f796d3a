import {
  BULK_FORMATS,
  BULK_WARNINGS,
  type Caller,
  isAboutCommissions,
  isTierSheet,
  type Message,
  maySeeCommissions,
  maySeeReport,
  REFUSAL_CODES,
  type RefusalCode,
  SCOPES,
  type Scope,
  SHEET_NAMES,
  UPLOAD_KINDS,
  UPLOAD_STATUSES,
  type Upload,
  type UploadOutcome,
  withoutSheet,
} from '@tarifario/core/service';
import { z } from 'zod';
import { messageOf } from '../errors.ts';
import { answer, count, id, instant, messageShape } from './answer.ts';
import { bulkResultShape, rowErrorShape, toWireCounts, toWireRowErrors, toWireWarning } from './bulk.ts';

export const missingScope = z.enum(SCOPES).describe('The first scope that the key lacks.');
const ERROR_COUNT = 'How many errors the rows have, those that are not listed included.';
export const errorCount = z.int().min(1).describe(ERROR_COUNT);

const uploadFailure = z.strictObject({
  code: z.enum([...REFUSAL_CODES, 'internal_error']),
  message: messageShape,
  missing_scope: missingScope.optional(),
  errors: z.array(rowErrorShape).optional(),
  error_count: count.describe(ERROR_COUNT).optional(),
});

export const fileName = z
  .string()
  .describe('Only its last part, after any folder, is kept, with `(CUPS)` in place of the number of a supply point.');

/**
 * An upload as it is shown to a caller. Whether its file is stored only shows when it is retried. The file may come
 * from another key and contain all tiers of the account, so callers who may not see commissions learn neither how many
 * there are nor what was wrong with them, and those who may not read offers learn nothing of what a report says of them.
 *
 * @see docs/assumptions.md, A-26 and A-38
 */
export const upload = answer(
  'Upload',
  {
    id,
    client_id: id.nullable().describe('The advisory firm that the file is for.'),
    kind: z.enum(UPLOAD_KINDS),
    file_name: fileName,
    size_bytes: count
      .nullable()
      .describe('The size of the file; null while there is none, and for another key without `commissions:read`.'),
    status: z.enum(UPLOAD_STATUSES),
    result: bulkResultShape
      .nullable()
      .describe('What it changed; null also for another key that may not read these offers.'),
    error: uploadFailure
      .nullable()
      .describe('Why it changed nothing; for another key that may not read these offers without its errors.'),
    created_at: instant,
    updated_at: instant,
    finished_at: instant.nullable().describe('When it was completed, failed or cancelled.'),
  },
  (record: Upload, caller: Caller) => {
    const seesCommissions = maySeeCommissions(caller);
    const seesReport = maySeeReport(caller, record);
    return {
      id: record.id,
      client_id: record.firmId,
      kind: record.kind,
      file_name: record.fileName,
      // Tiers make a workbook larger.
      size_bytes: seesCommissions || record.keyId === caller.keyId ? record.sizeBytes : null,
      status: record.status,
      result: record.result && seesReport ? toWireResult(record.result, seesCommissions) : null,
      error: record.error && toWireFailure(record.error, { seesCommissions, seesReport }),
      created_at: record.createdAt,
      updated_at: record.updatedAt,
      finished_at: record.finishedAt,
    };
  },
);

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

function toWireResult(result: UploadOutcome, seesCommissions: boolean) {
  const { warnings, ...counts } = storedResult.parse(result);
  const shown = warnings.filter(({ sheet }) => seesCommissions || !isTierSheet(sheet));
  const wire = { ...toWireCounts(counts), warnings: shown.map(toWireWarning) };
  return seesCommissions ? wire : { ...wire, tiers_replaced: null };
}

const isText = (value: unknown) => typeof value === 'string';
const storedMessage = z.custom<Message>();
/** Their codes and scopes are those of the time when they were stored. */
const storedFailure = z.object({
  code: z.custom<RefusalCode | 'internal_error'>(isText),
  message: storedMessage.optional(),
  missingScope: z.custom<Scope>(isText).optional(),
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
      message: storedMessage,
    }),
  ),
});

const FILE_HAS_ERRORS: Message = 'nothing was changed: the file has errors';

/** The same text as in the refusal of a call. */
function toWireFailure(
  failure: UploadOutcome,
  { seesCommissions, seesReport }: { readonly seesCommissions: boolean; readonly seesReport: boolean },
) {
  const { code, missingScope, ...stored } = storedFailure.parse(failure);
  const message = (seesReport && stored.message) || messageOf(code);
  const rowErrors = storedRowErrors.safeParse(failure);
  if (rowErrors.success && !seesReport) return { code, message: FILE_HAS_ERRORS };
  if (rowErrors.success && !seesCommissions) {
    // The total number of errors would reveal hidden ones.
    const { errors, format } = rowErrors.data;
    const shown = errors.filter((error) => !isAboutCommissions(error));
    const { errors: wire } = toWireRowErrors({ errors: shown, errorCount: 0, format });
    return { code, message: FILE_HAS_ERRORS, errors: wire };
  }
  return {
    code,
    message: seesCommissions ? message : withoutSheet(message),
    ...(missingScope === undefined ? {} : { missing_scope: missingScope }),
    ...(rowErrors.success ? toWireRowErrors(rowErrors.data) : {}),
  };
}
