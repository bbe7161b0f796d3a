// Tables of customers and of their answers, for the command line and for the page. It has no operations.
export { asRefusal, CsvError, DomainError, UnreadableFile } from '@tarifario/core/service';
export { bodyIn } from '../messages/words.ts';
export { CUSTOMER_COLUMNS } from './columns.ts';
export { columnText } from './headers.ts';
export { type ColumnChoice, customersInTable, firstSheet, type TableRow, UnknownColumns } from './reading.ts';
export { type CustomerRecord, type RecordForm, recordColumns, recordHeader, recordRows } from './records.ts';
