import { copierOf } from '@tarifario/core/service';
import type pg from 'pg';
import { PAST_COLUMNS, TERMS_COLUMNS, TIER_COLUMNS } from './offer-columns.ts';
import { CREATED, type NewOffer, type OfferRows, REPLACED } from './offer-rows.ts';

type Query = (text: string, parameters: readonly unknown[]) => Promise<Pick<pg.QueryResult, 'rows'>>;

const BLANK_ROW = copierOf(Object.fromEntries(['id', ...TERMS_COLUMNS].map((name) => [name, null])));

/**
 * One statement for many offers, passed as JSON: the database stores the versions and writes.
 */
export function postgresOfferRows(query: Query): OfferRows {
  return {
    insert: async (offers, { accountId, revision, at, keyId }) => {
      await query(
        `with given as materialized (${given(5)}),
         made as (
           insert into offers (id, account_id, revision, created_at, updated_at, ${TERMS_COLUMNS})
           select id, $1::bigint, $2::bigint, $3::text, $3::text, ${TERMS_COLUMNS} from given
         )
         insert into offer_versions (offer_id, revision, changed_at, key_id, before)
         select id, $2::bigint, $3::text, $4::bigint, '${CREATED}' from given`,
        [accountId, revision, at, keyId, toJson(offers)],
      );
    },
    replace: async (offers, { ownerId, revision, at, keyId }) => {
      const masked = offers.flatMap(({ id, isMasked }) => (isMasked ? [id] : []));
      const { rows } = await query(
        `with given as materialized (${given(6)}),
         past as materialized (
           select stored.*, ${TIER_COLUMNS.map((name) => `nullif(stored.${name}, given.${name}) as former_${name}`)},
             stored.id = any($5::bigint[]) as is_masked
           from given, lateral (
             select id, owner_id, ${TIER_COLUMNS}, ${PAST_COLUMNS} from offers where offers.id = given.id offset 0
           ) as stored
           where stored.owner_id = $1::bigint and stored.supply_type = given.supply_type
         ),
         kept as (
           insert into offer_versions
             (offer_id, revision, changed_at, key_id, before, ${TIER_COLUMNS}, ${PAST_COLUMNS})
           select id, $2::bigint, $3::text, $4::bigint, '${REPLACED}', ${TIER_COLUMNS.map((name) => `former_${name}`)}, ${PAST_COLUMNS}
           from past
         ),
         changed as (
           update offers set ${TERMS_COLUMNS.map((name) => `${name} = given.${name}`)}, revision = $2::bigint, updated_at = $3::text,
             masked_updated_at = case when past.is_masked then coalesce(offers.masked_updated_at, offers.updated_at) end,
             masked_revision = case when past.is_masked then coalesce(offers.masked_revision, offers.revision) end
           from past join given on given.id = past.id
           where offers.id = past.id
           returning offers.id
         )
         select count(*) as count from changed`,
        [ownerId, revision, at, keyId, masked, toJson(offers)],
      );
      return Number(rows[0]?.count);
    },
  };
}

/** Offers as a table: one parameter, a list of rows as JSON. */
function given(place: number): string {
  return `select id, ${TERMS_COLUMNS} from json_populate_recordset(null::offers, $${place})`;
}

function toJson(offers: readonly NewOffer[]): string {
  const rows = offers.map(({ id, values }) => {
    const row = BLANK_ROW();
    row.id = id;
    for (const [index, name] of TERMS_COLUMNS.entries()) row[name] = values[index];
    return row;
  });
  return JSON.stringify(rows);
}
