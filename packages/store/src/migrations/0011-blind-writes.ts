import { forBoth } from './engines.ts';

/** The revision at which commissions were last written by a key that may not see them; null: never, or an earlier release. */
export const blindWrites = forBoth(() => 'ALTER TABLE offers ADD COLUMN blind_revision bigint;');
