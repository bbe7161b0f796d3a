import type Database from 'better-sqlite3';
import { PAST_COLUMNS, TERMS_COLUMNS, TIER_COLUMNS } from './offer-columns.ts';
import { CREATED, type NewOffer, type OfferRows, REPLACED } from './offer-rows.ts';

type Prepare = (sql: string) => Database.Statement<unknown[]>;

const INSERTED = ['id', 'account_id', 'revision', 'created_at', 'updated_at', ...TERMS_COLUMNS];

function updateOf(columns: readonly string[]): string {
  return `update offers set ${[...columns, 'revision', 'updated_at'].map((name) => `${name} = ?`)},
    masked_updated_at = case when ? then coalesce(masked_updated_at, updated_at) end,
    masked_revision = case when ? then coalesce(masked_revision, revision) end
    where id = ? and owner_id = ? and supply_type = ?`;
}

const KEPT_TIERS = TIER_COLUMNS.map((name) => `case when given.value ->> 1 then ${name} end`);
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
    replace: async ({ columns, offers }, { ownerId, revision, at, keyId }) => {
      const given = JSON.stringify(offers.map(({ id, keepsTiers }) => [id, Number(keepsTiers)]));
      prepare(VERSIONS).run(revision, at, keyId, given);
      const update = prepare(updateOf(columns.slice(1)));
      let replaced = 0;
      for (const { id, values, isMasked } of offers) {
        const masked = Number(isMasked);
        replaced += update.run(values.slice(1), revision, at, masked, masked, id, ownerId, values[0]).changes;
      }
      return replaced;
    },
  };
}

function idsOf(offers: readonly NewOffer[]): string {
  return JSON.stringify(offers.map(({ id }) => id));
}
