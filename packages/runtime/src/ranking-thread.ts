// The dependencies of a thread that only ranks. Loading the store, the log and the metrics would take longer than all
// the rest.
export { csvTables } from '@tarifario/sheets';
