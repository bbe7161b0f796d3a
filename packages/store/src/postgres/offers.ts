import { copierOf } from '@tarifario/core/service';
import type pg from 'pg';
import { PAST_COLUMNS, TERMS_COLUMNS, TIER_COLUMNS } from '../offer-columns.ts';
import {
  type ChangedOffer,
  CREATED,
  LEAST_SHARED,
  type NewOffer,
  type OfferRows,
  REPLACED,
  VERSION_BYTES,
  VERSION_BYTES_SQL,
} from '../offer-rows.ts';

type Query = (text: string, parameters: readonly unknown[]) => Promise<Pick<pg.QueryResult, 'rows'>>;

/**
 * One statement for many offers, passed as JSON: the database stores the versions and writes.
 */
export function postgresOfferRows(query: Query): OfferRows {
  return {
    insert: async (offers, { accountId, ownerId, revision, at, keyId }) => {
      await query(
        `with given as materialized (${given(TERMS_COLUMNS, 5)}),
         counted as (
           update revisions set offers = revisions.offers + (select count(*) from given) where owner_id = $6::bigint
         ),
         ${storing(`select count(*) * ${VERSION_BYTES + CREATED.length} from given`, 6)},
         made as (
           insert into offers (id, account_id, owner_id, revision, created_at, updated_at, ${TERMS_COLUMNS})
           select id, $1::bigint, $6::bigint, $2::bigint, $3::text, $3::text, ${TERMS_COLUMNS} from given
         )
         insert into offer_versions (owner_id, offer_id, revision, changed_at, key_id, before)
         select $6::bigint, id, $2::bigint, $3::text, $4::bigint, '${CREATED}' from given`,
        [accountId, revision, at, keyId, toJson(TERMS_COLUMNS, offers), ownerId],
      );
    },
    replace: async ({ columns, offers }, { ownerId, revision, at, keyId }) => {
      const idsWhere = (isSo: (offer: ChangedOffer) => boolean) => offers.filter(isSo).map(({ id }) => id);
      const { rows } = await query(
        `with given as materialized (${given(columns, 7)}),
         past as materialized (
           select stored.*, stored.id = any($5::bigint[]) as is_masked, stored.id = any($6::bigint[]) as is_blind,
             ${TIER_COLUMNS.map((name, at) => `stored.id = any($${8 + at}::bigint[]) as ${keeps(name)}`)}
           from given, lateral (
             select id, ${TIER_COLUMNS}, ${PAST_COLUMNS} from offers where offers.owner_id = $1::bigint and offers.id = given.id offset 0
           ) as stored
           where stored.supply_type = given.supply_type
         ),
         ${SHARED_LISTS},
         kept as (
           insert into offer_versions
             (owner_id, offer_id, revision, changed_at, key_id, before, ${TIER_COLUMNS}, ${TIER_COLUMNS.map((name) => `${name}_id`)}, ${PAST_COLUMNS})
           select $1::bigint, past.id, $2::bigint, $3::text, $4::bigint, '${REPLACED}',
             ${TIER_COLUMNS.map((name) => `case when ${keeps(name)} and ${listOf(name)}.id is null then ${name} end`)},
             ${TIER_COLUMNS.map((name) => `${listOf(name)}.id`)}, ${PAST_COLUMNS}
           from past ${TIER_COLUMNS.map((name) => `left join lists as ${listOf(name)} on ${keeps(name)} and ${listOf(name)}.tiers = past.${name}`).join(' ')}
           returning ${VERSION_BYTES_SQL} as bytes
         ),
         ${storing(
           `select coalesce(sum(bytes), 0) from (
           select bytes from kept union all select octet_length(tiers) from added join shared using (digest)
         ) as each`,
           1,
         )},
         changed as (
           update offers set ${columns.map((name) => `${name} = given.${name}`)}, revision = $2::bigint, updated_at = $3::text,
             masked_updated_at = case when past.is_masked then coalesce(offers.masked_updated_at, offers.updated_at) end,
             masked_revision = case when past.is_masked then coalesce(offers.masked_revision, offers.revision) end,
             blind_revision = case when past.is_blind then $2::bigint else offers.blind_revision end
           from past join given on given.id = past.id
           where offers.owner_id = $1::bigint and offers.id = past.id
           returning offers.id
         )
         select count(*) as count from changed`,
        [
          ...[ownerId, revision, at, keyId],
          ...[idsWhere(({ isMasked }) => isMasked), idsWhere(({ isBlind }) => isBlind), toJson(columns, offers)],
          ...TIER_COLUMNS.map((_name, at) => idsWhere(({ keptTiers }) => keptTiers[at] === true)),
        ],
      );
      return Number(rows[0]?.count);
    },
  };
}

/** @param place - Of the owner among the parameters. */
const storing = (bytes: string, place: number) => `stored as (
  insert into stored_bytes as former (owner_id, history) values ($${place}::bigint, (${bytes}))
  on conflict (owner_id) do update set history = former.history + excluded.history
)`;

const listOf = (name: string) => `list_of_${name}`;
const keeps = (name: string) => `keeps_${name}`;

/** Former tiers that several offers of the statement have, stored once. Fewer bytes are not worth a row. */
const SHARED_LISTS = `shared as materialized (
  select tiers, sha256(convert_to(tiers, 'UTF8')) as digest
  from (${TIER_COLUMNS.map((name) => `select ${name} as tiers from past where ${keeps(name)}`).join(' union all ')}) as former
  where length(tiers) > ${LEAST_SHARED} group by tiers having count(*) > 1
),
added as (
  insert into tier_lists (owner_id, digest, tiers) select $1::bigint, digest, tiers from shared
  on conflict (owner_id, digest) do nothing returning id, digest
),
lists as materialized (
  select named.id, shared.tiers from shared join (
    select id, digest from added
    union all select tier_lists.id, digest from tier_lists join shared using (digest) where owner_id = $1::bigint
  ) as named using (digest)
)`;

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
