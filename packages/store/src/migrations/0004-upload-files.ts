import { forBoth } from './engines.ts';

/** A file is compressed already. */
const NOT_COMPRESSED = '\nALTER TABLE upload_files ALTER COLUMN bytes SET STORAGE EXTERNAL;';

/**
 * Files that wait to be applied, or to be applied again, apart from the uploads: lists of uploads never touch them.
 *
 * - `key_id` is the key that sent the file and whose rights apply it; null for the command line.
 * - `lease_until`: whoever works on the upload has it alone until then.
 */
export const uploadFiles = forBoth(
  (own) => `
CREATE TABLE upload_files (
  upload_id bigint PRIMARY KEY,
  account_id bigint NOT NULL,
  key_id bigint,
  kept_at text COLLATE "C" NOT NULL,
  bytes bytea NOT NULL,
  FOREIGN KEY (account_id, upload_id) REFERENCES uploads (account_id, id)
);
CREATE INDEX upload_files_age ON upload_files (kept_at);

ALTER TABLE uploads ADD COLUMN lease_until text COLLATE "C" CHECK (lease_until IS NULL OR status = 'processing');
ALTER TABLE uploads ADD COLUMN attempts bigint NOT NULL DEFAULT 0;${own({ sqlite: '', postgres: NOT_COMPRESSED })}`,
);
