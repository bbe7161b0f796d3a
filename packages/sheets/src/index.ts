export * from './csv.ts';
export * from './workbook-reader.ts';
export * from './workbook-writer.ts';
