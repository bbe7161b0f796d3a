/**
 * Counters of calls that all replicas share. A bucket is a key and the length of its window; its window ends at
 * `ends_at` by the clock of the database, which is the only clock that counts.
 *
 * `take_points` takes one point from each bucket, or none from any. It locks them in one order, whoever asks, so that
 * no two calls wait for each other in a circle, and looks at the clock when it has a lock and not when it was called.
 * A crash may lose the points of the last moments (`synchronous_commit`): waiting for the disk at every call would cost
 * more than the call.
 */
export const sharedLimitsPostgres = `
CREATE TABLE rate_buckets (
  key text COLLATE "C" NOT NULL,
  window_seconds integer NOT NULL,
  used bigint NOT NULL CHECK (used >= 0),
  ends_at timestamptz NOT NULL,
  PRIMARY KEY (key, window_seconds)
) WITH (fillfactor = 50);

CREATE FUNCTION take_points(keys text[], windows integer[], points bigint[])
RETURNS TABLE (key text, window_seconds integer, used bigint, ends_in_ms double precision, is_accepted boolean)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  is_accepted boolean;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  WITH taken AS (
    INSERT INTO rate_buckets AS bucket (key, window_seconds, used, ends_at)
    SELECT asked.key, asked.seconds, 1, clock_timestamp() + make_interval(secs => asked.seconds)
    FROM unnest(keys, windows) AS asked (key, seconds)
    ORDER BY 1, 2
    ON CONFLICT (key, window_seconds) DO UPDATE SET (used, ends_at) = (
      SELECT
        CASE WHEN bucket.ends_at > clock.now THEN bucket.used + 1 ELSE 1 END,
        CASE WHEN bucket.ends_at > clock.now THEN bucket.ends_at
          ELSE clock.now + make_interval(secs => bucket.window_seconds) END
      FROM (SELECT clock_timestamp() AS now) AS clock
    )
    RETURNING bucket.key, bucket.window_seconds, bucket.used
  )
  SELECT bool_and(taken.used <= asked.points) INTO is_accepted
  FROM taken
  JOIN unnest(keys, windows, points) AS asked (key, seconds, points)
    ON taken.key = asked.key AND taken.window_seconds = asked.seconds;

  IF NOT is_accepted THEN
    UPDATE rate_buckets AS bucket
    SET used = bucket.used - 1,
      ends_at = CASE WHEN bucket.used = 1 THEN '-infinity'::timestamptz ELSE bucket.ends_at END
    FROM unnest(keys, windows) AS asked (key, seconds)
    WHERE bucket.key = asked.key AND bucket.window_seconds = asked.seconds;
  END IF;

  RETURN QUERY
  SELECT asked.key, asked.seconds, bucket.used,
    extract(epoch FROM bucket.ends_at - clock_timestamp())::double precision * 1000, is_accepted
  FROM unnest(keys, windows) AS asked (key, seconds)
  LEFT JOIN rate_buckets AS bucket
    ON bucket.key = asked.key AND bucket.window_seconds = asked.seconds AND bucket.ends_at > clock_timestamp();
END $$;`;
