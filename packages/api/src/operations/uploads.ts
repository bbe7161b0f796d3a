import {
  applyUpload,
  cancelUpload,
  createUpload,
  getUpload,
  listUploads,
  reportIn,
  retryUpload,
  takeFilePoint,
  taskOf,
  UPLOAD_KINDS,
  UPLOAD_STATUSES,
} from '@tarifario/core/service';
import { z } from 'zod';
import { clientIdField, ID_PAGE_QUERY, listAnswer, pageOf } from '../fields.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { formOf } from '../sent-form.ts';
import { bulkReport } from '../wire/bulk.ts';
import { fileName, upload } from '../wire/upload.ts';

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
    write: ({ firmId, body }, { charged = null }) => {
      const { kind, client_id: ownerFirmId = null } = body;
      const announced = { firmId, ownerFirmId, kind };
      return 'file' in body
        ? taskOf(createUpload, { ...announced, fileName: body.file.name, file: { bytes: body.file.bytes, charged } })
        : taskOf(createUpload, { ...announced, fileName: body.file_name });
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
    write: ({ path: { id }, firmId }) => taskOf(retryUpload, { id, firmId }),
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
    write: ({ path: { id }, firmId }) => taskOf(cancelUpload, { id, firmId }),
  }),
];
