import type pg from 'pg';
import { TERMS_COLUMNS, TERMS_TYPES } from './offer-columns.ts';
import { CREATED, type NewOffer, type OfferRows, REPLACED, type Replaced } from './offer-rows.ts';
import { toBinaryArray } from './postgres-arrays.ts';

type Query = (text: string, parameters: readonly unknown[]) => Promise<Pick<pg.QueryResult, 'rows'>>;

/**
 * One statement for many offers, which come as one array a column: the database compares, keeps the versions and writes.
 * Nothing of what is stored travels, but when each offer was made and changed.
 */
export function postgresOfferRows(query: Query): OfferRows {
  return {
    insert: async (offers, { accountId, revision, at, keyId }) => {
      const { given, parameters } = arraysOf(offers);
      await query(
        `with given as materialized (${given(4)}),
         made as (
           insert into offers (id, account_id, revision, created_at, updated_at, ${TERMS_COLUMNS})
           select id, $1::bigint, $2::bigint, $3::text, $3::text, ${TERMS_COLUMNS} from given
         )
         insert into offer_versions (offer_id, revision, changed_at, key_id, before)
         select id, $2::bigint, $3::text, $4::bigint, '${CREATED}' from given`,
        [accountId, revision, at, keyId, ...parameters],
      );
    },
    replace: async (offers, { shelfId, revision, at, keyId }) => {
      const { given, parameters } = arraysOf(offers);
      const always = offers.filter(({ countsAlways }) => countsAlways).map(({ id }) => id);
      const past = [...TERMS_COLUMNS, 'created_at', 'updated_at'];
      const of = (table: string, columns: readonly string[] = TERMS_COLUMNS) =>
        columns.map((name) => `${table}.${name}`);
      const { rows } = await query(
        `with given as materialized (${given(5)}),
         found as materialized (
           select stored.*, given.id = any($5::bigint[]) or (${of('stored')}) is distinct from (${of('given')}) as is_changed
           from given, lateral (
             select id, shelf_id, ${past} from offers where offers.id = given.id offset 0
           ) as stored
           where stored.shelf_id = $1::bigint and stored.supply_type = given.supply_type
         ),
         kept as (
           insert into offer_versions (offer_id, revision, changed_at, key_id, before, ${past})
           select id, $2::bigint, $3::text, $4::bigint, '${REPLACED}', ${past} from found where is_changed
         ),
         changed as (
           update offers set ${TERMS_COLUMNS.map((name) => `${name} = given.${name}`)}, revision = $2::bigint, updated_at = $3::text
           from found join given on given.id = found.id
           where offers.id = found.id and found.is_changed
         )
         select id, created_at as "createdAt", updated_at as "updatedAt", is_changed as "isChanged" from found`,
        [shelfId, revision, at, keyId, always, ...parameters],
      );
      return rows as readonly Replaced[];
    },
  };
}

/** Offers as a table `given` of the columns of terms and `id`, whose arrays are the parameters after the `first` ones. */
function arraysOf(offers: readonly NewOffer[]) {
  const types = ['bigint', ...TERMS_COLUMNS.map((name) => TERMS_TYPES[name])];
  return {
    given: (first: number) => {
      const arrays = types.map((type, index) => `$${first + 1 + index}::${type}[]`);
      return `select * from unnest(${arrays}) as given (id, ${TERMS_COLUMNS})`;
    },
    parameters: [
      toBinaryArray(
        'bigint',
        offers.map(({ id }) => id),
      ),
      ...TERMS_COLUMNS.map((name, index) =>
        toBinaryArray(
          TERMS_TYPES[name],
          offers.map(({ values }) => values[index] ?? null),
        ),
      ),
    ],
  };
}
