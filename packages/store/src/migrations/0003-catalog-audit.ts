/** Who wrote the shared catalog. Counts are those of the whole catalog, before and after the write. */
export const catalogAudit = `
CREATE TABLE catalog_audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  key_id INTEGER,
  at TEXT NOT NULL,
  operation TEXT NOT NULL,
  record_id INTEGER,
  counts_before TEXT NOT NULL CHECK (json_valid(counts_before)),
  counts_after TEXT NOT NULL CHECK (json_valid(counts_after)),
  file_hash TEXT
) STRICT;
CREATE TRIGGER catalog_audit_is_not_changed BEFORE UPDATE ON catalog_audit
BEGIN SELECT RAISE(ABORT, 'the record of catalog writes is append-only'); END;
CREATE TRIGGER catalog_audit_is_not_deleted BEFORE DELETE ON catalog_audit
BEGIN SELECT RAISE(ABORT, 'the record of catalog writes is append-only'); END;`;
