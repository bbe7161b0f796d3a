/**
 * The first and the last instant of each slice of calls, so that those outside the bounds of a question are not looked
 * at. The database keeps them itself: also of calls that a process records which does not know of them yet.
 */
export const usageSlices = `
CREATE TABLE usage_slices (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  slice INTEGER NOT NULL,
  first_at TEXT NOT NULL,
  last_at TEXT NOT NULL,
  PRIMARY KEY (account_id, slice)
) STRICT, WITHOUT ROWID;
INSERT INTO usage_slices
SELECT account_id, id / 10000, min(created_at), max(created_at) FROM usage_log GROUP BY account_id, id / 10000;
CREATE TRIGGER usage_log_slices AFTER INSERT ON usage_log
BEGIN
  INSERT INTO usage_slices VALUES (new.account_id, new.id / 10000, new.created_at, new.created_at)
  ON CONFLICT (account_id, slice) DO UPDATE
  SET first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)
  WHERE excluded.first_at < first_at OR excluded.last_at > last_at;
END;`;
