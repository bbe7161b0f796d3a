import { copierOf } from '@tarifario/core/service';
import type pg from 'pg';
import { PAST_COLUMNS, TERMS_COLUMNS, TIER_COLUMNS } from './offer-columns.ts';
import { type ChangedOffer, CREATED, type NewOffer, type OfferRows, REPLACED } from './offer-rows.ts';

type Query = (text: string, parameters: readonly unknown[]) => Promise<Pick<pg.QueryResult, 'rows'>>;

/**
 * One statement for many offers, passed as JSON: the database stores the versions and writes.
 */
export function postgresOfferRows(query: Query): OfferRows {
  return {
    insert: async (offers, { accountId, revision, at, keyId }) => {
      await query(
        `with given as materialized (${given(TERMS_COLUMNS, 5)}),
         made as (
           insert into offers (id, account_id, revision, created_at, updated_at, ${TERMS_COLUMNS})
           select id, $1::bigint, $2::bigint, $3::text, $3::text, ${TERMS_COLUMNS} from given
         )
         insert into offer_versions (offer_id, revision, changed_at, key_id, before)
         select id, $2::bigint, $3::text, $4::bigint, '${CREATED}' from given`,
        [accountId, revision, at, keyId, toJson(TERMS_COLUMNS, offers)],
      );
    },
    replace: async ({ columns, offers }, { ownerId, revision, at, keyId }) => {
      const idsWhere = (isSo: (offer: ChangedOffer) => boolean) => offers.filter(isSo).map(({ id }) => id);
      const { rows } = await query(
        `with given as materialized (${given(columns, 7)}),
         past as materialized (
           select stored.*, stored.id = any($5::bigint[]) as is_masked, stored.id = any($6::bigint[]) as keeps_tiers
           from given, lateral (
             select id, owner_id, ${TIER_COLUMNS}, ${PAST_COLUMNS} from offers where offers.id = given.id offset 0
           ) as stored
           where stored.owner_id = $1::bigint and stored.supply_type = given.supply_type
         ),
         kept as (
           insert into offer_versions
             (offer_id, revision, changed_at, key_id, before, ${TIER_COLUMNS}, ${PAST_COLUMNS})
           select id, $2::bigint, $3::text, $4::bigint, '${REPLACED}', ${TIER_COLUMNS.map((name) => `case when keeps_tiers then ${name} end`)}, ${PAST_COLUMNS}
           from past
         ),
         changed as (
           update offers set ${columns.map((name) => `${name} = given.${name}`)}, revision = $2::bigint, updated_at = $3::text,
             masked_updated_at = case when past.is_masked then coalesce(offers.masked_updated_at, offers.updated_at) end,
             masked_revision = case when past.is_masked then coalesce(offers.masked_revision, offers.revision) end
           from past join given on given.id = past.id
           where offers.id = past.id
           returning offers.id
         )
         select count(*) as count from changed`,
        [
          ...[ownerId, revision, at, keyId],
          ...[idsWhere(({ isMasked }) => isMasked), idsWhere(({ keepsTiers }) => keepsTiers), toJson(columns, offers)],
        ],
      );
      return Number(rows[0]?.count);
    },
  };
}

/** Offers as a table: one parameter, a list of rows as JSON. */
function given(columns: readonly string[], place: number): string {
  return `select id, ${columns} from json_populate_recordset(null::offers, $${place})`;
}

function toJson(columns: readonly string[], offers: readonly NewOffer[]): string {
  const blankRow = copierOf(Object.fromEntries(['id', ...columns].map((name) => [name, null])));
  const rows = offers.map(({ id, values }) => {
    const row = blankRow();
    row.id = id;
    for (const [index, name] of columns.entries()) row[name] = values[index];
    return row;
  });
  return JSON.stringify(rows);
}
