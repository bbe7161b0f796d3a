/** Uploads, and the log of calls. Firms are referred to together with their account, so that none is of another. */

const uploads = `
CREATE TABLE uploads (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  firm_id INTEGER,
  kind TEXT NOT NULL CHECK (kind IN ('offers_bulk_update', 'catalog_bulk_update', 'file')),
  file_name TEXT NOT NULL,
  size_bytes INTEGER CHECK (size_bytes >= 0),
  status TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'completed', 'failed', 'cancelled')),
  result TEXT CHECK (json_valid(result)),
  error TEXT CHECK (json_valid(error)),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  finished_at TEXT,
  UNIQUE (account_id, id),
  CHECK ((finished_at IS NULL) = (status IN ('pending', 'processing'))),
  FOREIGN KEY (account_id, firm_id) REFERENCES firms (account_id, id)
) STRICT;
CREATE INDEX uploads_status ON uploads (account_id, status);`;

/** Calls lie together by account, in order of id: reading many of one account touches no others and needs no index. */
const usage = `
CREATE TABLE usage_endpoints (
  id INTEGER PRIMARY KEY,
  endpoint TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE usage_numbers (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id),
  last_id INTEGER NOT NULL CHECK (last_id > 0)
) STRICT;

CREATE TABLE usage_log (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  id INTEGER NOT NULL,
  firm_id INTEGER,
  endpoint_id INTEGER NOT NULL REFERENCES usage_endpoints (id),
  method TEXT NOT NULL,
  status_code INTEGER NOT NULL,
  response_time_ms REAL NOT NULL CHECK (response_time_ms >= 0),
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, firm_id) REFERENCES firms (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_log_age ON usage_log (created_at);`;

export const uploadsAndUsage = [uploads, usage].join('\n');
