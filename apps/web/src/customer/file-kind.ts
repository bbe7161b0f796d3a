/** What a file of a customer is. */
export type FileKind = 'photo' | 'pdf' | 'workbook' | 'customers' | 'curve' | 'address';

const HEAD_BYTES = 4096;
const ADDRESS = /^[\s"'<]*(https?:\/\/)?comparador\.cnmc/i;
/** Columns that every table of customers has, and no curve. */
const CUSTOMERS = /(^|[;,\t"])(supply_type|client_type)([;,\t"]|$)/m;

/** By its first bytes, since names and types of files are often wrong. */
export async function kindOf(file: File): Promise<FileKind> {
  if (file.type.startsWith('image/')) return 'photo';
  const head = await file.slice(0, HEAD_BYTES).text();
  if (head.startsWith('%PDF')) return 'pdf';
  if (head.startsWith('PK')) return 'workbook';
  if (ADDRESS.test(head)) return 'address';
  return CUSTOMERS.test(head.split('\n', 1)[0] ?? '') ? 'customers' : 'curve';
}
