/** `0011-usage-slices.ts` for PostgreSQL. Rows come many at a time, and each statement changes a slice once. */
export const usageSlicesPostgres = `
CREATE TABLE usage_slices (
  account_id bigint NOT NULL REFERENCES accounts (id),
  slice bigint NOT NULL,
  first_at text COLLATE "C" NOT NULL,
  last_at text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, slice)
);
LOCK TABLE usage_log IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO usage_slices
SELECT account_id, id / 10000, min(created_at), max(created_at) FROM usage_log GROUP BY account_id, id / 10000;
CREATE FUNCTION usage_log_slices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_slices AS stored
  SELECT account_id, id / 10000, min(created_at), max(created_at) FROM added
  GROUP BY account_id, id / 10000 ORDER BY 1, 2
  ON CONFLICT (account_id, slice) DO UPDATE
  SET first_at = least(stored.first_at, excluded.first_at), last_at = greatest(stored.last_at, excluded.last_at)
  WHERE excluded.first_at < stored.first_at OR excluded.last_at > stored.last_at;
  RETURN NULL;
END $$;
CREATE TRIGGER usage_log_slices AFTER INSERT ON usage_log
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION usage_log_slices();`;
