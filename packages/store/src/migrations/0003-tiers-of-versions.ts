import { forBoth } from './engines.ts';

/**
 * A version has the tiers that its change replaced. Earlier releases named a list in `tier_lists` for each version; while
 * they run beside this one both forms are written, and the index finds both.
 */
export const tiersOfVersions = forBoth(
  () => `
ALTER TABLE offer_versions ADD COLUMN consumption_tiers text;
ALTER TABLE offer_versions ADD COLUMN power_tiers text;
CREATE INDEX offer_versions_tiers ON offer_versions (offer_id, id)
  WHERE (consumption_tiers IS NOT NULL OR consumption_tiers_id IS NOT NULL)
    OR (power_tiers IS NOT NULL OR power_tiers_id IS NOT NULL);`,
);
