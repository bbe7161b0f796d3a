/** `0008-usage-batches.ts` for PostgreSQL. */
export const usageBatchesPostgres = `
CREATE TABLE usage_batches (
  log text COLLATE "C" PRIMARY KEY,
  last_number bigint NOT NULL,
  written_at text COLLATE "C" NOT NULL
);`;
