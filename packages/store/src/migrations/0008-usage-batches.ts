import { forBoth } from './engines.ts';

/**
 * The last batch that each log of calls has written. A process that was not told whether a batch was kept sends it again,
 * and it is recorded once.
 */
export const usageBatches = forBoth(
  () => `
CREATE TABLE usage_batches (
  log text COLLATE "C" PRIMARY KEY,
  last_number bigint NOT NULL,
  written_at text COLLATE "C" NOT NULL
); -- WITHOUT ROWID`,
);
