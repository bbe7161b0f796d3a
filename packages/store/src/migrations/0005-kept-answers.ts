/**
 * Answers that are given again when a request is sent again, until a day has passed. The index that makes a name unique
 * also decides between two processes that do the same at once.
 */
export const keptAnswers = `
CREATE TABLE kept_answers (
  id INTEGER PRIMARY KEY,
  key_id INTEGER NOT NULL REFERENCES api_keys (id),
  idempotency_key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  rights TEXT NOT NULL,
  answer TEXT NOT NULL,
  kept_at TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX kept_answers_name ON kept_answers (key_id, idempotency_key);
CREATE INDEX kept_answers_age ON kept_answers (kept_at);`;
