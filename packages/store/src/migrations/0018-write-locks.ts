import { forBoth } from './engines.ts';

/**
 * A row for each owner that units of work are about, which each of them locks and leaves its mark in. SQLite has one
 * writer.
 *
 * Earlier releases have other locks, so they may read beside this one and not write: they answer that the database only
 * reads for now. Their lock of everything comes first, so that no unit of work is in the way of what follows with a table
 * in use.
 */
const LOCKS = `
SELECT pg_advisory_xact_lock(7300000000000000);
CREATE TABLE write_locks (
  owner_id bigint PRIMARY KEY,
  writes bigint NOT NULL,
  marks uuid[] NOT NULL
) WITH (fillfactor = 50);

CREATE FUNCTION earlier_releases_wait() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'earlier releases only read' USING ERRCODE = 'read_only_sql_transaction';
END $$;
CREATE TRIGGER earlier_releases_wait BEFORE INSERT ON revisions FOR EACH STATEMENT
WHEN (current_setting('tarifario.locks', true) IS DISTINCT FROM 'rows') EXECUTE FUNCTION earlier_releases_wait();`;

export const writeLocks = forBoth((own) => own({ sqlite: '', postgres: LOCKS }));
