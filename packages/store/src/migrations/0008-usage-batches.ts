/**
 * The last batch that each log of calls has written. A process that was not told whether a batch was kept sends it again,
 * and it is recorded once.
 */
export const usageBatches = `
CREATE TABLE usage_batches (
  log TEXT PRIMARY KEY,
  last_number INTEGER NOT NULL,
  written_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;`;
