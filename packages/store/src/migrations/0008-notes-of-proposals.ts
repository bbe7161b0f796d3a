import { forBoth } from './engines.ts';

/** The note of the content, which lists would otherwise have to read whole; null: none, or an earlier release. */
export const notesOfProposals = forBoth(() => 'ALTER TABLE proposals ADD COLUMN note text;');
