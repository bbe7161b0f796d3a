import { EMOJIS } from './0010-sound-checks.ts';

const SELECTOR = `(${EMOJIS})[\ufe0e\ufe0f]|([0-9#*])\ufe0f(?=\u20e3)`;

/** `0010-sound-checks.ts` for PostgreSQL, whose checks of JSON are right: the names as they are compared. */
export const soundChecksPostgres = ['firms', 'companies']
  .map(
    (table) => `
DO $$
DECLARE named record;
BEGIN
  FOR named IN SELECT id, name_folded FROM ${table} WHERE name_folded ~ '${SELECTOR}' ORDER BY id LOOP
    BEGIN
      UPDATE ${table} SET name_folded = regexp_replace(named.name_folded, '${SELECTOR}', '\\1\\2', 'g')
      WHERE id = named.id;
    EXCEPTION WHEN unique_violation THEN NULL;
    END;
  END LOOP;
END $$;`,
  )
  .join('');
