import {
  cancelUpload,
  getUpload,
  listUploads,
  registerUpload,
  retryUpload,
  UPLOAD_KINDS,
  UPLOAD_STATUSES,
} from '@tarifario/core';
import { z } from 'zod';
import { CLIENT_QUERY, ID_PATH, idField, listOf, ONLY_CLIENT_QUERY, PAGE_QUERY } from '../fields.ts';
import { defineOperation, NO_BODY, NO_PATH } from '../operation.ts';
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
  limits: [],
  input: {
    path: NO_PATH,
    query: z.strictObject({ ...CLIENT_QUERY, status: z.enum(UPLOAD_STATUSES).optional(), ...PAGE_QUERY }),
    body: NO_BODY,
  },
  output: listOf(uploadShape),
  success: [200],
  refusals: [],
  mcp: null,
  perform: async ({ deps, caller }, { query }) => {
    const { limit, offset } = query;
    const { total, results } = await listUploads(deps, caller, {
      firmId: query.client_id ?? null,
      status: query.status ?? null,
      page: { limit, offset },
    });
    return { status: 200, body: { total, limit, offset, results: results.map(toWireUpload) } };
  },
});

export const createUpload = defineOperation({
  id: 'createUpload',
  method: 'POST',
  path: '/v1/uploads',
  summary: 'Register an upload',
  description: 'Announces a file: a record that stays pending until it is cancelled. An account has 1000 at most.',
  scopes: [],
  anyKey: true,
  limits: [],
  input: {
    path: NO_PATH,
    query: ONLY_CLIENT_QUERY,
    body: z.strictObject({
      file_name: z.string(),
      client_id: idField.optional(),
      kind: z.enum(UPLOAD_KINDS).default('file'),
    }),
  },
  output: uploadShape,
  success: [201],
  refusals: ['wrong_state', 'business_rule'],
  mcp: null,
  perform: async ({ deps, caller }, { query, body }) => {
    const upload = await registerUpload(deps, caller, {
      firmId: query.client_id ?? null,
      ownerFirmId: body.client_id ?? null,
      fileName: body.file_name,
      kind: body.kind,
    });
    return { status: 201, body: toWireUpload(upload) };
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
  limits: [],
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: uploadShape,
  success: [200],
  refusals: ['not_found'],
  mcp: null,
  perform: async ({ deps, caller }, { path, query }) => {
    const upload = await getUpload(deps, caller, { id: path.id, firmId: query.client_id ?? null });
    return { status: 200, body: toWireUpload(upload) };
  },
});

export const retryUploadOperation = defineOperation({
  id: 'retryUpload',
  method: 'PATCH',
  path: '/v1/uploads/{id}',
  summary: 'Retry a failed upload',
  description: 'Puts a failed upload back to pending; 409 when it has not failed, or when no file is kept of it.',
  scopes: [],
  anyKey: true,
  limits: [],
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: uploadShape,
  success: [200],
  refusals: ['not_found', 'wrong_state'],
  mcp: null,
  perform: async ({ deps, caller }, { path, query }) => {
    const upload = await retryUpload(deps, caller, { id: path.id, firmId: query.client_id ?? null });
    return { status: 200, body: toWireUpload(upload) };
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
  limits: [],
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: uploadShape,
  success: [200],
  refusals: ['not_found', 'wrong_state'],
  mcp: null,
  perform: async ({ deps, caller }, { path, query }) => {
    const upload = await cancelUpload(deps, caller, { id: path.id, firmId: query.client_id ?? null });
    return { status: 200, body: toWireUpload(upload) };
  },
});
