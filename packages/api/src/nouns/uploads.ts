import {
  applyUpload,
  BULK_FORMATS,
  BULK_WARNINGS,
  type Caller,
  cancelUpload,
  createUpload,
  getUpload,
  isAboutCommissions,
  isTierSheet,
  listUploads,
  type Message,
  maySeeCommissions,
  maySeeReport,
  REFUSAL_CODES,
  type RefusalCode,
  reportIn,
  retryUpload,
  SCOPES,
  type Scope,
  SHEET_NAMES,
  takeFilePoint,
  UPLOAD_KINDS,
  UPLOAD_STATUSES,
  type Upload,
  type UploadOutcome,
  withoutSheet,
} from '@tarifario/core/service';
import { z } from 'zod';
import { messageOf } from '../errors.ts';
import { clientIdField, ID_PAGE_QUERY, listAnswer, pageOf } from '../fields.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { formOf } from '../sent-form.ts';
import { answer, count, id, instant, messageShape } from '../wire/answer.ts';
import {
  bulkReport,
  bulkResultShape,
  rowErrorShape,
  toWireCounts,
  toWireRowErrors,
  toWireWarning,
} from './bulk-files.ts';

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

const fileName = z
  .string()
  .describe('Only its last part, after any folder, is kept, with `(CUPS)` in place of the number of a supply point.');

/**
 * An upload as it is shown to a caller. Whether its file is stored only shows when it is retried. The file may come
 * from another key and contain all tiers of the account, so callers who may not see commissions learn neither how many
 * there are nor what was wrong with them, and those who may not read offers learn nothing of what a report says of them.
 *
 * @see docs/assumptions.md, A-26 and A-38
 */
const upload = answer(
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

const announcement = z.strictObject({
  file_name: fileName,
  client_id: clientIdField.optional(),
  kind: z.enum(UPLOAD_KINDS).default('file'),
});

const queuedFile = formOf({
  client_id: clientIdField.optional(),
  kind: z.enum(['offers_bulk_update', 'catalog_bulk_update']).default('offers_bulk_update'),
});

/** What the rows about one upload share. */
const ONE = { path: '/v1/uploads/{id}', anyKey: true, output: upload } as const;

export const UPLOADS: readonly Operation[] = [
  defineOperation({
    id: 'listUploads',
    method: 'GET',
    path: '/v1/uploads',
    summary: 'List uploads',
    description: 'The uploads of the account, by id; those of its advisory firm for a bound key.',
    anyKey: true,
    query: { status: z.enum(UPLOAD_STATUSES).optional(), ...ID_PAGE_QUERY },
    output: listAnswer(upload),
    examples: [{ summary: 'Those that wait', query: { status: 'pending' } }],
    answer: ({ deps, caller }, { firmId, query }) =>
      listUploads(deps, caller, { firmId, status: query.status ?? null, page: pageOf(query) }),
  }),
  defineOperation({
    id: 'createUpload',
    method: 'POST',
    path: '/v1/uploads',
    summary: 'Register an upload, or queue a file',
    description:
      'JSON announces a file (201): a record that stays pending until it is cancelled. A form with a part file (202) ' +
      'queues a workbook of at most 10 MB that is applied in the background as the bulk update of its kind would; it ' +
      'needs the scope of that, offers:write or catalog:write, and takes a point of its limit before it is read. 1000 ' +
      'announcements and 1000 files may be pending, 500 of one key.',
    anyKey: true,
    replayable: true,
    body: z.union([announcement, queuedFile]),
    beforeForm: ({ deps, caller }) => takeFilePoint(deps, caller),
    output: upload,
    success: [201, 202],
    refusals: ['missing_scope', 'bound_key', 'not_catalog_editor', 'wrong_state', 'business_rule'],
    examples: [
      {
        summary: 'A file of offers is announced',
        body: { file_name: 'ofertas-febrero.xlsx', client_id: 1, kind: 'offers_bulk_update' },
      },
      {
        summary: 'A file of the catalog is queued',
        form: { fields: { kind: 'catalog_bulk_update' }, sheets: { borrar: [['catalog_offer_id'], [5]] } },
        isLong: true,
      },
    ],
    command: createUpload,
    input: ({ firmId, body }, { charged = null }) => {
      const { kind, client_id: ownerFirmId = null } = body;
      const announced = { firmId, ownerFirmId, kind };
      return 'file' in body
        ? { ...announced, fileName: body.file.name, file: { bytes: body.file.bytes, charged } }
        : { ...announced, fileName: body.file_name };
    },
    status: ({ hasFile }) => (hasFile ? 202 : 201),
  }),
  defineOperation({
    ...ONE,
    id: 'getUpload',
    method: 'GET',
    summary: 'Read one upload',
    description: 'An upload of the account.',
    examples: [{ summary: 'By id', params: { id: 1 } }],
    answer: ({ deps, caller }, { path: { id }, firmId }) => getUpload(deps, caller, { id, firmId }),
  }),
  defineOperation({
    ...ONE,
    id: 'retryUpload',
    method: 'PATCH',
    summary: 'Retry a failed upload',
    description:
      'Puts a failed upload back to pending, so that its file is applied again; 409 when it has not failed, or when no ' +
      'file is kept of it any more, 7 days later. Needs the scope of the bulk update of its kind, for the file of ' +
      'another key also commissions:read, and takes a point of its limit.',
    refusals: ['missing_scope', 'bound_key', 'not_catalog_editor', 'wrong_state'],
    examples: [{ summary: 'It waits again', params: { id: 2 } }],
    command: retryUpload,
    input: ({ path: { id }, firmId }) => ({ id, firmId }),
  }),
  defineOperation({
    id: 'applyUpload',
    method: 'POST',
    path: '/v1/uploads/{id}/apply',
    summary: 'Apply a file that was checked',
    description:
      'Applies the file that a dry run kept, all or nothing, if it still changes exactly what the dry run showed; ' +
      'otherwise 409, and nothing is changed. It needs the scope of the bulk update of its kind, and the rights of the ' +
      'key that checked it; it takes no point of the limit of files, so a file that is refused has to be sent again. ' +
      '409 also when no file was kept, it was applied already, or a day has passed.',
    anyKey: true,
    replayable: true,
    output: bulkReport,
    refusals: [
      'missing_scope',
      'bound_key',
      'not_catalog_editor',
      'wrong_state',
      'quota_reached',
      'storage_full',
      'business_rule',
    ],
    examples: [{ summary: 'What was checked is applied', params: { id: 3 } }],
    answer: ({ deps, caller, idempotencyRequest = null }, { path: { id }, firmId }) =>
      applyUpload(deps, caller, { id, firmId, idempotencyRequest }),
    replay: (stored) => bulkReport.toWire(reportIn(stored)),
  }),
  defineOperation({
    ...ONE,
    id: 'cancelUpload',
    method: 'DELETE',
    summary: 'Cancel a pending upload',
    description:
      'Answers the cancelled record; 409 when it is not pending. With a file it needs the key that made it, or the scope ' +
      'of the bulk update of its kind.',
    refusals: ['missing_scope', 'bound_key', 'not_catalog_editor', 'wrong_state'],
    examples: [{ summary: 'It is kept, cancelled', params: { id: 1 } }],
    command: cancelUpload,
    input: ({ path: { id }, firmId }) => ({ id, firmId }),
  }),
];
