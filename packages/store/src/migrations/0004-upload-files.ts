/**
 * Files that wait to be applied, or to be applied again, apart from the uploads: lists of uploads never touch them.
 *
 * - `key_id` is the key that sent the file and whose rights apply it; null for the command line.
 * - `lease_until`: whoever works on the upload has it alone until then.
 */
export const uploadFiles = `
CREATE TABLE upload_files (
  upload_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  key_id INTEGER,
  kept_at TEXT NOT NULL,
  bytes BLOB NOT NULL,
  FOREIGN KEY (account_id, upload_id) REFERENCES uploads (account_id, id)
) STRICT;
CREATE INDEX upload_files_age ON upload_files (kept_at);

ALTER TABLE uploads ADD COLUMN lease_until TEXT CHECK (lease_until IS NULL OR status = 'processing');
ALTER TABLE uploads ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;`;
