import { forBoth } from './engines.ts';

/**
 * Which month a version is about, out of its text, and an index with all that tells which versions come first after a
 * moment (in SQLite every index has the id). It takes the place of the one by offer.
 */
export const moments = forBoth(
  (own) => `
ALTER TABLE offer_versions ADD COLUMN month text COLLATE "C" GENERATED ALWAYS AS
  (CASE WHEN substr(before, 1, 25) = '{"kind":"month","month":"' THEN substr(before, 26, 10) END)
  ${own({ sqlite: 'VIRTUAL', postgres: 'STORED' })};
CREATE INDEX offer_versions_moments
  ON offer_versions (offer_id, month, changed_at, revision${own({ sqlite: '', postgres: ', id' })});
DROP INDEX offer_versions_offer;`,
);
