/** Where a distributed engine has each table, as `docs/operations.md` says of Citus. */

/** Divided by owner, all rows of one owner in one place: the column that says whose a row is. */
export const OWNER_COLUMNS: ReadonlyMap<string, string> = new Map([
  ...['companies', 'offers', 'monthly_prices', 'offer_versions'].map((table) => [table, 'owner_id'] as const),
  ...['revisions', 'revision_marks', 'stored_bytes', 'tier_lists', 'write_locks'].map(
    (table) => [table, 'owner_id'] as const,
  ),
  ...['firms', 'catalog_subscriptions', 'proposals'].map((table) => [table, 'account_id'] as const),
  ...['usage_log', 'usage_numbers', 'usage_slices'].map((table) => [table, 'account_id'] as const),
]);

/** Copied to each node, because every call or every owner needs them. */
export const REFERENCE_TABLES: ReadonlySet<string> = new Set(['accounts', 'api_keys', 'usage_endpoints']);

/** On one node: of the installation, or taken from by whoever is first. */
export const LOCAL_TABLES: ReadonlySet<string> = new Set([
  ...['migrations', 'subscriptions', 'rate_buckets', 'usage_batches', 'index_days', 'catalog_audit', 'kept_answers'],
  ...['uploads', 'upload_files', 'upload_kept_files', 'webhooks', 'webhook_events', 'webhook_attempts'],
]);
