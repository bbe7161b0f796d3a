import { isMonth, ofOneSupply, pastTerms, prices, terms } from './0001-schema.ts';
import { CONTRACT_COLUMNS } from './0004-contracts.ts';
import { HOUR_COLUMNS } from './0014-hours-of-offers.ts';
import { LOCK_TABLES } from './0019-counted-by-statements.ts';
import { appendOnly, forBoth, type Own } from './engines.ts';

const OWNED = 'CHECK (owner_id = coalesce(account_id, 0))';
const INDICES = `
CREATE UNIQUE INDEX companies_name_in_firm ON companies (owner_id, firm_id, name_folded) WHERE firm_id IS NOT NULL;
CREATE UNIQUE INDEX companies_name_in_catalog ON companies (owner_id, name_folded) WHERE firm_id IS NULL;`;
/** With the owner, so that the index alone answers: SQLite would take one that begins with it also to look for an id. */
const historyIndices = (moments: string, tiers: string) => `
CREATE INDEX offer_versions_moments ON offer_versions (${moments});
CREATE INDEX offer_versions_tiers ON offer_versions (${tiers})
  WHERE (consumption_tiers IS NOT NULL OR consumption_tiers_id IS NOT NULL)
    OR (power_tiers IS NOT NULL OR power_tiers_id IS NOT NULL);`;

const ofFirm = 'FOREIGN KEY (account_id, firm_id) REFERENCES firms (account_id, id)';
const ofOffer = 'FOREIGN KEY (owner_id, offer_id) REFERENCES offers (owner_id, id)';
const ofTiers = ['consumption', 'power'].map(
  (name) => `FOREIGN KEY (owner_id, ${name}_tiers_id) REFERENCES tier_lists (owner_id, id)`,
);
const filled = (table: string) =>
  `UPDATE ${table} SET owner_id = offers.owner_id FROM offers WHERE offers.id = ${table}.offer_id;`;

/** @param first - What lets rows be deleted. */
const withoutOffers = (table: string, first = '') => `
SELECT '${table} has ' || sum(number) || ' rows of ' || count(*) || ' offers that are not there: offer_id ' ||
  string_agg(CASE place WHEN 21 THEN '...' ELSE CAST(offer_id AS text) END, ', ' ORDER BY place) FILTER (WHERE place <= 21) ||
  '. Restore these offers, or back up and run: ${first}DELETE FROM ${table} WHERE offer_id NOT IN (SELECT id FROM offers);' AS refusal
FROM (SELECT offer_id, count(*) AS number, row_number() OVER (ORDER BY offer_id) AS place FROM ${table}
  WHERE NOT EXISTS (SELECT 1 FROM offers WHERE offers.id = offer_id) GROUP BY offer_id) AS missing
HAVING count(*) > 0`;

/** Rows that have no owner. References forbid them, but for who writes by hand. */
export const rowsWithoutOffers = forBoth((own) => {
  const first = own({
    sqlite: 'DROP TRIGGER IF EXISTS offer_versions_are_not_deleted; ',
    postgres: 'DROP TRIGGER IF EXISTS offer_versions_stay ON offer_versions; ',
  });
  return `${withoutOffers('monthly_prices')} UNION ALL ${withoutOffers('offer_versions', first)}`;
});

/**
 * Releases before this one write rows without their owner, so they may only read beside it. Calls they record on, whose
 * slices are the same however often they are counted. Months have an index that their statements name.
 */
const BESIDE_EARLIER_RELEASES = `
CREATE OR REPLACE TRIGGER earlier_releases_wait BEFORE INSERT ON revisions FOR EACH STATEMENT
WHEN (current_setting('tarifario.locks', true) IS DISTINCT FROM 'owners') EXECUTE FUNCTION earlier_releases_wait();
CREATE TRIGGER earlier_releases_wait BEFORE INSERT OR DELETE ON monthly_prices FOR EACH STATEMENT
WHEN (pg_trigger_depth() = 0 AND current_setting('tarifario.locks', true) IS DISTINCT FROM 'owners')
EXECUTE FUNCTION earlier_releases_wait();
CREATE OR REPLACE TRIGGER earlier_releases_wait BEFORE INSERT OR DELETE ON proposals FOR EACH STATEMENT
WHEN (pg_trigger_depth() = 0 AND current_setting('tarifario.locks', true) IS DISTINCT FROM 'owners')
EXECUTE FUNCTION earlier_releases_wait();
CREATE OR REPLACE TRIGGER usage_log_slices AFTER INSERT ON usage_log REFERENCING NEW TABLE AS added FOR EACH STATEMENT
WHEN (current_setting('tarifario.locks', true) IS DISTINCT FROM 'owners') EXECUTE FUNCTION usage_log_slices();`;

/**
 * `firms` and `revisions` stay readable, because each call reads them: `deploy/citus.sql` changes the
 * key of firms. What refers to a key goes with it, and an index is made after the rows.
 */
const ON_POSTGRES = `
LOCK TABLE write_locks, revisions IN SHARE ROW EXCLUSIVE MODE;
${LOCK_TABLES}
ALTER TABLE companies ALTER COLUMN owner_id DROP EXPRESSION, ADD ${OWNED}, DROP CONSTRAINT companies_pkey, ADD PRIMARY KEY (owner_id, id);
ALTER TABLE catalog_subscriptions DROP CONSTRAINT catalog_subscriptions_pkey, ADD PRIMARY KEY (account_id, firm_id, company_id);
ALTER TABLE offers ALTER COLUMN owner_id DROP EXPRESSION, ADD ${OWNED}, DROP CONSTRAINT offers_pkey CASCADE, ADD PRIMARY KEY (owner_id, id);
ALTER TABLE tier_lists DROP CONSTRAINT tier_lists_pkey CASCADE, ADD PRIMARY KEY (owner_id, id);
ALTER TABLE proposals DROP CONSTRAINT proposals_pkey, ADD PRIMARY KEY (account_id, id);
DROP INDEX offers_owner, proposals_account, companies_name_in_firm, companies_name_in_catalog, offer_versions_moments, offer_versions_tiers;
${INDICES}
ALTER TABLE monthly_prices ADD COLUMN owner_id bigint, DROP CONSTRAINT monthly_prices_pkey;
${filled('monthly_prices')}
ALTER TABLE monthly_prices ALTER COLUMN owner_id SET NOT NULL, ADD PRIMARY KEY (owner_id, offer_id, month), ADD ${ofOffer};
CREATE UNIQUE INDEX monthly_prices_of_earlier_releases ON monthly_prices (offer_id, month);
ALTER TABLE offer_versions ADD COLUMN owner_id bigint, DROP CONSTRAINT offer_versions_pkey;
${filled('offer_versions')}
ALTER TABLE offer_versions ALTER COLUMN owner_id SET NOT NULL, ADD PRIMARY KEY (owner_id, id), ADD ${ofOffer},
  ${ofTiers.map((reference) => `ADD ${reference}`).join(', ')};
${historyIndices('owner_id, offer_id, month, changed_at, revision, id', 'owner_id, offer_id, id')}
ANALYZE monthly_prices, offer_versions;
${BESIDE_EARLIER_RELEASES}`;

const columnsIn = (texts: string) =>
  [...texts.matchAll(/(\w+) (?:bigint|integer|smallint|text|double precision)\b/g)].map(([, name]) => String(name));

const COMPANY = `account_id bigint REFERENCES accounts (id),
  firm_id bigint,
  name text NOT NULL,
  name_folded text COLLATE "C" NOT NULL,
  logo_url text,
  is_active smallint NOT NULL CHECK (is_active IN (0, 1)),
  revision bigint NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL`;

const SUBSCRIPTION = `firm_id bigint NOT NULL,
  company_id bigint NOT NULL,
  account_id bigint NOT NULL,
  is_subscribed smallint NOT NULL CHECK (is_subscribed IN (0, 1)),
  revision bigint NOT NULL`;

const ADDED = [...CONTRACT_COLUMNS, ...HOUR_COLUMNS].join(',\n  ');
const OFFER = `account_id bigint REFERENCES accounts (id),
  ${terms},
  revision bigint NOT NULL,
  masked_revision bigint,
  blind_revision bigint,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL,
  masked_updated_at text COLLATE "C",
  ${ADDED}`;

const month = (own: Own) => `offer_id bigint NOT NULL,
  month text COLLATE "C" NOT NULL CHECK (${own(isMonth)}),
  supply_type text NOT NULL CHECK (supply_type IN ('LUZ', 'GAS')),
  ${prices},
  gas_energy double precision,
  gas_fixed double precision`;

const VERSION = `offer_id bigint NOT NULL,
  revision bigint NOT NULL,
  changed_at text COLLATE "C" NOT NULL,
  key_id bigint,
  before text NOT NULL,
  ${pastTerms},
  created_at text COLLATE "C",
  updated_at text COLLATE "C",
  masked_updated_at text COLLATE "C",
  consumption_tiers_id bigint,
  power_tiers_id bigint,
  consumption_tiers text,
  power_tiers text,
  ${ADDED}`;

/** Fills a table from the one that had its name. @param ownerId - Of a row of `former`. */
function filledAnew(table: string, columns: string, ownerId = ''): string {
  const names = columnsIn(columns).join(', ');
  const [into, from] = ownerId === '' ? [names, names] : [`owner_id, ${names}`, `${ownerId}, ${names}`];
  return `INSERT INTO ${table} (${into}) SELECT ${from} FROM former_${table} AS former;`;
}

const counted = (table: string, columns: string, ownerId: string) => `
INSERT INTO sqlite_sequence (name, seq) SELECT '${table}', seq FROM sqlite_sequence WHERE name = 'former_${table}';
${filledAnew(table, `id bigint, ${columns}`, ownerId)}`;

const OF_THE_OFFER = '(SELECT owner_id FROM offers WHERE offers.id = former.offer_id)';
const REMADE = ['companies', 'catalog_subscriptions', 'offers', 'monthly_prices', 'offer_versions'];

/** SQLite has one key for ids, which stays, and changes no column and no reference: the tables are made anew. */
const onSqlite = (own: Own) => `
${REMADE.map((table) => `ALTER TABLE ${table} RENAME TO former_${table};`).join('\n')}
CREATE UNIQUE INDEX tier_lists_key ON tier_lists (owner_id, id);
CREATE TABLE companies (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  owner_id bigint NOT NULL,
  ${COMPANY},
  UNIQUE (owner_id, id),
  ${OWNED},
  CHECK ((account_id IS NULL) = (firm_id IS NULL)),
  FOREIGN KEY (owner_id, firm_id) REFERENCES firms (account_id, id)
);
CREATE TABLE catalog_subscriptions (
  ${SUBSCRIPTION},
  catalog_id bigint NOT NULL GENERATED ALWAYS AS (0) STORED,
  PRIMARY KEY (account_id, firm_id, company_id),
  ${ofFirm},
  FOREIGN KEY (catalog_id, company_id) REFERENCES companies (owner_id, id)
); -- WITHOUT ROWID
CREATE TABLE offers (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  owner_id bigint NOT NULL,
  ${OFFER},
  UNIQUE (owner_id, id),
  ${OWNED},
  ${ofOneSupply},
  FOREIGN KEY (owner_id, company_id) REFERENCES companies (owner_id, id)
);
CREATE TABLE monthly_prices (
  owner_id bigint NOT NULL,
  ${month(own)},
  PRIMARY KEY (owner_id, offer_id, month),
  ${ofOffer}
); -- WITHOUT ROWID
CREATE TABLE offer_versions (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  owner_id bigint NOT NULL,
  ${VERSION},
  month text COLLATE "C" GENERATED ALWAYS AS
    (CASE WHEN substr(before, 1, 25) = '{"kind":"month","month":"' THEN substr(before, 26, 10) END) VIRTUAL,
  ${[ofOffer, ...ofTiers].join(',\n  ')}
);
${counted('companies', COMPANY, 'owner_id')}
${filledAnew('catalog_subscriptions', SUBSCRIPTION)}
${counted('offers', OFFER, 'owner_id')}
${filledAnew('monthly_prices', month(own), OF_THE_OFFER)}
DROP TABLE former_monthly_prices;
${counted('offer_versions', VERSION, OF_THE_OFFER)}
DROP TABLE former_offer_versions;
DROP TABLE former_offers;
DROP TABLE former_catalog_subscriptions;
DROP TABLE former_companies;
${INDICES}
CREATE INDEX companies_revision ON companies (owner_id, revision);
CREATE INDEX catalog_subscriptions_revision ON catalog_subscriptions (account_id, revision);
CREATE INDEX offers_company ON offers (company_id);
CREATE INDEX offers_revision ON offers (owner_id, revision);
${historyIndices('offer_id, month, changed_at, revision, owner_id', 'offer_id, id')}
${appendOnly(own, { table: 'offer_versions', be: 'are', rows: 'versions of offers' })}`;

/**
 * Rows of an owner have its number in their keys and in what they refer to: the database keeps owners apart by itself,
 * and an engine that divides tables by owner takes them as they are. Ids stay unique over all owners.
 */
export const keysByOwner = forBoth((own) => own({ sqlite: onSqlite(own), postgres: ON_POSTGRES }));
