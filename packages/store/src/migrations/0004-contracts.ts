import { forBoth } from './engines.ts';

/** What contracts say besides prices; null: unknown. */
export const CONTRACT_COLUMNS = [
  ...['min_power_kw', 'max_power_kw', 'min_annual_kwh', 'max_annual_kwh'].map((name) => `${name} double precision`),
  ...['valid_from', 'valid_to'].map((name) => `${name} text COLLATE "C"`),
  ...['permanence_months', 'penalty_eur', 'penalty_percent', 'fixed_price_months'],
  ...['energy_discount_percent', 'power_discount_percent', 'discount_months'],
  ...['is_green', 'passes_tolls'].map((name) => `${name} smallint`),
  'requirements text',
].map((column) => (column.includes(' ') ? column : `${column} double precision`));

export const contracts = forBoth(() =>
  ['offers', 'offer_versions']
    .flatMap((table) => CONTRACT_COLUMNS.map((column) => `ALTER TABLE ${table} ADD COLUMN ${column};`))
    .join('\n'),
);
