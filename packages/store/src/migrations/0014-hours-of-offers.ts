import { forBoth } from './engines.ts';

/** The indices whose hours an offer follows; null: none. */
const COLUMNS = [
  'hourly_index text COLLATE "C"',
  'hourly_index_factor double precision',
  'surplus_index text COLLATE "C"',
];

export const hoursOfOffers = forBoth(() =>
  ['offers', 'offer_versions']
    .flatMap((table) => COLUMNS.map((column) => `ALTER TABLE ${table} ADD COLUMN ${column};`))
    .join('\n'),
);
