/**
 * A file that the very first programs made may hold several subscriptions of an account, and periods without an end.
 * Of several the last one counts, as it did then. Every other file is as it was afterwards.
 */
export const oneSubscription = `
DELETE FROM subscriptions WHERE id NOT IN (SELECT max(id) FROM subscriptions GROUP BY account_id);
UPDATE subscriptions SET current_period_end = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '+30 days')
WHERE current_period_end IS NULL;
DROP INDEX subscriptions_account;
CREATE UNIQUE INDEX subscriptions_account ON subscriptions (account_id);`;
