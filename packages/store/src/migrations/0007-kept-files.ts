import { forBoth } from './engines.ts';

/**
 * Files of dry runs that can be applied as they were looked at. They are apart from `upload_files`, from which workers
 * of any release take what they apply unasked.
 */
export const keptFiles = forBoth(
  (own) => `
CREATE TABLE upload_kept_files (
  upload_id bigint PRIMARY KEY,
  account_id bigint NOT NULL,
  effect text NOT NULL,
  is_forced smallint NOT NULL CHECK (is_forced IN (0, 1)),
  bytes bytea NOT NULL,
  FOREIGN KEY (account_id, upload_id) REFERENCES uploads (account_id, id)
);${own({ sqlite: '', postgres: '\nALTER TABLE upload_kept_files ALTER COLUMN bytes SET STORAGE EXTERNAL;' })}`,
);
