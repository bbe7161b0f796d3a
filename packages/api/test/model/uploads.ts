import { type ModelRequest, named } from './firms.ts';
import { type ModelUpload, narrow, notFound } from './state.ts';

/** An upload as it is shown. */
export function showUpload({ caller }: ModelRequest, upload: ModelUpload) {
  return {
    id: upload.id,
    client_id: upload.clientId,
    kind: upload.kind,
    file_name: upload.fileName,
    size_bytes: caller.seesCommissions || upload.sender === caller.text ? upload.sizeBytes : null,
    status: upload.status,
    result: upload.result && !caller.seesCommissions ? { ...upload.result, tiers_replaced: null } : upload.result,
    error: upload.error,
    created_at: upload.createdAt,
    updated_at: upload.updatedAt,
    finished_at: upload.finishedAt,
  };
}

export function uploadsOf(request: ModelRequest): readonly ModelUpload[] {
  const only = narrow(request.state, request.caller, named(request));
  return [...request.state.uploads.values()].filter(
    ({ accountId, clientId }) => accountId === request.caller.accountId && (only === null || clientId === only),
  );
}

export function uploadOf(request: ModelRequest): ModelUpload {
  const upload = uploadsOf(request).find(({ id }) => id === request.id);
  if (!upload) throw notFound();
  return upload;
}

export function putUpload({ state }: ModelRequest, upload: ModelUpload): ModelUpload {
  state.uploads.set(upload.id, upload);
  return upload;
}
