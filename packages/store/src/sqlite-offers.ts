import type Database from 'better-sqlite3';
import { PAST_COLUMNS, TERMS_COLUMNS, TIER_COLUMNS, VISIBLE_COLUMNS } from './offer-columns.ts';
import {
  CREATED,
  type NewOffer,
  type OfferRows,
  type OfferStamps,
  REPLACED,
  type ReplacedOffer,
  type Replacement,
  type TermsValues,
} from './offer-rows.ts';

type Prepare = (sql: string) => Database.Statement<unknown[]>;

const INSERTED = ['id', 'account_id', 'revision', 'created_at', 'updated_at', ...TERMS_COLUMNS];
/** The terms that a change may set: never the supply type (the first column), and rarely the company (the second). */
const [, ...MOVED] = TERMS_COLUMNS;
const [, ...CHANGED] = MOVED;

/**
 * One prepared statement per offer, which is fastest in SQLite, and one for the versions of all of them, which copies
 * rows inside the database.
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
    replace: async (offers, { ownerId, revision, at, keyId }) => {
      const { stored, changed, isMove } = compare(prepare, offers, ownerId);
      if (changed.length === 0) return stored;
      keepVersions(prepare, idsOf(changed), { ownerId, revision, at, keyId });
      // Setting a column, even to its current value, updates its index and checks its foreign key.
      const set = isMove ? MOVED : CHANGED;
      const first = TERMS_COLUMNS.length - set.length;
      const visible = VISIBLE_COLUMNS.filter((name) => set.includes(name));
      const places = visible.map((name) => TERMS_COLUMNS.indexOf(name));
      const isSame = visible.map((name) => `${name} is ?`).join(' and ');
      const update = prepare(
        `update offers set ${[...set, 'revision', 'updated_at'].map((name) => `${name} = ?`)},
         (masked_updated_at, masked_revision) =
           (select coalesce(masked_updated_at, updated_at), coalesce(masked_revision, revision) where ${isSame})
         where id = ?`,
      );
      for (const { id, values } of changed) {
        update.run(...values.slice(first), revision, at, ...places.map((place) => values[place]), id);
      }
      const masked = maskedStamps(prepare, changed);
      return stored.map((one) => (one.isChanged ? { ...one, maskedUpdatedAt: masked.get(one.id) ?? null } : one));
    },
  };
}

type VersionStamps = Pick<OfferStamps, 'ownerId' | 'revision' | 'at' | 'keyId'>;

/** @param ids - Of offers of the owner, as JSON. */
function keepVersions(prepare: Prepare, ids: string, { ownerId, revision, at, keyId }: VersionStamps): void {
  const texts = TIER_COLUMNS.map((name) => `select ${name} as tiers from offers where id in (select id from given)`);
  prepare(
    `with given as (select value as id from json_each(?))
     insert into tier_lists (shelf_id, digest, tiers)
     select ?, sha256(tiers), tiers from (${texts.join(' union ')}) where tiers is not null
     on conflict do nothing`,
  ).run(ids, ownerId);
  const named = TIER_COLUMNS.map(
    (name) => `(select id from tier_lists where shelf_id = offers.shelf_id and digest = sha256(offers.${name}))`,
  );
  prepare(
    `insert into offer_versions
       (offer_id, revision, changed_at, key_id, before, ${TIER_COLUMNS.map((name) => `${name}_id`)}, ${PAST_COLUMNS})
     select id, ?, ?, ?, '${REPLACED}', ${named}, ${PAST_COLUMNS}
     from offers where id in (select value from json_each(?))`,
  ).run(revision, at, keyId, ids);
}

function maskedStamps(prepare: Prepare, offers: readonly NewOffer[]): ReadonlyMap<number, string> {
  const rows = prepare(
    `select id, masked_updated_at from offers
     where id in (select value from json_each(?)) and masked_updated_at is not null`,
  )
    .raw(true)
    .all(idsOf(offers)) as readonly (readonly [number, string])[];
  return new Map(rows);
}

function idsOf(offers: readonly { readonly id: number }[]): string {
  return JSON.stringify(offers.map(({ id }) => id));
}

interface Comparison {
  readonly stored: readonly ReplacedOffer[];
  readonly changed: readonly Replacement[];
  /** Whether one of the changed offers moves to another company. */
  readonly isMove: boolean;
}

type StoredRow = readonly [
  id: number,
  createdAt: string,
  updatedAt: string,
  maskedUpdatedAt: string | null,
  supply: string,
  company: number,
  ...TermsValues,
];

/**
 * Columns that rarely agree in two price lists. If one of them differs, the offer has changed and the others need not
 * be read.
 */
const TELLING = ['commission_value', 'energy_1', 'power_1', 'gas_energy'] as const;
const TELLING_PLACES = TELLING.map((name) => TERMS_COLUMNS.indexOf(name));
/** The columns before them in a stored row. */
const KNOWN = 6;

function compare(prepare: Prepare, offers: readonly Replacement[], ownerId: number): Comparison {
  const rows = prepare(
    `select id, created_at, updated_at, masked_updated_at, supply_type, company_id, ${TELLING} from offers
     where id in (select value from json_each(?)) and shelf_id = ?`,
  )
    .raw(true)
    .all(idsOf(offers), ownerId) as readonly StoredRow[];
  const rowsById = new Map(rows.map((row) => [row[0], row]));
  const isOther = ({ id, values }: Replacement) => {
    const row = rowsById.get(id);
    return row !== undefined && TELLING_PLACES.some((place, index) => values[place] !== row[KNOWN + index]);
  };
  const equal = equalOffers(
    prepare,
    offers.filter((offer) => !offer.countsAlways && !isOther(offer)),
  );
  const stored: ReplacedOffer[] = [];
  const changed: Replacement[] = [];
  let isMove = false;
  for (const offer of offers) {
    const row = rowsById.get(offer.id);
    if (!row || row[4] !== offer.values[0]) continue;
    const isChanged = !equal.has(offer.id);
    stored.push({ id: offer.id, createdAt: row[1], updatedAt: row[2], maskedUpdatedAt: row[3], isChanged });
    if (!isChanged) continue;
    changed.push(offer);
    isMove ||= row[5] !== offer.values[1];
  }
  return { stored, changed, isMove };
}

/** The ids of offers whose stored terms equal the given ones. */
function equalOffers(prepare: Prepare, offers: readonly NewOffer[]): ReadonlySet<number> {
  if (offers.length === 0) return new Set();
  const rows = prepare(`select id, ${TERMS_COLUMNS} from offers where id in (select value from json_each(?))`)
    .raw(true)
    .all(idsOf(offers)) as readonly (readonly [number, ...TermsValues])[];
  const rowsById = new Map(rows.map((row) => [row[0], row]));
  const isEqual = ({ id, values }: NewOffer) => {
    const row = rowsById.get(id);
    return row !== undefined && values.every((value, index) => value === row[1 + index]);
  };
  return new Set(offers.filter(isEqual).map(({ id }) => id));
}
