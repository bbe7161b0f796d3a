import type { Upload } from '@tarifario/core';

/** An upload as it is shown; whether its file is kept shows only in what a retry answers. */
export function toWireUpload(upload: Upload) {
  return {
    id: upload.id,
    client_id: upload.firmId,
    kind: upload.kind,
    file_name: upload.fileName,
    size_bytes: upload.sizeBytes,
    status: upload.status,
    result: upload.result,
    error: upload.error,
    created_at: upload.createdAt,
    updated_at: upload.updatedAt,
    finished_at: upload.finishedAt,
  };
}
