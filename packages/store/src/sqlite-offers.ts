import type Database from 'better-sqlite3';
import {
  CREATED,
  type NewOffer,
  namesOf,
  type OfferRows,
  REPLACED,
  type Replaced,
  type Replacement,
} from './offer-rows.ts';

type Prepare = (sql: string) => Database.Statement<unknown[]>;

/**
 * One prepared statement for each offer, which is the fastest way into SQLite, and one for the versions of all of them:
 * SQLite copies rows without a detour through JavaScript.
 */
export function sqliteOfferRows(prepare: Prepare): OfferRows {
  return {
    insert: async (offers, { accountId, revision, at, keyId }) => {
      const names = ['id', 'account_id', 'revision', 'created_at', 'updated_at', ...namesOf(offers)];
      const insert = prepare(`insert into offers (${names}) values (${names.map(() => '?')})`);
      for (const { id, columns } of offers) insert.run(id, accountId, revision, at, at, ...Object.values(columns));
      prepare(
        `insert into offer_versions (offer_id, revision, changed_at, key_id, before)
         select value, ?, ?, ?, '${CREATED}' from json_each(?)`,
      ).run(revision, at, keyId, idsOf(offers));
    },
    replace: async (offers, { shelfId, revision, at, keyId }) => {
      const names = namesOf(offers);
      const { found, changed, differing } = compare(offers, storedRows(prepare, offers, shelfId));
      if (changed.length === 0) return found;
      const past = [...names, 'created_at', 'updated_at'];
      prepare(
        `insert into offer_versions (offer_id, revision, changed_at, key_id, before, ${past})
         select id, ?, ?, ?, '${REPLACED}', ${past} from offers where id in (select value from json_each(?))`,
      ).run(revision, at, keyId, idsOf(changed));
      // What no offer changes is left out: neither its index is touched nor what it refers to looked up.
      const set = names.filter((_, index) => differing[index]);
      const update = prepare(
        `update offers set ${[...set, 'revision', 'updated_at'].map((name) => `${name} = ?`)} where id = ?`,
      );
      for (const { id, columns } of changed) {
        const values = Object.values(columns).filter((_, index) => differing[index]);
        update.run(...values, revision, at, id);
      }
      return found;
    },
  };
}

function idsOf(offers: readonly { readonly id: number }[]): string {
  return JSON.stringify(offers.map(({ id }) => id));
}

type Value = string | number | null;
/** `id`, `created_at`, `updated_at` and the columns of the terms. */
type StoredRow = readonly [number, string, string, ...Value[]];

function storedRows(prepare: Prepare, offers: readonly NewOffer[], shelfId: number): ReadonlyMap<number, StoredRow> {
  const rows = prepare(
    `select id, created_at, updated_at, ${namesOf(offers)} from offers
     where id in (select value from json_each(?)) and shelf_id = ?`,
  )
    .raw(true)
    .all(idsOf(offers), shelfId) as readonly StoredRow[];
  return new Map(rows.map((row) => [row[0], row]));
}
const BEFORE_TERMS = 3;

interface Comparison {
  readonly found: readonly Replaced[];
  readonly changed: readonly Replacement[];
  /** By column: whether one of the changed offers has another value in it. */
  readonly differing: readonly boolean[];
}

function compare(offers: readonly Replacement[], stored: ReadonlyMap<number, StoredRow>): Comparison {
  const names = namesOf(offers);
  const supplyType = names.indexOf('supply_type');
  const differing = names.map(() => false);
  const found: Replaced[] = [];
  const changed: Replacement[] = [];
  for (const offer of offers) {
    const row = stored.get(offer.id);
    const values: readonly Value[] = Object.values(offer.columns);
    if (!row || row[BEFORE_TERMS + supplyType] !== values[supplyType]) continue;
    let isChanged = offer.countsAlways;
    for (let index = 0; index < values.length; index++) {
      if (values[index] === row[BEFORE_TERMS + index]) continue;
      differing[index] = true;
      isChanged = true;
    }
    found.push({ id: offer.id, createdAt: row[1], updatedAt: row[2], isChanged });
    if (isChanged) changed.push(offer);
  }
  return { found, changed, differing };
}
