/** A PostgreSQL to compare with. */
export interface PostgresPeer {
  readonly url: string;
  stop(): Promise<void>;
}

/** The server that TEST_PG_URL names; `null` when there is none. */
export async function findPostgres(): Promise<PostgresPeer | null> {
  const url = process.env.TEST_PG_URL;
  return url ? { url, stop: async () => undefined } : null;
}
