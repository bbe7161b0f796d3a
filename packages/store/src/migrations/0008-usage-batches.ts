import { forBoth } from './engines.ts';

/**
 * The last batch that each log of calls has written. A process that does not know whether a batch was stored sends it
 * again, and it is recorded once.
 */
export const usageBatches = forBoth(
  () => `
CREATE TABLE usage_batches (
  log text COLLATE "C" PRIMARY KEY,
  last_number bigint NOT NULL,
  written_at text COLLATE "C" NOT NULL
); -- WITHOUT ROWID`,
);
