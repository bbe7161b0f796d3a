import { forBoth } from './engines.ts';

/** Null: the key does not end by itself; it was never used. */
export const keysThatEnd = forBoth(
  () => `
ALTER TABLE api_keys ADD COLUMN expires_at text COLLATE "C";
ALTER TABLE api_keys ADD COLUMN last_used_at text COLLATE "C";`,
);
