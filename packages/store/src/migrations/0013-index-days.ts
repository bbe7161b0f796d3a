import { forBoth } from './engines.ts';

/** Prices of indices by the hour or quarter-hour of a day of UTC. They are of the installation, as the catalog is. */
export const indexDays = forBoth(
  () => `
CREATE TABLE index_days (
  indice text COLLATE "C" NOT NULL,
  day text COLLATE "C" NOT NULL,
  hours double precision NOT NULL CHECK (hours BETWEEN 0 AND 24),
  prices text NOT NULL CHECK (prices::json IS NOT NULL),
  PRIMARY KEY (indice, day)
); -- WITHOUT ROWID`,
);
