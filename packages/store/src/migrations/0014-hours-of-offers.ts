import { forBoth } from './engines.ts';

/** The indices whose hours an offer follows; null: none. */
export const HOUR_COLUMNS = [
  'hourly_index text COLLATE "C"',
  'hourly_index_factor double precision',
  'surplus_index text COLLATE "C"',
];

export const hoursOfOffers = forBoth(() =>
  ['offers', 'offer_versions']
    .flatMap((table) => HOUR_COLUMNS.map((column) => `ALTER TABLE ${table} ADD COLUMN ${column};`))
    .join('\n'),
);
