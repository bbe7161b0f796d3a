// What is pure of the CSV: a browser has it too.
export * from './csv.ts';
export { CsvError, csvRows } from './csv-rows.ts';
