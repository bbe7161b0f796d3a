/**
 * The first tables. Rules that hold for all of them:
 * - `shelf_id` is the account, or 0 for the shared catalog: a null cannot take part in a foreign key, a 0 can. So the
 *   database itself refuses an offer whose company belongs to somebody else.
 * - Every row of a shelf carries the revision of the write that changed it last.
 * - Booleans are 0 or 1, times and months are text, prices are REAL, and the tables are STRICT: nothing else fits in.
 */

const accounts = `
CREATE TABLE accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  email_folded TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  is_catalog_editor INTEGER NOT NULL CHECK (is_catalog_editor IN (0, 1)),
  created_at TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX accounts_email ON accounts (email_folded);

CREATE TABLE subscriptions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  plan TEXT NOT NULL CHECK (plan IN ('free', 'trial', 'starter', 'pro', 'business')),
  status TEXT NOT NULL CHECK (status IN ('active', 'cancelled')),
  firm_limit INTEGER NOT NULL,
  trial_ends_at TEXT,
  current_period_end TEXT NOT NULL,
  calls_per_minute INTEGER,
  firm_calls_per_minute INTEGER,
  created_at TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX subscriptions_account ON subscriptions (account_id);`;

const firms = `
CREATE TABLE firms (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  image_url TEXT,
  catalog_default TEXT NOT NULL CHECK (catalog_default IN ('all', 'none')),
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  revision INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (account_id, id)
) STRICT;
CREATE UNIQUE INDEX firms_name ON firms (account_id, name_folded);
CREATE INDEX firms_revision ON firms (account_id, revision);

CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  firm_id INTEGER,
  name TEXT,
  prefix TEXT NOT NULL,
  secret_hash TEXT NOT NULL,
  full_access INTEGER NOT NULL CHECK (full_access IN (0, 1)),
  scopes TEXT NOT NULL,
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  created_at TEXT NOT NULL,
  FOREIGN KEY (account_id, firm_id) REFERENCES firms (account_id, id)
) STRICT;
CREATE UNIQUE INDEX api_keys_secret ON api_keys (secret_hash);
CREATE INDEX api_keys_account ON api_keys (account_id);`;

const companies = `
CREATE TABLE companies (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER REFERENCES accounts (id),
  shelf_id INTEGER NOT NULL GENERATED ALWAYS AS (coalesce(account_id, 0)) STORED,
  firm_id INTEGER,
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  logo_url TEXT,
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  revision INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (shelf_id, id),
  CHECK ((account_id IS NULL) = (firm_id IS NULL)),
  FOREIGN KEY (account_id, firm_id) REFERENCES firms (account_id, id)
) STRICT;
CREATE UNIQUE INDEX companies_name_in_firm ON companies (firm_id, name_folded) WHERE firm_id IS NOT NULL;
CREATE UNIQUE INDEX companies_name_in_catalog ON companies (name_folded) WHERE firm_id IS NULL;
CREATE INDEX companies_revision ON companies (shelf_id, revision);

CREATE TABLE catalog_subscriptions (
  firm_id INTEGER NOT NULL,
  company_id INTEGER NOT NULL,
  account_id INTEGER NOT NULL,
  catalog_id INTEGER NOT NULL GENERATED ALWAYS AS (0) STORED,
  is_subscribed INTEGER NOT NULL CHECK (is_subscribed IN (0, 1)),
  revision INTEGER NOT NULL,
  PRIMARY KEY (firm_id, company_id),
  FOREIGN KEY (account_id, firm_id) REFERENCES firms (account_id, id),
  FOREIGN KEY (catalog_id, company_id) REFERENCES companies (shelf_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX catalog_subscriptions_revision ON catalog_subscriptions (account_id, revision);`;

const offers = `
CREATE TABLE offers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER REFERENCES accounts (id),
  shelf_id INTEGER NOT NULL GENERATED ALWAYS AS (coalesce(account_id, 0)) STORED,
  company_id INTEGER NOT NULL,
  supply_type TEXT NOT NULL CHECK (supply_type IN ('LUZ', 'GAS')),
  offer_name TEXT NOT NULL,
  tariff_type TEXT NOT NULL,
  is_indexed INTEGER NOT NULL CHECK (is_indexed IN (0, 1)),
  services_eur_per_month REAL,
  commission_value REAL NOT NULL,
  commission_type TEXT NOT NULL CHECK (commission_type IN ('fixed', 'per_mwh')),
  consumption_tiers TEXT NOT NULL,
  accepts_dni INTEGER NOT NULL CHECK (accepts_dni IN (0, 1)),
  accepts_cif INTEGER NOT NULL CHECK (accepts_cif IN (0, 1)),
  accepts_cdad INTEGER NOT NULL CHECK (accepts_cdad IN (0, 1)),
  territory_peninsula INTEGER NOT NULL CHECK (territory_peninsula IN (0, 1)),
  territory_canarias INTEGER NOT NULL CHECK (territory_canarias IN (0, 1)),
  territory_baleares INTEGER NOT NULL CHECK (territory_baleares IN (0, 1)),
  territory_ceuta_melilla INTEGER NOT NULL CHECK (territory_ceuta_melilla IN (0, 1)),
  communities INTEGER NOT NULL,
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  energy_1 REAL, energy_2 REAL, energy_3 REAL, energy_4 REAL, energy_5 REAL, energy_6 REAL,
  power_1 REAL, power_2 REAL, power_3 REAL, power_4 REAL, power_5 REAL, power_6 REAL,
  fee_power_eur_per_mwh REAL,
  has_solar_panels INTEGER CHECK (has_solar_panels IN (0, 1)),
  surplus_eur_per_kwh REAL,
  ssaa_included INTEGER CHECK (ssaa_included IN (0, 1)),
  power_tiers TEXT,
  gas_energy REAL,
  gas_fixed REAL,
  revision INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CHECK (CASE supply_type
    WHEN 'LUZ' THEN power_tiers IS NOT NULL AND has_solar_panels IS NOT NULL
      AND gas_energy IS NULL AND gas_fixed IS NULL
    ELSE power_tiers IS NULL AND has_solar_panels IS NULL AND fee_power_eur_per_mwh IS NULL
      AND surplus_eur_per_kwh IS NULL AND ssaa_included IS NULL
      AND coalesce(energy_1, energy_2, energy_3, energy_4, energy_5, energy_6) IS NULL
      AND coalesce(power_1, power_2, power_3, power_4, power_5, power_6) IS NULL
  END),
  FOREIGN KEY (shelf_id, company_id) REFERENCES companies (shelf_id, id)
) STRICT;
CREATE INDEX offers_shelf ON offers (shelf_id);
CREATE INDEX offers_company ON offers (company_id);
CREATE INDEX offers_revision ON offers (shelf_id, revision);

CREATE TABLE monthly_prices (
  offer_id INTEGER NOT NULL REFERENCES offers (id),
  month TEXT NOT NULL CHECK (month GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-01'),
  supply_type TEXT NOT NULL CHECK (supply_type IN ('LUZ', 'GAS')),
  energy_1 REAL, energy_2 REAL, energy_3 REAL, energy_4 REAL, energy_5 REAL, energy_6 REAL,
  power_1 REAL, power_2 REAL, power_3 REAL, power_4 REAL, power_5 REAL, power_6 REAL,
  gas_energy REAL,
  gas_fixed REAL,
  PRIMARY KEY (offer_id, month)
) STRICT, WITHOUT ROWID;`;

const history = `
CREATE TABLE revisions (
  shelf_id INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL CHECK (revision > 0)
) STRICT;

CREATE TABLE offer_versions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  offer_id INTEGER NOT NULL REFERENCES offers (id),
  revision INTEGER NOT NULL,
  changed_at TEXT NOT NULL,
  key_id INTEGER,
  before TEXT NOT NULL
) STRICT;
CREATE INDEX offer_versions_offer ON offer_versions (offer_id);
CREATE TRIGGER offer_versions_are_not_changed BEFORE UPDATE ON offer_versions
BEGIN SELECT RAISE(ABORT, 'versions of offers are append-only'); END;
CREATE TRIGGER offer_versions_are_not_deleted BEFORE DELETE ON offer_versions
BEGIN SELECT RAISE(ABORT, 'versions of offers are append-only'); END;`;

export const initial = [accounts, firms, companies, offers, history].join('\n');
