/** An approximation of emojis: characters that may precede a variation selector, which no longer counts in names. */
export const EMOJIS =
  '[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u27bf\u2934-\u2b55\u3030-\u303d\u3297-\u3299\u{1f000}-\u{1faff}]';
const KEYCAP = '\u20e3';

/**
 * A variation selector no longer counts in names. Where two names would become equal, the second keeps its own.
 */
const foldedNames = ['firms', 'companies']
  .flatMap((table) => [
    ...['\ufe0e', '\ufe0f'].map(
      (selector) => `
UPDATE OR IGNORE ${table} SET name_folded = replace(name_folded, '${selector}', '')
WHERE name_folded GLOB '*${EMOJIS}${selector}*';`,
    ),
    `
UPDATE OR IGNORE ${table} SET name_folded = replace(name_folded, '\ufe0f${KEYCAP}', '${KEYCAP}')
WHERE name_folded GLOB '*[0-9#*]\ufe0f${KEYCAP}*';`,
  ])
  .join('');

/**
 * SQLite before 3.45 treats a missing JSON value as invalid JSON, so its programs called valid databases damaged. A
 * check cannot be changed, so each of the two columns is made anew; the table, its rows and references to them stay.
 */
const outcomes = ['result', 'error']
  .map(
    (column) => `
ALTER TABLE uploads ADD COLUMN new_${column} TEXT CHECK (new_${column} IS NULL OR json_valid(new_${column}));
UPDATE uploads SET new_${column} = ${column};
ALTER TABLE uploads DROP COLUMN ${column};
ALTER TABLE uploads RENAME COLUMN new_${column} TO ${column};`,
  )
  .join('');

export const soundChecks = `${outcomes}\n${foldedNames}`;
