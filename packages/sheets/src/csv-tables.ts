// The part of the CSV code that has no I/O, so that a browser can use it too.
export * from './csv.ts';
export { CsvError, csvRows } from './csv-rows.ts';
