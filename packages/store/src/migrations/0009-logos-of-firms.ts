import { forBoth } from './engines.ts';

/** The picture of a firm as a data: URI, in the last column: reads of the others do not touch it. Null: none. */
export const logosOfFirms = forBoth(() => 'ALTER TABLE firms ADD COLUMN logo text;');
