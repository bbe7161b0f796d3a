/** As the other file says. */
export const maskedStampsPostgres = `
ALTER TABLE offers ADD COLUMN masked_updated_at text COLLATE "C";
ALTER TABLE offer_versions ADD COLUMN masked_updated_at text COLLATE "C";`;
