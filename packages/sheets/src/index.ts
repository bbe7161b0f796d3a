export * from './csv.ts';
export { CsvError, csvRows } from './csv-rows.ts';
export * from './workbook-reader.ts';
export * from './workbook-writer.ts';
