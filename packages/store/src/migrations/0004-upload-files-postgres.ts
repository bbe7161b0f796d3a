/** `0004-upload-files.ts` for PostgreSQL. */
export const uploadFilesPostgres = `
CREATE TABLE upload_files (
  upload_id bigint PRIMARY KEY,
  account_id bigint NOT NULL,
  key_id bigint,
  kept_at text COLLATE "C" NOT NULL,
  bytes bytea NOT NULL,
  FOREIGN KEY (account_id, upload_id) REFERENCES uploads (account_id, id)
);
CREATE INDEX upload_files_age ON upload_files (kept_at);
-- A file is compressed already.
ALTER TABLE upload_files ALTER COLUMN bytes SET STORAGE EXTERNAL;

ALTER TABLE uploads ADD COLUMN lease_until text COLLATE "C" CHECK (lease_until IS NULL OR status = 'processing');
ALTER TABLE uploads ADD COLUMN attempts bigint NOT NULL DEFAULT 0;`;
