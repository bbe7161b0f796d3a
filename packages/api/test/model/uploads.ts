import { type ModelRequest, named } from './firms.ts';
import { type ModelUpload, narrow, notFound } from './state.ts';

const READS: Readonly<Record<string, string>> = {
  offers_bulk_update: 'offers:read',
  catalog_bulk_update: 'catalog:read',
};

/** What a result counts; `null`: it is of offers that the caller may not read, in a file of another key. */
function resultOf({ caller }: ModelRequest, { kind, sender, result }: ModelUpload) {
  const isSeen = sender === caller.text || kind === 'file' || (caller.scopes?.includes(READS[kind] ?? '') ?? true);
  if (result === null || !isSeen) return null;
  return caller.seesCommissions ? result : { ...result, tiers_replaced: null };
}

/** An upload as it is shown. */
export function showUpload(request: ModelRequest, upload: ModelUpload) {
  const { caller } = request;
  return {
    id: upload.id,
    client_id: upload.clientId,
    kind: upload.kind,
    file_name: upload.fileName,
    size_bytes: caller.seesCommissions || upload.sender === caller.text ? upload.sizeBytes : null,
    status: upload.status,
    result: resultOf(request, upload),
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
