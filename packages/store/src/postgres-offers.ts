import type pg from 'pg';
import {
  CREATED,
  type NewOffer,
  namesOf,
  type OfferRows,
  REPLACED,
  type Replaced,
  type Replacement,
} from './offer-rows.ts';
import { type ElementType, toBinaryArray } from './postgres-arrays.ts';
import type { OfferTermsColumns } from './schema.ts';

type Query = (text: string, parameters: readonly unknown[]) => Promise<pg.QueryResult>;

/**
 * One statement for many offers, which come as one array a column: the database compares, keeps the versions and writes.
 * Nothing of what is stored travels, but when each offer was made and changed.
 */
export function postgresOfferRows(query: Query): OfferRows {
  return {
    insert: async (offers, { accountId, revision, at, keyId }) => {
      const { names, given, parameters } = arraysOf(offers);
      await query(
        `with given as materialized (${given(4)}),
         made as (
           insert into offers (id, account_id, revision, created_at, updated_at, ${names})
           select id, $1::bigint, $2::bigint, $3::text, $3::text, ${names} from given
         )
         insert into offer_versions (offer_id, revision, changed_at, key_id, before)
         select id, $2::bigint, $3::text, $4::bigint, '${CREATED}' from given`,
        [accountId, revision, at, keyId, ...parameters],
      );
    },
    replace: async (offers, { shelfId, revision, at, keyId }) => {
      const { names, given, parameters } = arraysOf(offers);
      const always = offers.filter(({ countsAlways }) => countsAlways).map(({ id }) => id);
      const past = [...names, 'created_at', 'updated_at'];
      const of = (table: string, columns: readonly string[] = names) => columns.map((name) => `${table}.${name}`);
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
           update offers set ${names.map((name) => `${name} = given.${name}`)}, revision = $2::bigint, updated_at = $3::text
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

const TYPES: Readonly<Record<keyof OfferTermsColumns, ElementType>> = {
  company_id: 'bigint',
  supply_type: 'text',
  offer_name: 'text',
  tariff_type: 'text',
  is_indexed: 'smallint',
  services_eur_per_month: 'double precision',
  commission_value: 'double precision',
  commission_type: 'text',
  consumption_tiers: 'text',
  accepts_dni: 'smallint',
  accepts_cif: 'smallint',
  accepts_cdad: 'smallint',
  territory_peninsula: 'smallint',
  territory_canarias: 'smallint',
  territory_baleares: 'smallint',
  territory_ceuta_melilla: 'smallint',
  communities: 'integer',
  is_active: 'smallint',
  energy_1: 'double precision',
  energy_2: 'double precision',
  energy_3: 'double precision',
  energy_4: 'double precision',
  energy_5: 'double precision',
  energy_6: 'double precision',
  power_1: 'double precision',
  power_2: 'double precision',
  power_3: 'double precision',
  power_4: 'double precision',
  power_5: 'double precision',
  power_6: 'double precision',
  fee_power_eur_per_mwh: 'double precision',
  has_solar_panels: 'smallint',
  surplus_eur_per_kwh: 'double precision',
  ssaa_included: 'smallint',
  power_tiers: 'text',
  gas_energy: 'double precision',
  gas_fixed: 'double precision',
};

/** Offers as a table `given` of the columns of terms and `id`, whose arrays are the parameters after the `first` ones. */
function arraysOf(offers: readonly (NewOffer | Replacement)[]) {
  const names = namesOf(offers) as readonly (keyof OfferTermsColumns)[];
  const types = ['bigint', ...names.map((name) => TYPES[name])];
  return {
    names,
    given: (first: number) => {
      const arrays = types.map((type, index) => `$${first + 1 + index}::${type}[]`);
      return `select * from unnest(${arrays}) as given (id, ${names})`;
    },
    parameters: [
      toBinaryArray(
        'bigint',
        offers.map(({ id }) => id),
      ),
      ...names.map((name) =>
        toBinaryArray(
          TYPES[name],
          offers.map(({ columns }) => columns[name]),
        ),
      ),
    ],
  };
}
