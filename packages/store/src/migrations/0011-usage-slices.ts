import { forBoth, type Texts } from './engines.ts';

/** On PostgreSQL rows come many at a time, and each statement changes a slice once. */
const trigger: Texts = {
  sqlite: `
CREATE TRIGGER usage_log_slices AFTER INSERT ON usage_log
BEGIN
  INSERT INTO usage_slices VALUES (new.account_id, new.id / 10000, new.created_at, new.created_at)
  ON CONFLICT (account_id, slice) DO UPDATE
  SET first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)
  WHERE excluded.first_at < first_at OR excluded.last_at > last_at;
END;`,
  postgres: `
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
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION usage_log_slices();`,
};

/**
 * The first and the last instant of each slice of calls, so that those outside the bounds of a question are not looked
 * at. The database keeps them itself: also of calls that a process records which does not know of them yet.
 */
export const usageSlices = forBoth(
  (own) => `
CREATE TABLE usage_slices (
  account_id bigint NOT NULL REFERENCES accounts (id),
  slice bigint NOT NULL,
  first_at text COLLATE "C" NOT NULL,
  last_at text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, slice)
); -- WITHOUT ROWID${own({ sqlite: '', postgres: '\nLOCK TABLE usage_log IN SHARE ROW EXCLUSIVE MODE;' })}
INSERT INTO usage_slices
SELECT account_id, id / 10000, min(created_at), max(created_at) FROM usage_log GROUP BY account_id, id / 10000;${own(trigger)}`,
);
