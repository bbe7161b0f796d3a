import type Database from 'better-sqlite3';
import { TERMS_COLUMNS, type TermsValues } from './offer-columns.ts';
import { CREATED, type OfferRows, REPLACED, type Replaced, type Replacement } from './offer-rows.ts';

type Prepare = (sql: string) => Database.Statement<unknown[]>;

const INSERTED = ['id', 'account_id', 'revision', 'created_at', 'updated_at', ...TERMS_COLUMNS];
const PAST = [...TERMS_COLUMNS, 'created_at', 'updated_at'];
/** Terms that a change may set: an offer keeps its supply type, which comes first, and mostly its company, the second. */
const [, ...MOVED] = TERMS_COLUMNS;
const [, ...CHANGED] = MOVED;

/**
 * One prepared statement for each offer, which is the fastest way into SQLite, and one for the versions of all of them:
 * SQLite copies rows without a detour through JavaScript.
 */
export function sqliteOfferRows(prepare: Prepare): OfferRows {
  return {
    insert: async (offers, { accountId, revision, at, keyId }) => {
      const insert = prepare(`insert into offers (${INSERTED}) values (${INSERTED.map(() => '?')})`);
      for (const { id, values } of offers) insert.run(id, accountId, revision, at, at, ...values);
      prepare(
        `insert into offer_versions (offer_id, revision, changed_at, key_id, before)
         select value, ?, ?, ?, '${CREATED}' from json_each(?)`,
      ).run(revision, at, keyId, idsOf(offers));
    },
    replace: async (offers, { shelfId, revision, at, keyId }) => {
      const { found, changed, isMove } = compare(prepare, offers, shelfId);
      if (changed.length === 0) return found;
      prepare(
        `insert into offer_versions (offer_id, revision, changed_at, key_id, before, ${PAST})
         select id, ?, ?, ?, '${REPLACED}', ${PAST} from offers where id in (select value from json_each(?))`,
      ).run(revision, at, keyId, idsOf(changed));
      // A column that is set, be it to what it was, has its index written anew and its reference looked up.
      const set = isMove ? MOVED : CHANGED;
      const update = prepare(
        `update offers set ${[...set, 'revision', 'updated_at'].map((name) => `${name} = ?`)} where id = ?`,
      );
      const first = TERMS_COLUMNS.length - set.length;
      for (const { id, values } of changed) update.run(...values.slice(first), revision, at, id);
      return found;
    },
  };
}

function idsOf(offers: readonly { readonly id: number }[]): string {
  return JSON.stringify(offers.map(({ id }) => id));
}

interface Comparison {
  readonly found: readonly Replaced[];
  readonly changed: readonly Replacement[];
  /** Whether one of the changed offers gets another company. */
  readonly isMove: boolean;
}

type StoredRow = readonly [number, string, string, ...TermsValues];
/** What comes before the terms in a stored row. */
const STAMPS = 3;

function compare(prepare: Prepare, offers: readonly Replacement[], shelfId: number): Comparison {
  const rows = prepare(
    `select id, created_at, updated_at, ${TERMS_COLUMNS} from offers
     where id in (select value from json_each(?)) and shelf_id = ?`,
  )
    .raw(true)
    .all(idsOf(offers), shelfId) as readonly StoredRow[];
  const stored = new Map(rows.map((row) => [row[0], row]));
  const found: Replaced[] = [];
  const changed: Replacement[] = [];
  let isMove = false;
  for (const offer of offers) {
    const { id, values, countsAlways } = offer;
    const row = stored.get(id);
    if (!row || row[STAMPS] !== values[0]) continue;
    const isChanged = countsAlways || !values.every((value, index) => value === row[STAMPS + index]);
    found.push({ id, createdAt: row[1], updatedAt: row[2], isChanged });
    if (!isChanged) continue;
    changed.push(offer);
    isMove ||= row[STAMPS + 1] !== values[1];
  }
  return { found, changed, isMove };
}
