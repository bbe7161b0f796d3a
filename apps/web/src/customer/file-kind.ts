/** What a file of a customer is. */
export type FileKind = 'empty' | 'photo' | 'pdf' | 'workbook' | 'customers' | 'curve' | 'address';

const HEAD_BYTES = 4096;
/** A PDF may begin later than its file. */
const PDF_HEAD_BYTES = 1024;
const ADDRESS = /^[\s"'<]*(https?:\/\/)?comparador\.cnmc/i;
/** Columns that every table of customers has, and no curve. */
const CUSTOMERS = /(^|[;,\t"])(supply_type|client_type)([;,\t"]|$)/m;

/** Whether a text is the address of an invoice's code. */
export const isInvoiceAddress = (text: string): boolean => ADDRESS.test(text);

/** By its first bytes, since names and types of files are often wrong. */
export async function kindOf(file: File): Promise<FileKind> {
  if (file.size === 0) return 'empty';
  if (file.type.startsWith('image/')) return 'photo';
  const head = await file.slice(0, HEAD_BYTES).text();
  if (head.slice(0, PDF_HEAD_BYTES).includes('%PDF-')) return 'pdf';
  if (head.startsWith('PK')) return 'workbook';
  if (isInvoiceAddress(head)) return 'address';
  return CUSTOMERS.test(head.split('\n', 1)[0] ?? '') ? 'customers' : 'curve';
}
