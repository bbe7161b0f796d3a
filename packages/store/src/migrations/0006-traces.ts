import { forBoth } from './engines.ts';

/** The trace of the request that sent a file, or caused an event; null: none. */
export const traces = forBoth(
  () => `
ALTER TABLE upload_files ADD COLUMN traceparent text;
ALTER TABLE webhook_events ADD COLUMN traceparent text;`,
);
