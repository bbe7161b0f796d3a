export * from './csv-tables.ts';
export * from './workbook-reader.ts';
export * from './workbook-writer.ts';
