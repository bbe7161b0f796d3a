import {
  cancelUpload,
  getUpload,
  listUploads,
  queueUpload,
  registerUpload,
  retryUpload,
  takeFilePoint,
  UPLOAD_KINDS,
  UPLOAD_STATUSES,
} from '@tarifario/core/service';
import { z } from 'zod';
import { CLIENT_QUERY, ID_PATH, idField, listOf, ONLY_CLIENT_QUERY, PAGE_QUERY } from '../fields.ts';
import { defineOperation, NO_BODY, NO_PATH } from '../operation.ts';
import { formOf } from '../sent-form.ts';
import { uploadShape } from '../wire/service-shapes.ts';
import { toWireUpload } from '../wire/upload.ts';

export const listUploadsOperation = defineOperation({
  id: 'listUploads',
  method: 'GET',
  path: '/v1/uploads',
  summary: 'List uploads',
  description: 'The uploads of the account, by id; those of its advisory firm for a bound key.',
  scopes: [],
  anyKey: true,
  input: {
    path: NO_PATH,
    query: z.strictObject({ ...CLIENT_QUERY, status: z.enum(UPLOAD_STATUSES).optional(), ...PAGE_QUERY }),
    body: NO_BODY,
  },
  output: listOf(uploadShape),
  perform: async ({ deps, caller }, { query }) => {
    const { limit, offset } = query;
    const { total, results } = await listUploads(deps, caller, {
      firmId: query.client_id ?? null,
      status: query.status ?? null,
      page: { limit, offset },
    });
    return {
      status: 200,
      body: { total, limit, offset, results: results.map((upload) => toWireUpload(upload, caller)) },
    };
  },
});

const announcement = z.strictObject({
  file_name: z.string(),
  client_id: idField.optional(),
  kind: z.enum(UPLOAD_KINDS).default('file'),
});

const queuedFile = formOf({
  client_id: idField.optional(),
  kind: z.enum(['offers_bulk_update', 'catalog_bulk_update']).default('offers_bulk_update'),
});

export const createUpload = defineOperation({
  id: 'createUpload',
  method: 'POST',
  path: '/v1/uploads',
  summary: 'Register an upload, or queue a file',
  description:
    'JSON announces a file (201): a record that stays pending until it is cancelled. A form with a part file (202) ' +
    'queues a workbook of at most 10 MB that is applied in the background as the bulk update of its kind would; it ' +
    'needs the scope of that, offers:write or catalog:write, and takes a point of its limit before it is read. 1000 ' +
    'may be pending.',
  scopes: [],
  anyKey: true,
  replayable: true,
  input: { path: NO_PATH, query: ONLY_CLIENT_QUERY, body: z.union([announcement, queuedFile]) },
  beforeForm: ({ deps, caller }) => takeFilePoint(deps, caller),
  output: uploadShape,
  success: [201, 202],
  refusals: ['missing_scope', 'bound_key', 'not_catalog_editor', 'wrong_state', 'business_rule'],
  perform: async ({ deps, caller, charged = null }, { query, body }) => {
    const { kind, client_id: ownerFirmId = null } = body;
    const owner = { firmId: query.client_id ?? null, ownerFirmId };
    if ('file' in body) {
      const { name: fileName, bytes } = body.file;
      const queued = await queueUpload(deps, caller, { ...owner, kind: body.kind, fileName, bytes, charged });
      return { status: 202, body: toWireUpload(queued, caller) };
    }
    const upload = await registerUpload(deps, caller, { ...owner, kind, fileName: body.file_name });
    return { status: 201, body: toWireUpload(upload, caller) };
  },
});

export const getUploadOperation = defineOperation({
  id: 'getUpload',
  method: 'GET',
  path: '/v1/uploads/{id}',
  summary: 'Read one upload',
  description: 'An upload of the account.',
  scopes: [],
  anyKey: true,
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: uploadShape,
  refusals: ['not_found'],
  perform: async ({ deps, caller }, { path, query }) => {
    const upload = await getUpload(deps, caller, { id: path.id, firmId: query.client_id ?? null });
    return { status: 200, body: toWireUpload(upload, caller) };
  },
});

export const retryUploadOperation = defineOperation({
  id: 'retryUpload',
  method: 'PATCH',
  path: '/v1/uploads/{id}',
  summary: 'Retry a failed upload',
  description:
    'Puts a failed upload back to pending, so that its file is applied again; 409 when it has not failed, or when no ' +
    'file is kept of it any more, 7 days later. Needs the scope of the bulk update of its kind, and takes a point of ' +
    'its limit.',
  scopes: [],
  anyKey: true,
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: uploadShape,
  refusals: ['missing_scope', 'bound_key', 'not_catalog_editor', 'not_found', 'wrong_state'],
  perform: async ({ deps, caller }, { path, query }) => {
    const upload = await retryUpload(deps, caller, { id: path.id, firmId: query.client_id ?? null });
    return { status: 200, body: toWireUpload(upload, caller) };
  },
});

export const cancelUploadOperation = defineOperation({
  id: 'cancelUpload',
  method: 'DELETE',
  path: '/v1/uploads/{id}',
  summary: 'Cancel a pending upload',
  description: 'Answers the cancelled record; 409 when it is not pending.',
  scopes: [],
  anyKey: true,
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: uploadShape,
  refusals: ['not_found', 'wrong_state'],
  perform: async ({ deps, caller }, { path, query }) => {
    const upload = await cancelUpload(deps, caller, { id: path.id, firmId: query.client_id ?? null });
    return { status: 200, body: toWireUpload(upload, caller) };
  },
});
