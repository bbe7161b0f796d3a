/**
 * Three things that keep what is stored in bounds:
 * - how many records a shelf has, so that a quota is one look. Triggers count: a program of the release before, which runs
 *   while replicas are replaced, counts too;
 * - what was agreed for an account in place of the quotas of its plan, null: nothing;
 * - tiers of past offers, each text once on a shelf: a version that has none in its own columns names them by id.
 */
export const quotas = `
ALTER TABLE revisions ADD COLUMN companies INTEGER NOT NULL DEFAULT 0;
ALTER TABLE revisions ADD COLUMN offers INTEGER NOT NULL DEFAULT 0;
ALTER TABLE revisions ADD COLUMN months INTEGER NOT NULL DEFAULT 0;
UPDATE revisions SET
  companies = (SELECT count(*) FROM companies WHERE companies.shelf_id = revisions.shelf_id),
  offers = (SELECT count(*) FROM offers WHERE offers.shelf_id = revisions.shelf_id),
  months = (SELECT count(*) FROM offers JOIN monthly_prices ON monthly_prices.offer_id = offers.id
    WHERE offers.shelf_id = revisions.shelf_id);
CREATE TRIGGER companies_are_counted AFTER INSERT ON companies
BEGIN UPDATE revisions SET companies = companies + 1 WHERE shelf_id = new.shelf_id; END;
CREATE TRIGGER offers_are_counted AFTER INSERT ON offers
BEGIN UPDATE revisions SET offers = offers + 1 WHERE shelf_id = new.shelf_id; END;
CREATE TRIGGER months_are_counted AFTER INSERT ON monthly_prices
BEGIN
  UPDATE revisions SET months = months + 1 WHERE shelf_id = (SELECT shelf_id FROM offers WHERE id = new.offer_id);
END;
CREATE TRIGGER deleted_months_are_counted AFTER DELETE ON monthly_prices
BEGIN
  UPDATE revisions SET months = months - 1 WHERE shelf_id = (SELECT shelf_id FROM offers WHERE id = old.offer_id);
END;

ALTER TABLE subscriptions ADD COLUMN company_quota INTEGER;
ALTER TABLE subscriptions ADD COLUMN offer_quota INTEGER;
ALTER TABLE subscriptions ADD COLUMN month_quota INTEGER;

CREATE TABLE tier_lists (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  shelf_id INTEGER NOT NULL,
  digest BLOB NOT NULL,
  tiers TEXT NOT NULL,
  UNIQUE (shelf_id, digest)
) STRICT;
CREATE TRIGGER tier_lists_are_not_changed BEFORE UPDATE ON tier_lists
BEGIN SELECT RAISE(ABORT, 'tiers of past offers are append-only'); END;
CREATE TRIGGER tier_lists_are_not_deleted BEFORE DELETE ON tier_lists
BEGIN SELECT RAISE(ABORT, 'tiers of past offers are append-only'); END;
ALTER TABLE offer_versions ADD COLUMN consumption_tiers_id INTEGER REFERENCES tier_lists (id);
ALTER TABLE offer_versions ADD COLUMN power_tiers_id INTEGER REFERENCES tier_lists (id);`;
