import type Database from 'better-sqlite3';
import { PAST_COLUMNS, TERMS_COLUMNS, TIER_COLUMNS } from './offer-columns.ts';
import { CREATED, type NewOffer, type OfferRows, REPLACED } from './offer-rows.ts';

type Prepare = (sql: string) => Database.Statement<unknown[]>;

const INSERTED = ['id', 'account_id', 'revision', 'created_at', 'updated_at', ...TERMS_COLUMNS];
/** Never the supply type (the first column), and rarely the company (the second). */
const UPDATES = { moving: updateOf(TERMS_COLUMNS.slice(1)), staying: updateOf(TERMS_COLUMNS.slice(2)) };

/** Setting a column, even to its current value, updates its index and checks its foreign key. */
function updateOf(columns: readonly string[]): string {
  return `update offers set ${[...columns, 'revision', 'updated_at'].map((name) => `${name} = ?`)},
    masked_updated_at = case when ? then coalesce(masked_updated_at, updated_at) end,
    masked_revision = case when ? then coalesce(masked_revision, revision) end
    where id = ? and owner_id = ? and supply_type = ?`;
}

const KEPT_TIERS = TIER_COLUMNS.map((name, place) => `case when given.value ->> ${place + 1} then ${name} end`);
const VERSIONS = `insert into offer_versions
    (offer_id, revision, changed_at, key_id, before, ${TIER_COLUMNS}, ${PAST_COLUMNS})
  select offers.id, ?, ?, ?, '${REPLACED}', ${KEPT_TIERS}, ${PAST_COLUMNS}
  from json_each(?) as given join offers on offers.id = given.value ->> 0`;

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
      const given = JSON.stringify(offers.map(({ id, changedTiers }) => [id, ...changedTiers.map(Number)]));
      prepare(VERSIONS).run(revision, at, keyId, given);
      const [moving, staying] = [prepare(UPDATES.moving), prepare(UPDATES.staying)];
      let replaced = 0;
      for (const { id, values, isMasked, isMove } of offers) {
        const where = [revision, at, Number(isMasked), Number(isMasked), id, ownerId, values[0]];
        const { changes } = isMove
          ? moving.run(...values.slice(1), ...where)
          : staying.run(...values.slice(2), ...where);
        replaced += changes;
      }
      return replaced;
    },
  };
}

function idsOf(offers: readonly NewOffer[]): string {
  return JSON.stringify(offers.map(({ id }) => id));
}
