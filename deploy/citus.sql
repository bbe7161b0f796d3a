-- Divides the tables of an empty database, as `tarifario migrate` leaves it, by owner over the nodes of Citus 13:
--   psql -v ON_ERROR_STOP=1 --single-transaction --file=deploy/citus.sql "$DATABASE_URL"
-- on the coordinator, through which every replica reads and writes.

SET citus.multi_shard_modify_mode TO 'sequential';

-- They only hold back earlier releases, or do nothing.
DROP FUNCTION IF EXISTS earlier_releases_wait, usage_log_slices, mark_revision CASCADE;
DROP INDEX monthly_prices_of_earlier_releases;

-- Keys by owner that no migration makes, because each call of the service would have to wait for it.
ALTER TABLE firms DROP CONSTRAINT firms_pkey, ADD PRIMARY KEY (account_id, id);
ALTER TABLE companies DROP CONSTRAINT companies_account_id_firm_id_fkey,
  ADD FOREIGN KEY (owner_id, firm_id) REFERENCES firms (account_id, id);

-- From tables that are not divided, or to what another owner has.
ALTER TABLE api_keys DROP CONSTRAINT api_keys_account_id_firm_id_fkey;
ALTER TABLE uploads DROP CONSTRAINT uploads_account_id_firm_id_fkey;
ALTER TABLE webhooks DROP CONSTRAINT webhooks_account_id_firm_id_fkey;
ALTER TABLE catalog_subscriptions DROP CONSTRAINT catalog_subscriptions_catalog_id_company_id_fkey;

-- A table cannot be divided while one that is not refers to it: the other references come back at the end.
CREATE TEMPORARY TABLE kept_references ON COMMIT DROP AS
SELECT conrelid::regclass AS of, conname AS name, pg_get_constraintdef(oid) AS definition
FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace;
DO $$
DECLARE kept record;
BEGIN
  FOR kept IN SELECT * FROM kept_references LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', kept.of, kept.name);
  END LOOP;
END $$;

-- A copy on each node.
SELECT create_reference_table('accounts');
SELECT create_reference_table('api_keys');
SELECT create_reference_table('usage_endpoints');

-- All rows of one owner on one node.
SELECT create_distributed_table('revisions', 'owner_id');
SELECT create_distributed_table('revision_marks', 'owner_id', colocate_with => 'revisions');
SELECT create_distributed_table('write_locks', 'owner_id', colocate_with => 'revisions');
SELECT create_distributed_table('stored_bytes', 'owner_id', colocate_with => 'revisions');
SELECT create_distributed_table('firms', 'account_id', colocate_with => 'revisions');
SELECT create_distributed_table('companies', 'owner_id', colocate_with => 'revisions');
SELECT create_distributed_table('catalog_subscriptions', 'account_id', colocate_with => 'revisions');
SELECT create_distributed_table('offers', 'owner_id', colocate_with => 'revisions');
SELECT create_distributed_table('monthly_prices', 'owner_id', colocate_with => 'revisions');
SELECT create_distributed_table('tier_lists', 'owner_id', colocate_with => 'revisions');
SELECT create_distributed_table('offer_versions', 'owner_id', colocate_with => 'revisions');
SELECT create_distributed_table('proposals', 'account_id', colocate_with => 'revisions');
SELECT create_distributed_table('usage_numbers', 'account_id', colocate_with => 'revisions');
SELECT create_distributed_table('usage_log', 'account_id', colocate_with => 'revisions');
SELECT create_distributed_table('usage_slices', 'account_id', colocate_with => 'revisions');

-- On the coordinator: migrations, subscriptions, rate_buckets, usage_batches, index_days, catalog_audit, kept_answers,
-- uploads, upload_files, upload_kept_files, webhooks, webhook_events, webhook_attempts.

DO $$
DECLARE kept record;
BEGIN
  FOR kept IN SELECT * FROM kept_references LOOP
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', kept.of, kept.name, kept.definition);
  END LOOP;
END $$;
