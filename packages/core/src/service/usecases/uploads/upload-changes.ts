import type { UploadChange } from '../../ports/records.ts';
import type { Writer } from '../../ports/stores.ts';
import type { Upload } from '../../uploads/upload.ts';

/** Changes an upload as the store does, and tells webhooks when it is finished. */
export async function changeUpload(
  writer: Writer,
  accountId: number,
  { id, ...change }: UploadChange & Pick<Upload, 'id'>,
): Promise<Upload | null> {
  const upload = await writer.uploads.update(accountId, id, change);
  if (upload?.finishedAt != null) {
    const { firmId, status } = upload;
    await writer.webhooks.queue(accountId, { type: 'upload.finished', data: { uploadId: id, status } }, firmId);
  }
  return upload;
}
