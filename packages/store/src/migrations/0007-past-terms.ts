import { forBoth } from './engines.ts';

const COLUMNS = `
  company_id bigint, supply_type text, offer_name text, tariff_type text, is_indexed smallint,
  services_eur_per_month double precision, commission_value double precision, commission_type text,
  consumption_tiers text, accepts_dni smallint, accepts_cif smallint, accepts_cdad smallint,
  territory_peninsula smallint, territory_canarias smallint, territory_baleares smallint,
  territory_ceuta_melilla smallint, communities integer, is_active smallint, energy_1 double precision,
  energy_2 double precision, energy_3 double precision, energy_4 double precision, energy_5 double precision,
  energy_6 double precision, power_1 double precision, power_2 double precision, power_3 double precision,
  power_4 double precision, power_5 double precision, power_6 double precision,
  fee_power_eur_per_mwh double precision, has_solar_panels smallint, surplus_eur_per_kwh double precision,
  ssaa_included smallint, power_tiers text, gas_energy double precision, gas_fixed double precision,
  created_at text COLLATE "C", updated_at text COLLATE "C"`;

/**
 * What an offer was before a change, in columns as the offer has them: the database copies the row by itself. Each column
 * of terms that `offers` gets one day, `offer_versions` gets too.
 *
 * Older versions have all of it as JSON in `before`, and so have those that say something else.
 */
export const pastTerms = forBoth(() =>
  COLUMNS.split(',')
    .map((column) => `\nALTER TABLE offer_versions ADD COLUMN ${column.trim()};`)
    .join(''),
);
