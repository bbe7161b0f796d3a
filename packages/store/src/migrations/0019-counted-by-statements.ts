import { forBoth } from './engines.ts';

const COUNTING = [
  ...['usage_log_slices', 'versions_take_bytes', 'tiers_take_bytes'],
  ...['proposals_take_bytes', 'deleted_proposals_free_bytes'],
];
const ON_SQLITE = [
  ...['companies', 'offers', 'months', 'deleted_months'].map((name) => `${name}_are_counted`),
  ...['first_revisions_are_marked', 'revisions_are_marked'],
];
const ON_POSTGRES = ['count_companies', 'count_offers', 'count_months', 'count_deleted_months', 'mark_revision'];

/** Earlier releases count what they write by triggers. Deeper are the deletions that follow from that of an account. */
const waiting = (table: string) => `
CREATE TRIGGER earlier_releases_wait BEFORE INSERT OR DELETE ON ${table} FOR EACH STATEMENT
WHEN (pg_trigger_depth() = 0 AND current_setting('tarifario.locks', true) IS DISTINCT FROM 'rows')
EXECUTE FUNCTION earlier_releases_wait();`;

/**
 * Units of work count and mark what they write: a database that is divided has no triggers. There no statement changes
 * what is append-only, as a test looks after; SQLite goes on to refuse it.
 */
export const countedByStatements = forBoth((own) =>
  own({
    sqlite: [...COUNTING, ...ON_SQLITE].map((name) => `DROP TRIGGER ${name};`).join('\n'),
    postgres: `DROP FUNCTION ${[...COUNTING, ...ON_POSTGRES, 'refuse_change'].join(', ')} CASCADE;
${['proposals', 'usage_log'].map(waiting).join('')}`,
  }),
);
