import type Database from 'better-sqlite3';
import { PAST_COLUMNS, TERMS_COLUMNS, TIER_COLUMNS } from './offer-columns.ts';
import { CREATED, type OfferRows, type OfferStamps, REPLACED } from './offer-rows.ts';

type Prepare = (sql: string) => Database.Statement<unknown[]>;

const INSERTED = ['id', 'account_id', 'revision', 'created_at', 'updated_at', ...TERMS_COLUMNS];
/** Never the supply type (the first column), and rarely the company (the second). */
const UPDATES = { moving: updateOf(TERMS_COLUMNS.slice(1)), staying: updateOf(TERMS_COLUMNS.slice(2)) };

/** Setting a column, even to its current value, updates its index and checks its foreign key. */
function updateOf(columns: readonly string[]): string {
  return `update offers set ${[...columns, 'revision', 'updated_at'].map((name) => `${name} = ?`)},
    (masked_updated_at, masked_revision) =
      (select coalesce(masked_updated_at, updated_at), coalesce(masked_revision, revision) where ?)
    where id = ? and owner_id = ? and supply_type = ?`;
}

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
      keepVersions(prepare, idsOf(offers), { ownerId, revision, at, keyId });
      const [moving, staying] = [prepare(UPDATES.moving), prepare(UPDATES.staying)];
      let replaced = 0;
      for (const { id, values, isMasked, isMove } of offers) {
        const where = [revision, at, Number(isMasked), id, ownerId, values[0]];
        const { changes } = isMove
          ? moving.run(...values.slice(1), ...where)
          : staying.run(...values.slice(2), ...where);
        replaced += changes;
      }
      return replaced;
    },
  };
}

type VersionStamps = Pick<OfferStamps, 'ownerId' | 'revision' | 'at' | 'keyId'>;

/** @param ids - Of offers of the owner, as JSON. */
function keepVersions(prepare: Prepare, ids: string, { ownerId, revision, at, keyId }: VersionStamps): void {
  const texts = TIER_COLUMNS.map((name) => `select ${name} as tiers from offers where id in (select id from given)`);
  prepare(
    `with given as (select value as id from json_each(?))
     insert into tier_lists (owner_id, digest, tiers)
     select ?, sha256(tiers), tiers from (${texts.join(' union ')}) where tiers is not null
     on conflict do nothing`,
  ).run(ids, ownerId);
  const named = TIER_COLUMNS.map(
    (name) => `(select id from tier_lists where owner_id = offers.owner_id and digest = sha256(offers.${name}))`,
  );
  prepare(
    `insert into offer_versions
       (offer_id, revision, changed_at, key_id, before, ${TIER_COLUMNS.map((name) => `${name}_id`)}, ${PAST_COLUMNS})
     select id, ?, ?, ?, '${REPLACED}', ${named}, ${PAST_COLUMNS}
     from offers where id in (select value from json_each(?))`,
  ).run(revision, at, keyId, ids);
}

function idsOf(offers: readonly { readonly id: number }[]): string {
  return JSON.stringify(offers.map(({ id }) => id));
}
