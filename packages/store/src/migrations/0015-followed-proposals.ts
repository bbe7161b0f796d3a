import { forBoth } from './engines.ts';

/** What an office follows proposals by, which nothing seals, and the line of a firm that they show. */
export const followedProposals = forBoth(
  () => `
ALTER TABLE proposals ADD COLUMN ref text;
ALTER TABLE proposals ADD COLUMN state text NOT NULL DEFAULT 'borrador'
  CHECK (state IN ('borrador', 'enviada', 'aceptada', 'rechazada'));
ALTER TABLE proposals ADD COLUMN summary text;
ALTER TABLE proposals ADD COLUMN words text;
ALTER TABLE firms ADD COLUMN contact text;`,
);
