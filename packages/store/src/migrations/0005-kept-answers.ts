import { forBoth, ID } from './engines.ts';

/**
 * Answers for repeated requests, stored for a day. The unique index on the name also decides between two processes that
 * do the same at once.
 */
export const keptAnswers = forBoth(
  (own) => `
CREATE TABLE kept_answers (
  ${own(ID)},
  key_id bigint NOT NULL REFERENCES api_keys (id),
  idempotency_key text COLLATE "C" NOT NULL,
  fingerprint text NOT NULL,
  rights text NOT NULL,
  answer text NOT NULL,
  kept_at text COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX kept_answers_name ON kept_answers (key_id, idempotency_key);
CREATE INDEX kept_answers_age ON kept_answers (kept_at);`,
);
