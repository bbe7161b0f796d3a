// Tables of customers and of their answers, for the command line and for the page. It imports nothing else of the api.
export { CUSTOMER_COLUMNS } from './columns.ts';
export { CustomerTableError, customersInTable, type TableRow } from './reading.ts';
export { type CustomerRecord, RECORD_COLUMNS, recordRows } from './records.ts';
