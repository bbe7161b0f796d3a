import { forBoth } from './engines.ts';

const COUNTING = ['versions_take_bytes', 'tiers_take_bytes', 'proposals_take_bytes', 'deleted_proposals_free_bytes'];
const ON_SQLITE = [
  'usage_log_slices',
  ...['companies', 'offers', 'months', 'deleted_months'].map((name) => `${name}_are_counted`),
  ...['first_revisions_are_marked', 'revisions_are_marked'],
];
const ON_POSTGRES = ['count_companies', 'count_offers', 'count_months', 'count_deleted_months'];

/** Locked at once, in the order in which most reads lock them: a deadlock costs no work then. */
export const LOCK_TABLES =
  'LOCK TABLE offers, monthly_prices, offer_versions, tier_lists, companies, catalog_subscriptions, proposals;';

/**
 * Earlier releases count what they write by triggers. Deeper are the deletions that follow from that of an account.
 * Calls they record on: those that they could not would be lost when they stop.
 */
const BESIDE_EARLIER_RELEASES = `
CREATE TRIGGER earlier_releases_wait BEFORE INSERT OR DELETE ON proposals FOR EACH STATEMENT
WHEN (pg_trigger_depth() = 0 AND current_setting('tarifario.locks', true) IS DISTINCT FROM 'rows')
EXECUTE FUNCTION earlier_releases_wait();
CREATE OR REPLACE TRIGGER usage_log_slices AFTER INSERT ON usage_log REFERENCING NEW TABLE AS added FOR EACH STATEMENT
WHEN (current_setting('tarifario.locks', true) IS DISTINCT FROM 'rows') EXECUTE FUNCTION usage_log_slices();`;

/** Its trigger stays: to drop it would let each call wait, because all read `revisions`, until every table is migrated. */
const MARKS_NOTHING = `
CREATE OR REPLACE FUNCTION mark_revision() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;`;

/**
 * Units of work count and mark what they write: a database that is divided has no triggers. There no statement changes
 * what is append-only, as a test looks after; SQLite goes on to refuse it.
 */
export const countedByStatements = forBoth((own) =>
  own({
    sqlite: [...COUNTING, ...ON_SQLITE].map((name) => `DROP TRIGGER ${name};`).join('\n'),
    postgres: `${LOCK_TABLES}DROP FUNCTION ${[...COUNTING, ...ON_POSTGRES, 'refuse_change'].join(', ')} CASCADE;${MARKS_NOTHING}${BESIDE_EARLIER_RELEASES}`,
  }),
);
