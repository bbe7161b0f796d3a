import { forBoth } from './engines.ts';

/**
 * When anything but the commissions of an offer last changed; null: when the offer itself did, as for every earlier
 * offer.
 */
export const maskedStamps = forBoth(
  () => `
ALTER TABLE offers ADD COLUMN masked_updated_at text COLLATE "C";
ALTER TABLE offer_versions ADD COLUMN masked_updated_at text COLLATE "C";`,
);
