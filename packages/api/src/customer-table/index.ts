// Tables of customers and of their answers, for the command line and for the page: it loads nothing of the rest of api.
export { CUSTOMER_COLUMNS } from './columns.ts';
export { CustomerTableError, customersInTable, type TableRow } from './reading.ts';
export { type CustomerRecord, RECORD_COLUMNS, recordRows } from './records.ts';
