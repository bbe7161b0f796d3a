import { forBoth } from './engines.ts';

/** What a row of a version takes besides its texts, in both engines about. */
const ROW_BYTES = 500;
const TEXTS = ['consumption_tiers', 'power_tiers', 'offer_name', 'requirements'];

const versionBytes = (row: string) =>
  [
    `${ROW_BYTES} + octet_length(${row}.before)`,
    ...TEXTS.map((name) => `coalesce(octet_length(${row}.${name}), 0)`),
  ].join(' + ');
const proposalBytes = (row: string) => `octet_length(${row}.companies) + octet_length(${row}.content)`;

/** @param bytes - A query for `owner_id` and the bytes. */
const adding = (column: 'history' | 'proposals', bytes: string) => `
INSERT INTO stored_bytes (owner_id, ${column}) ${bytes}
ON CONFLICT (owner_id) DO UPDATE SET ${column} = stored_bytes.${column} + excluded.${column};`;

const onSqlite = (name: string, event: string, work: string) => `
CREATE TRIGGER ${name} AFTER ${event}
BEGIN ${work.trim()} END;`;

/** Once for each statement, whose rows are `touched`. */
const onPostgres = (name: string, event: string, work: string) => `
CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN ${work.trim()}
  RETURN NULL;
END $$;
CREATE TRIGGER ${name} AFTER ${event} REFERENCING ${event.startsWith('DELETE') ? 'OLD' : 'NEW'} TABLE AS touched
FOR EACH STATEMENT EXECUTE FUNCTION ${name}();`;

/**
 * The bytes of an owner's history and proposals, so that a quota is one look, as the counts of `revisions`. Triggers add
 * them up, also what an earlier release writes beside this one. A quota that is null is that of the plan.
 */
export const storedBytes = forBoth(
  (own) => `
ALTER TABLE subscriptions ADD COLUMN history_quota bigint;
ALTER TABLE subscriptions ADD COLUMN proposals_quota bigint;

CREATE TABLE stored_bytes (
  owner_id bigint PRIMARY KEY,
  history bigint NOT NULL DEFAULT 0,
  proposals bigint NOT NULL DEFAULT 0
);

INSERT INTO stored_bytes (owner_id, history, proposals)
SELECT owner_id, sum(history), sum(proposals) FROM (
  SELECT offers.owner_id, ${versionBytes('version')} AS history, 0 AS proposals
  FROM offer_versions AS version JOIN offers ON offers.id = version.offer_id
  UNION ALL SELECT owner_id, octet_length(tiers), 0 FROM tier_lists
  UNION ALL SELECT account_id, 0, ${proposalBytes('proposals')} FROM proposals
) AS stored GROUP BY owner_id;
${own({
  sqlite: [
    onSqlite(
      'versions_take_bytes',
      'INSERT ON offer_versions',
      adding('history', `SELECT owner_id, ${versionBytes('new')} FROM offers WHERE id = new.offer_id`),
    ),
    onSqlite(
      'tiers_take_bytes',
      'INSERT ON tier_lists',
      adding('history', 'VALUES (new.owner_id, octet_length(new.tiers))'),
    ),
    onSqlite(
      'proposals_take_bytes',
      'INSERT ON proposals',
      adding('proposals', `VALUES (new.account_id, ${proposalBytes('new')})`),
    ),
    onSqlite(
      'deleted_proposals_free_bytes',
      'DELETE ON proposals',
      `UPDATE stored_bytes SET proposals = proposals - (${proposalBytes('old')}) WHERE owner_id = old.account_id;`,
    ),
  ].join(''),
  postgres: [
    onPostgres(
      'versions_take_bytes',
      'INSERT ON offer_versions',
      adding(
        'history',
        `SELECT owner_id, sum(${versionBytes('touched')}) FROM touched JOIN offers ON offers.id = touched.offer_id
  GROUP BY owner_id`,
      ),
    ),
    onPostgres(
      'tiers_take_bytes',
      'INSERT ON tier_lists',
      adding('history', 'SELECT owner_id, sum(octet_length(tiers)) FROM touched GROUP BY owner_id'),
    ),
    onPostgres(
      'proposals_take_bytes',
      'INSERT ON proposals',
      adding('proposals', `SELECT account_id, sum(${proposalBytes('touched')}) FROM touched GROUP BY account_id`),
    ),
    onPostgres(
      'deleted_proposals_free_bytes',
      'DELETE ON proposals',
      `UPDATE stored_bytes SET proposals = stored_bytes.proposals - freed.bytes
  FROM (SELECT account_id, sum(${proposalBytes('touched')}) AS bytes FROM touched GROUP BY account_id) AS freed
  WHERE owner_id = freed.account_id;`,
    ),
  ].join(''),
})}`,
);
