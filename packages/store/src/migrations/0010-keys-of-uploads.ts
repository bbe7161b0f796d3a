import { forBoth } from './engines.ts';

/** The key that made the upload; null: the command line, or an earlier release. */
export const keysOfUploads = forBoth(
  () => `
ALTER TABLE uploads ADD COLUMN key_id bigint;
UPDATE uploads SET key_id = (SELECT key_id FROM upload_files WHERE upload_id = uploads.id);`,
);
