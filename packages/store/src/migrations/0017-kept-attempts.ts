import { forBoth } from './engines.ts';

/** What came of sending events. An attempt is written in the place of one that is 20 older, so there are never more. */
export const keptAttempts = forBoth(
  () => `
CREATE TABLE webhook_attempts (
  webhook_id bigint NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  place smallint NOT NULL CHECK (place BETWEEN 0 AND 19),
  number bigint NOT NULL,
  event_id bigint NOT NULL,
  type text NOT NULL,
  data text NOT NULL CHECK (data::json IS NOT NULL),
  created_at text NOT NULL,
  traceparent text,
  sent_at text NOT NULL,
  duration_ms bigint NOT NULL,
  status integer,
  failure text,
  PRIMARY KEY (webhook_id, place),
  CHECK ((status IS NULL) = (failure IS NOT NULL))
); -- WITHOUT ROWID`,
);
