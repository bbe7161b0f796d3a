/**
 * What an offer was before a change, in columns as the offer has them: the database copies the row by itself. Each column
 * of terms that `offers` gets one day, `offer_versions` gets too.
 *
 * Older versions have all of it as JSON in `before`, and so have those that say something else.
 */
export const pastTerms = `
ALTER TABLE offer_versions ADD COLUMN company_id INTEGER;
ALTER TABLE offer_versions ADD COLUMN supply_type TEXT;
ALTER TABLE offer_versions ADD COLUMN offer_name TEXT;
ALTER TABLE offer_versions ADD COLUMN tariff_type TEXT;
ALTER TABLE offer_versions ADD COLUMN is_indexed INTEGER;
ALTER TABLE offer_versions ADD COLUMN services_eur_per_month REAL;
ALTER TABLE offer_versions ADD COLUMN commission_value REAL;
ALTER TABLE offer_versions ADD COLUMN commission_type TEXT;
ALTER TABLE offer_versions ADD COLUMN consumption_tiers TEXT;
ALTER TABLE offer_versions ADD COLUMN accepts_dni INTEGER;
ALTER TABLE offer_versions ADD COLUMN accepts_cif INTEGER;
ALTER TABLE offer_versions ADD COLUMN accepts_cdad INTEGER;
ALTER TABLE offer_versions ADD COLUMN territory_peninsula INTEGER;
ALTER TABLE offer_versions ADD COLUMN territory_canarias INTEGER;
ALTER TABLE offer_versions ADD COLUMN territory_baleares INTEGER;
ALTER TABLE offer_versions ADD COLUMN territory_ceuta_melilla INTEGER;
ALTER TABLE offer_versions ADD COLUMN communities INTEGER;
ALTER TABLE offer_versions ADD COLUMN is_active INTEGER;
ALTER TABLE offer_versions ADD COLUMN energy_1 REAL;
ALTER TABLE offer_versions ADD COLUMN energy_2 REAL;
ALTER TABLE offer_versions ADD COLUMN energy_3 REAL;
ALTER TABLE offer_versions ADD COLUMN energy_4 REAL;
ALTER TABLE offer_versions ADD COLUMN energy_5 REAL;
ALTER TABLE offer_versions ADD COLUMN energy_6 REAL;
ALTER TABLE offer_versions ADD COLUMN power_1 REAL;
ALTER TABLE offer_versions ADD COLUMN power_2 REAL;
ALTER TABLE offer_versions ADD COLUMN power_3 REAL;
ALTER TABLE offer_versions ADD COLUMN power_4 REAL;
ALTER TABLE offer_versions ADD COLUMN power_5 REAL;
ALTER TABLE offer_versions ADD COLUMN power_6 REAL;
ALTER TABLE offer_versions ADD COLUMN fee_power_eur_per_mwh REAL;
ALTER TABLE offer_versions ADD COLUMN has_solar_panels INTEGER;
ALTER TABLE offer_versions ADD COLUMN surplus_eur_per_kwh REAL;
ALTER TABLE offer_versions ADD COLUMN ssaa_included INTEGER;
ALTER TABLE offer_versions ADD COLUMN power_tiers TEXT;
ALTER TABLE offer_versions ADD COLUMN gas_energy REAL;
ALTER TABLE offer_versions ADD COLUMN gas_fixed REAL;
ALTER TABLE offer_versions ADD COLUMN created_at TEXT;
ALTER TABLE offer_versions ADD COLUMN updated_at TEXT;`;
