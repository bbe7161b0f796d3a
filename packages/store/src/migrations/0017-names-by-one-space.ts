import { forBoth } from './engines.ts';

/** All characters that Unicode classes as a space (Zs). */
const SPACES = [
  ' ',
  '\u00a0',
  '\u1680',
  ...'\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a',
  '\u202f',
  '\u205f',
  '\u3000',
];

/** Each round halves the spaces in a row; a name has 200 characters. */
const ROUNDS = 8;

const withOneSpace = [
  ...SPACES.map((space) => [space, ' '] as const),
  ...Array.from({ length: ROUNDS }, () => ['  ', ' '] as const),
].reduce((text, [from, to]) => `replace(${text}, '${from}', '${to}')`, 'name_folded');

/**
 * The number and the width of spaces no longer count in names. Where two names would become equal, a name keeps
 * its own form, and both records stay as they are.
 */
export const namesByOneSpace = forBoth((own) =>
  ['firms', 'companies']
    .map((table) =>
      own({
        sqlite: `
UPDATE OR IGNORE ${table} SET name_folded = ${withOneSpace} WHERE name_folded <> ${withOneSpace};`,
        postgres: `
DO $$
DECLARE named record;
BEGIN
  FOR named IN SELECT id, name_folded FROM ${table} WHERE name_folded ~ '[${SPACES.join('')}]{2}|[${SPACES.slice(1).join('')}]' ORDER BY id LOOP
    BEGIN
      UPDATE ${table} SET name_folded = regexp_replace(named.name_folded, '[${SPACES.join('')}]+', ' ', 'g')
      WHERE id = named.id;
    EXCEPTION WHEN unique_violation THEN NULL;
    END;
  END LOOP;
END $$;`,
      }),
    )
    .join(''),
);
