export * from './csv.ts';
export { createSheetWriting } from './sheet-writing.ts';
export * from './workbook-reader.ts';
export * from './workbook-writer.ts';
