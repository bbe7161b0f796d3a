import { forBoth } from './engines.ts';

const TYPES = "CHECK (type IN ('catalog.changed', 'upload.finished', 'usage.limit_near', 'webhook.test'))";

/** Events may be tests. SQLite changes no `CHECK`: the table is made anew, and no id that was given is given again. */
export const testedWebhooks = forBoth((own) =>
  own({
    sqlite: `
CREATE TABLE widened_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook_id bigint NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  type text NOT NULL ${TYPES},
  data text NOT NULL CHECK (data::json IS NOT NULL),
  created_at text NOT NULL,
  due_at text NOT NULL,
  attempts bigint NOT NULL,
  traceparent text
);
INSERT INTO sqlite_sequence (name, seq) SELECT 'widened_events', seq FROM sqlite_sequence WHERE name = 'webhook_events';
INSERT INTO widened_events (id, webhook_id, type, data, created_at, due_at, attempts, traceparent)
  SELECT id, webhook_id, type, data, created_at, due_at, attempts, traceparent FROM webhook_events;
DROP TABLE webhook_events;
ALTER TABLE widened_events RENAME TO webhook_events;
CREATE INDEX webhook_events_due ON webhook_events (webhook_id, due_at, id);`,
    postgres: `
ALTER TABLE webhook_events DROP CONSTRAINT webhook_events_type_check, ADD CONSTRAINT webhook_events_type_check ${TYPES};`,
  }),
);
